/** Muted people, and topics with a setting of their own. */

import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { nameOf } from '../../store/derived/users.ts'
import { type Visibility, visibilityOf } from '../../store/derived/unread.ts'
import { setVisibility } from '../topics/actions/visibility.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Choice } from '../../ui/setting.tsx'
import { showError } from '../../ui/toasts.tsx'
import { topicName } from '../../store/derived/topic.ts'
import { t } from '../../texts/texts.ts'

export function Muted() {
  const app = useApp()
  const state = useState()
  const people = state.muted_users ?? []
  const topics = state.user_topics ?? []
  const unmute = (id: number) =>
    void app.api.call('DELETE /users/me/muted_users/{muted_user_id}', { muted_user_id: id }).catch(showError)
  return (
    <>
      <section class="settings-part">
        <h2>{t('Muted people')}</h2>
        {people.length === 0 && (
          <p class="quiet-text">{t('No muted people. You can mute someone from their profile.')}</p>
        )}
        <ul class="cards">
          {people.map(({ id }) => (
            <li key={id} class="card">
              <a class="card-name card-text" href={`#user/${id}`} dir="auto">
                {nameOf(state, id)}
              </a>
              <button
                class="button"
                aria-label={t('Unmute {name}', { name: nameOf(state, id) })}
                onClick={() => unmute(id)}
              >
                {t('Unmute')}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <section class="settings-part">
        <h2>{t('Muted and followed topics')}</h2>
        {topics.length === 0 && (
          <p class="quiet-text">{t('No muted or followed topics. You can change this in a topic’s menu.')}</p>
        )}
        <ul class="cards">
          {topics.map(({ stream_id: channelId, topic_name: topic }) => (
            <li key={`${channelId} ${topic}`} class="card">
              <ChannelMark channelId={channelId} />
              <div class="card-text">
                <Choice
                  label={`${channelsById(state).get(channelId)?.channel.name ?? ''} › ${topicName(topic)}`}
                  value={visibilityOf(state, channelId, topic)}
                  options={[
                    ['inherit', t('Channel default')],
                    ['followed', t('Followed')],
                    ['unmuted', t('Unmuted')],
                    ['muted', t('Muted')],
                  ]}
                  onSave={(chosen) => setVisibility(app, { channelId, topic }, chosen as Visibility)}
                />
              </div>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

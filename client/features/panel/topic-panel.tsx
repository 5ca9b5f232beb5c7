/** The panel of a topic: how it notifies, who is here now, and its files. */

import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { membersOf } from '../../store/derived/members.ts'
import { presenceOf } from '../../store/derived/users.ts'
import { isTopicMuted, type Visibility, visibilityOf } from '../../store/derived/unread.ts'
import { ofTopic } from '../../store/narrows/narrow.ts'
import { setVisibility } from '../topics/actions/visibility.ts'
import { Choice } from '../../ui/setting.tsx'
import { PersonRow } from '../people/person-row.tsx'
import { topicName } from '../../store/derived/topic.ts'
import { SharedFiles } from './shared-files.tsx'

/** People who are here; more do not help anybody. */
const HERE_SHOWN_MAX = 20

interface TopicPanelProps {
  readonly channelId: number
  readonly topic: string
}

export function TopicPanel({ channelId, topic }: TopicPanelProps) {
  const app = useApp()
  const state = useState()
  const seen = channelsById(state).get(channelId)
  const nowSeconds = app.minute.value / 1000
  const here = membersOf(state, channelId).filter(
    ({ user_id }) => presenceOf(state, user_id, nowSeconds) === 'active',
  )
  const visibility = visibilityOf(state, channelId, topic)
  const isMuted = isTopicMuted(state, channelId, topic)
  const options: readonly (readonly [Visibility, string])[] = [
    ['inherit', seen?.subscription?.is_muted ? 'Channel default: muted' : 'Channel default'],
    ['followed', 'Followed'],
    ['unmuted', 'Unmuted'],
    ['muted', 'Muted'],
  ]
  return (
    <>
      <h3 dir="auto">{topicName(topic)}</h3>
      {seen?.subscription && (
        <Choice
          key={`${channelId} ${topic}`}
          label="Notifications"
          hint={isMuted ? 'Its messages don’t count as unread.' : undefined}
          value={visibility}
          options={options}
          onSave={(chosen) => setVisibility(app, { channelId, topic }, chosen as Visibility)}
        />
      )}
      <section aria-labelledby="panel-here">
        <h4 id="panel-here">Here now</h4>
        {here.length === 0 ? (
          <p class="quiet-text">No one from the channel right now</p>
        ) : (
          <ul>
            {here.slice(0, HERE_SHOWN_MAX).map((user) => (
              <PersonRow key={user.user_id} user={user} />
            ))}
          </ul>
        )}
        {here.length > HERE_SHOWN_MAX && <p class="quiet-text">and {here.length - HERE_SHOWN_MAX} more</p>}
      </section>
      <SharedFiles narrow={ofTopic(channelId, topic)} />
    </>
  )
}

/** All topics of a channel, the last active first, with a field to find one and a way to a new one. */

import { topicKey } from '../../../packages/rules/topics.ts'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { mayCreateTopic } from '../../store/derived/message-permissions.ts'
import { isTopicMuted, unreadOf } from '../../store/derived/unread.ts'
import { ofChannel, ofTopic } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Count } from '../../ui/count.tsx'
import { problemText, showError } from '../../ui/toasts.tsx'
import { topicName } from '../../store/derived/topic.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { ListView } from './list-view.tsx'
import { t } from '../../texts/texts.ts'

/** Lines that are drawn; the field finds the others. */
const SHOWN_MAX = 200

export function Topics({ path: [id] }: { readonly path: readonly string[] }) {
  const app = useApp()
  const state = useState()
  const channelId = Number(id)
  const part = useSignal('')
  const unread = unreadOf(state).channels.get(channelId)?.topics ?? []
  const newestId = unread[0]?.messageIds.at(-1)
  const channel = channelsById(state).get(channelId)?.channel
  const { names, problem } = useTopicNames(channelId, channel !== undefined, newestId)
  if (!channel)
    return (
      <ListView title={t('Topics')} about="">
        <p class="empty">{t('This channel doesn’t exist, or you don’t have access.')}</p>
      </ListView>
    )
  const wanted = part.value.trim().toLowerCase()
  const found = (names.value ?? []).filter((name) => topicName(name).toLowerCase().includes(wanted))
  const start = () =>
    app.router
      .open({ view: 'narrow', narrow: ofChannel(channelId) })
      .then(() => app.handles.focusComposer())
      .catch(showError)
  return (
    <ListView
      title={<Title channelId={channelId} name={channel.name} />}
      about={
        names.value ? t('{count, plural, one {# topic} other {# topics}}', { count: names.value.length }) : ''
      }
      tools={
        mayCreateTopic(state, channelId) && (
          <button class="button" onClick={() => void start()}>
            {t('New topic')}
          </button>
        )
      }
    >
      <input
        class="find-topic"
        aria-label={t('Find a topic')}
        placeholder={t('Find a topic')}
        value={part.value}
        onInput={(event) => (part.value = event.currentTarget.value)}
      />
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {!names.value && problem.value === '' && <Waiting text={t('Loading topics…')} isForRows />}
      {names.value && found.length === 0 && (
        <p class="empty">
          {wanted === '' ? t('No topics yet. Start the first one.') : t('No matching topics')}
        </p>
      )}
      {found.length > 0 && (
        <div class="group">
          {found.slice(0, SHOWN_MAX).map((name) => (
            <TopicLine key={name} channelId={channelId} name={name} />
          ))}
        </div>
      )}
      {found.length > SHOWN_MAX && <p class="empty">{t('Type part of a name to find more.')}</p>}
    </ListView>
  )
}

function Title({ channelId, name }: { readonly channelId: number; readonly name: string }) {
  const { router } = useApp()
  return (
    <>
      <ChannelMark channelId={channelId} />
      <a href={router.hrefOf({ view: 'narrow', narrow: ofChannel(channelId) })} dir="auto">
        {name}
      </a>
      <span class="separator">›</span>
      <span>{t('Topics')}</span>
    </>
  )
}

function TopicLine({ channelId, name }: { readonly channelId: number; readonly name: string }) {
  const app = useApp()
  const state = useState()
  const unread = unreadOf(state).channels.get(channelId)?.topics
  const own = unread?.find(({ topic }) => topicKey(topic) === topicKey(name))
  const isQuiet = isTopicMuted(state, channelId, name)
  return (
    <a
      class={`line topic ${isQuiet ? 'quiet' : own ? 'unread' : ''}`}
      data-row
      href={app.router.hrefOf({ view: 'narrow', narrow: ofTopic(channelId, name) })}
    >
      <b dir="auto">{topicName(name)}</b>
      <Count count={own?.messageIds.length ?? 0} isImportant={own?.hasMention ?? false} />
    </a>
  )
}

/** The names of a channel's topics, read anew with each new message, which may begin one. */
function useTopicNames(channelId: number, isKnown: boolean, newestId: number | undefined) {
  const { api } = useApp()
  const names = useSignal<readonly string[] | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    if (!isKnown) return
    api.call('GET /users/me/{stream_id}/topics', { stream_id: channelId, allow_empty_topic_name: true }).then(
      ({ topics }) => (names.value = topics.map(({ name }) => name)),
      (error: unknown) => (problem.value = problemText(error)),
    )
  }, [channelId, isKnown, newestId])
  return { names, problem }
}

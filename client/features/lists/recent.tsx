/** Recent conversations: topics and direct ones, the last active first. */

import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { recentConversations, type RecentConversation } from '../../store/derived/recent-conversations.ts'
import { usersById } from '../../store/derived/users.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { Face } from '../people/face.tsx'
import { Count } from '../../ui/count.tsx'
import { problemText } from '../../ui/toasts.tsx'
import { Snippet } from '../message/snippet.tsx'
import { fullTime, shortTime } from '../../ui/times.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { countText } from '../../ui/count-text.ts'
import { ListView } from './list-view.tsx'
import { PlaceName } from './place-name.tsx'

const FEED: Narrow = []
/** Messages from which conversations are read; older ones are found by search. A window holds 2,000. */
const MESSAGES_MAX = 1_900
/** Lines at first, and with each step: a browser draws them at once. */
const LINES = 60

const FILTERS = [
  ['unread', 'Unread'],
  ['own', 'Participated'],
  ['muted', 'Include muted'],
] as const

export function Recent() {
  const app = useApp()
  const state = useState()
  const problem = useSignal('')
  const shownCount = useSignal(LINES)
  const { messages, hasOldest, hasNewest, isStale } = app.messages.window(FEED).value
  const isLoaded = messages.length > 0 || (hasOldest && hasNewest)
  useEffect(() => app.messages.show(FEED), [app])
  useEffect(() => {
    if (isStale || !hasNewest)
      app.loader.open(FEED, 'newest').catch((error: unknown) => (problem.value = problemText(error)))
  }, [isStale, hasNewest])
  const all = useMemo(
    () => recentConversations(state, messages),
    [messages, state.unread_msgs, state.user_topics, state.subscriptions, state.muted_users],
  )
  const { recentFilters: filters } = app.device
  const on = filters.value
  const shown = all.filter(
    ({ unreadCount, hasOwn, isMuted }) =>
      (!on.includes('unread') || unreadCount > 0) &&
      (!on.includes('own') || hasOwn) &&
      (on.includes('muted') || !isMuted),
  )
  const toggle = (name: string) =>
    (filters.value = on.includes(name) ? on.filter((one) => one !== name) : [...on, name])
  const isEnd = hasOldest || messages.length >= MESSAGES_MAX
  const more = () => {
    shownCount.value += LINES
    if (!isEnd) app.loader.loadOlder(FEED).catch((error: unknown) => (problem.value = problemText(error)))
  }
  return (
    <ListView title="Recent conversations" about={isLoaded ? countText(shown.length, 'conversation') : ''}>
      <div class="recent-filters" role="group" aria-label="Filters">
        {FILTERS.map(([name, text]) => (
          <button
            key={name}
            class="recent-filter"
            aria-pressed={on.includes(name)}
            onClick={() => toggle(name)}
          >
            {text}
          </button>
        ))}
      </div>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {!isLoaded && problem.value === '' && <Waiting text="Loading conversations…" isForRows />}
      {isLoaded && shown.length === 0 && (
        <EmptyState
          icon="lines"
          title={on.length === 0 ? 'No conversations yet' : 'No matching conversations'}
        >
          <p>{on.length === 0 ? 'Post in a channel to start one.' : 'Try fewer filters.'}</p>
        </EmptyState>
      )}
      {shown.length > 0 && (
        <div class="group">
          {shown.slice(0, shownCount.value).map((one) => (
            <Line key={one.key} conversation={one} />
          ))}
        </div>
      )}
      {isLoaded &&
        (isEnd && shown.length <= shownCount.value ? (
          !hasOldest && <p class="empty">Use search to find older conversations.</p>
        ) : (
          <button class="button more" onClick={more}>
            Show more
          </button>
        ))}
    </ListView>
  )
}

function Line({ conversation }: { readonly conversation: RecentConversation }) {
  const app = useApp()
  const users = usersById(useState())
  const { narrow, place, newest, senderIds, unreadCount, isMuted } = conversation
  const isImportant = !('channelId' in place) || newest.flags.includes('mentioned')
  return (
    <a
      class={`line recent ${unreadCount > 0 ? 'unread' : ''} ${isMuted ? 'quiet' : ''}`}
      data-row
      href={app.router.hrefOf({ view: 'narrow', narrow })}
    >
      <PlaceName place={place} />
      <span dir="auto">
        {app.muted.value.has(newest.sender_id) ? (
          'Message from someone you muted'
        ) : (
          <>
            {newest.sender_full_name}: <Snippet html={newest.content} />
          </>
        )}
      </span>
      <span class="faces">
        {senderIds.map((id) => {
          const user = users.get(id)
          return (
            <Face key={id} userId={id} name={user?.full_name ?? ''} picture={user?.avatar_url} size="small" />
          )
        })}
      </span>
      <time title={fullTime(newest.timestamp)}>{shortTime(newest.timestamp, app.minute.value)}</time>
      <Count count={unreadCount} isImportant={isImportant} />
    </a>
  )
}

/** The lines of recent conversations: those near the screen, and more of them as somebody scrolls. */

import { useEffect, useMemo } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { directName } from '../../store/derived/direct-name.ts'
import type { RecentConversation } from '../../store/derived/recent-conversations.ts'
import { topicName } from '../../store/derived/topic.ts'
import { unreadIdsOf } from '../../store/derived/unread-ids.ts'
import { memo } from '../../ui/memo.ts'
import { useOneTabStop } from '../../ui/one-tab-stop.ts'
import { useRowWindow } from '../../ui/row-window.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { ConversationLine } from './conversation-line.tsx'
import { markRead } from './mark-read.ts'
import { PlaceName } from './place-name.tsx'

/** Pixels of a row, for text of the default size; the styles have the same. */
const HEIGHT = 36
const PHONE_HEIGHT = 60
/** More are loaded when fewer are left below the screen. */
const AHEAD = 12

interface RecentListProps {
  readonly conversations: readonly RecentConversation[]
  /** Undefined if there are no more. */
  readonly onMore: (() => void) | undefined
}

export function RecentList({ conversations, onMore }: RecentListProps) {
  const isPhone = usePhone()
  const count = conversations.length
  const heights = useMemo(
    () => Array.from({ length: count }, () => (isPhone ? PHONE_HEIGHT : HEIGHT)),
    [count, isPhone],
  )
  const { list, first, end, before, total } = useRowWindow(heights)
  useOneTabStop(list)
  useEffect(() => {
    if (end + AHEAD > count) onMore?.()
  })
  return (
    <div ref={list} class="rows" style={{ height: `${total}px` }}>
      <div style={{ transform: `translateY(${before}px)` }}>
        {conversations.slice(first, end).map((one) => (
          <Line key={one.key} conversation={one} />
        ))}
      </div>
    </div>
  )
}

/** Scrolling draws only what comes in. */
const Line = memo(({ conversation }: { readonly conversation: RecentConversation }) => {
  const app = useApp()
  const state = useState()
  const { narrow, place, newest, unreadCount: count, isMuted } = conversation
  const isCall = !('channelId' in place) || newest.flags.includes('mentioned')
  const name = 'topic' in place ? topicName(place.topic) : directName(state, place.otherIds)
  return (
    <ConversationLine
      {...{ narrow, place, name, newest, count, isCall }}
      isQuiet={isMuted}
      onRead={() => void markRead(app, unreadIdsOf(app.state.peek(), narrow))}
    >
      {'topic' in place ? (
        <PlaceName place={place} />
      ) : (
        <b>
          <bdi>{name}</bdi>
        </b>
      )}
    </ConversationLine>
  )
})

/** A scrolling list of messages that loads older and newer ones at its ends, and never jumps. */

import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { readsOnScreen } from '../../store/derived/reads-on-screen.ts'
import { openingAnchor } from '../../store/messages/page-params.ts'
import { keyOf, type Narrow } from '../../store/narrows/narrow.ts'
import { MessageParts } from '../message/message-parts.ts'
import { dayName } from '../../ui/times.ts'
import { lazy } from '../../ui/lazy.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ListTools } from '../message/list-tools.ts'
import { MessageDialogs } from '../message/message-dialogs.tsx'
import { destinationOf } from './destination.ts'
import { LoadProblem } from './load-problem.tsx'
import { MessageRow } from './message-row.tsx'
import { PlaceRow } from './place-row.tsx'
import { rowsOf } from './rows.ts'
import { ListScroll } from './list-scroll.ts'

/** The first messages do not wait for the parts around them. */
const ConversationStart = lazy(async () => (await import('./conversation-start.tsx')).ConversationStart, {
  isQuiet: true,
})
const UnreadButton = lazy(async () => (await import('./unread-button.tsx')).UnreadButton, { isQuiet: true })
const JumpButton = lazy(async () => (await import('./jump-button.tsx')).JumpButton, { isQuiet: true })
const NoMessages = lazy(async () => (await import('./no-messages.tsx')).NoMessages, { isQuiet: true })
const OutboxRows = lazy(async () => (await import('./outbox-rows.tsx')).OutboxRows, { isQuiet: true })

/** Pixels below the screen from which a button leads to the newest messages: half a screen of a phone. */
const AWAY_PX = 400

interface MessageListProps {
  readonly narrow: Narrow
  /** The message to open at. */
  readonly nearId: number | undefined
  /** Another object when the list is to open anew, even at the same message. */
  readonly opening: Narrow
  readonly isMixed: boolean
  /** Whether they are the results of a search: nothing of them counts as read. */
  readonly isResults: boolean
}

export function MessageList({ narrow, nearId, opening, isMixed, isResults }: MessageListProps) {
  const app = useApp()
  const key = keyOf(narrow)
  const list = useRef<HTMLDivElement>(null)
  const scroll = useRef<ListScroll>(undefined)
  const firstUnreadId = useSignal<number | undefined>(undefined)
  const problem = useSignal<unknown>(undefined)
  const attempt = useSignal(0)
  const topId = useSignal<number | undefined>(undefined)
  const isAway = useSignal(false)
  const window = app.messages.window(narrow)
  const tools = useMemo(() => new ListTools(app), [])

  // Once for each narrow: hold its window, and load it where it is not.
  useEffect(() => {
    const hide = app.messages.show(narrow)
    app.part(MessageParts).activeId.value = undefined
    const begin = async () => {
      const { messages, isStale } = window.peek()
      problem.value = undefined
      const isLoaded = nearId === undefined ? messages.length > 0 : messages.some(({ id }) => id === nearId)
      if (!isLoaded || isStale) await app.loader.open(narrow, openingAnchor(narrow, nearId))
      firstUnreadId.value = isResults ? undefined : window.peek().messages.find(isUnread)?.id
      scroll.current?.openAt(nearId ?? firstUnreadId.value)
    }
    begin().catch((error: unknown) => (problem.value = error))
    return hide
  }, [key, nearId, opening, attempt.value])

  const { messages, hasOldest, hasNewest, isStale } = window.value
  const isConnected = useComputed(() => app.live.status.value.phase === 'connected').value
  useEffect(() => {
    if (!isConnected) return
    if (problem.peek() !== undefined) attempt.value++
    else if (isStale)
      app.loader
        .open(narrow, scroll.current?.topId() ?? 'newest')
        .catch((error: unknown) => (problem.value = error))
  }, [isStale, isConnected])

  useLayoutEffect(() => {
    if (!list.current) return
    const followed = new ListScroll(list.current, {
      hasNewest: () => window.peek().hasNewest,
      onView: (view) => {
        topId.value = view.topId
        isAway.value = view.belowPx > AWAY_PX
      },
      onOlder: () => void app.loader.loadOlder(narrow).catch(() => undefined),
      onNewer: () => void app.loader.loadNewer(narrow).catch(() => undefined),
      onSeen: (ids) => {
        if (isResults || !readsOnScreen(app.state.peek(), narrow)) return
        app.reader.note(unreadOf(window.peek().messages, ids))
      },
    })
    scroll.current = followed
    return () => followed.close()
  }, [key])
  const pending = app.outbox.shownIn(narrow, messages, app.ownId)
  useLayoutEffect(() => scroll.current?.afterChange(), [messages, pending.length])
  // People see what they have just sent, wherever they were reading.
  const newestId = pending.at(-1)?.localId
  useEffect(() => {
    if (newestId === undefined) return
    const shown = window.peek()
    if (shown.hasNewest || shown.isStale) scroll.current?.toBottom()
    else
      void app.loader.open(narrow, 'newest').then(
        () => scroll.current?.toBottom(),
        () => undefined,
      )
  }, [newestId])

  const rows = rowsOf(messages, {
    firstUnreadId: firstUnreadId.value,
    isMixed,
    isSparse: isResults,
  })
  const toNewest = () => {
    const bottom = () => scroll.current?.toBottom()
    if (hasNewest) bottom()
    else app.loader.open(narrow, 'newest').then(bottom, (error: unknown) => (problem.value = error))
  }
  const toUnread = (id: number) => {
    const show = () => {
      firstUnreadId.value = id
      scroll.current?.openAt(id)
    }
    if (window.peek().messages.some((one) => one.id === id)) show()
    else app.loader.open(narrow, id).then(show, (error: unknown) => (problem.value = error))
  }
  const nowMs = app.minute.value
  return (
    <div
      class={destinationOf(narrow) ? 'list' : 'list collection'}
      ref={list}
      role="log"
      data-rows
      aria-live="off"
      aria-label="Messages"
      tabIndex={-1}
      {...tools.props}
    >
      <div class="list-rows">
        {messages[0] && !isResults && (
          <UnreadButton narrow={narrow} topId={topId} firstId={messages[0].id} onJump={toUnread} />
        )}
        {hasOldest && <ConversationStart narrow={narrow} />}
        {messages.length > 0 && !hasOldest && <Waiting text="Loading older messages…" />}
        {messages.length === 0 && !(hasOldest && hasNewest) && problem.value === undefined && (
          <Waiting text="Loading messages…" isForRows />
        )}
        {problem.value !== undefined && <LoadProblem error={problem.value} onRetry={() => attempt.value++} />}
        {messages.length === 0 && hasOldest && hasNewest && (
          <NoMessages narrow={narrow} isResults={isResults} />
        )}
        {rows.map((row) => {
          switch (row.kind) {
            case 'day':
              return (
                <div class="part" key={row.key}>
                  {dayName(row.timestamp, nowMs)}
                </div>
              )
            case 'unread':
              return (
                <div class="part new" key={row.key}>
                  New
                </div>
              )
            case 'place':
              return <PlaceRow key={row.key} message={row.message} />
            case 'message':
              return <MessageRow key={row.key} message={row.message} hasHead={row.hasHead} />
          }
        })}
        {(hasNewest || isStale) && <OutboxRows narrow={narrow} entries={pending} />}
      </div>
      {messages.length > 0 && (
        <JumpButton
          isAway={isAway}
          hasNewest={hasNewest}
          newCount={isResults ? 0 : messages.filter(isUnread).length}
          onJump={toNewest}
        />
      )}
      <MessageDialogs />
    </div>
  )
}

const isUnread = ({ flags }: Message) => !flags.includes('read')

function unreadOf(messages: readonly Message[], ids: ReadonlySet<number>): number[] {
  return messages.filter((message) => ids.has(message.id) && isUnread(message)).map(({ id }) => id)
}

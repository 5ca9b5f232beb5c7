/** The behaviour of a list of messages: it loads its window, follows the scroll, and counts what was on the screen as read. */

import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { readsOnScreen } from '../../store/derived/reads-on-screen.ts'
import { type Anchor, openingAnchor } from '../../store/messages/page-params.ts'
import { keyOf, type Narrow } from '../../store/narrows/narrow.ts'
import { topicOf } from '../../store/narrows/topic-of.ts'
import { useHandle } from '../../ui/use-handle.ts'
import { MessageParts } from '../message/message-parts.ts'
import { ListScroll } from './list-scroll.ts'

/** Pixels below the screen from which a button leads to the newest messages: half a screen of a phone. */
const AWAY_PX = 400

/** The messages of a list, and where it opens. */
export interface ShownList {
  readonly narrow: Narrow
  /** The message to open at. */
  readonly nearId: number | undefined
  /** The message whose conversation the address means. */
  readonly linkedId: number | undefined
  /** Another object when the list is to open anew, even at the same message. */
  readonly opening: Narrow
  /** Whether they are the results of a search: nothing of them counts as read. */
  readonly isResults: boolean
}

export function useMessageList({ narrow, nearId, linkedId, opening, isResults }: ShownList) {
  const app = useApp()
  const key = keyOf(narrow)
  const list = useRef<HTMLDivElement>(null)
  const scroll = useRef<ListScroll>(undefined)
  const firstUnreadId = useSignal<number | undefined>(undefined)
  const problem = useSignal<unknown>(undefined)
  const attempt = useSignal(0)
  const topId = useSignal<number | undefined>(undefined)
  const isAway = useSignal(false)
  const isBeginning = useRef(false)
  const window = app.messages.window(narrow)
  const open = (at: Anchor) => app.loader.open(narrow, at)
  const fail = (error: unknown) => (problem.value = error)
  const toBottom = () => scroll.current?.toBottom()
  const renew = async () => {
    const topId = scroll.current?.topId()
    await open(topId ?? 'newest')
    if (topId === undefined || window.peek().messages.length > 0) return
    // The conversation has gone elsewhere while the page got no events.
    const present = await app.loader.open(narrow, topId, topId)
    const [from, to] = [topicOf(narrow), topicOf(present)]
    if (from && to && present !== narrow) app.moves.follow(from, to)
  }

  // Once for each narrow: hold its window, and load it where it is not.
  useEffect(() => {
    const hide = app.messages.show(narrow)
    app.part(MessageParts).activeId.value = undefined
    const begin = async () => {
      isBeginning.current = true
      const { messages, isStale } = window.peek()
      problem.value = undefined
      const { returned } = app.router.places
      const place = returned?.list
      const leftAt = typeof place === 'object' ? place.id : place
      const wantedId = typeof leftAt === 'number' ? leftAt : (nearId ?? linkedId)
      const isLoaded =
        wantedId === undefined ? messages.length > 0 : messages.some(({ id }) => id === wantedId)
      // Rows that are there stay where they are.
      if (place && isLoaded) scroll.current?.returnTo(place)
      if (!isLoaded || isStale) {
        const present = await app.loader.open(narrow, leftAt ?? openingAnchor(narrow, nearId), linkedId)
        if (present !== narrow) return app.moves.redirect(present, nearId)
      }
      firstUnreadId.value = isResults ? undefined : window.peek().messages.find(isUnread)?.id
      if (place) scroll.current?.returnTo(place)
      else scroll.current?.openAt(nearId ?? firstUnreadId.value)
    }
    begin()
      .catch(fail)
      .finally(() => (isBeginning.current = false))
    return hide
  }, [key, nearId, opening, attempt.value])

  const { isStale } = window.value
  const isConnected = useComputed(() => app.live.status.value.phase === 'connected').value
  useEffect(() => {
    if (!isConnected) return
    if (problem.peek() !== undefined) attempt.value++
    else if (isStale && !isBeginning.current) renew().catch(fail)
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

  useHandle('list', () => ({
    place: () => scroll.current?.place(),
    visibleIds: () => scroll.current?.visibleIds() ?? [],
  }))

  const { messages } = window.value
  const pending = app.outbox.shownIn(narrow, messages, app.ownId)
  useLayoutEffect(() => scroll.current?.afterChange(), [messages, pending.length])
  // People see what they have just sent, wherever they were reading.
  const newestId = pending.at(-1)?.localId
  useEffect(() => {
    if (newestId === undefined) return
    const shown = window.peek()
    if (shown.hasNewest || shown.isStale) toBottom()
    else void open('newest').then(toBottom, () => undefined)
  }, [newestId])

  const toNewest = () => {
    if (window.peek().hasNewest) toBottom()
    else open('newest').then(toBottom, fail)
  }
  const toUnread = (id: number) => {
    const show = () => {
      firstUnreadId.value = id
      scroll.current?.openAt(id)
    }
    if (window.peek().messages.some((one) => one.id === id)) show()
    else open(id).then(show, fail)
  }
  const retry = () => attempt.value++
  return {
    window: window.value,
    pending,
    list,
    firstUnreadId,
    problem,
    topId,
    isAway,
    toNewest,
    toUnread,
    retry,
  }
}

export const isUnread = ({ flags }: Message) => !flags.includes('read')

function unreadOf(messages: readonly Message[], ids: ReadonlySet<number>): number[] {
  return messages.filter((message) => ids.has(message.id) && isUnread(message)).map(({ id }) => id)
}

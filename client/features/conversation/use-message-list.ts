/** The behaviour of a list of messages: it loads its window, follows the scroll, and counts what was on the screen as read. */

import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../../packages/client/src/index.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { type App, useApp } from '../../app/app.ts'
import { Network } from '../../app/network.ts'
import type { ListPlace } from '../../app/places.ts'
import { readsOnScreen } from '../../store/derived/reads-on-screen.ts'
import type { MessageWindow } from '../../store/messages/message-window.ts'
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

/** The place at which a list opens: a message, its newest ones, or as a person left it. */
interface Opened {
  readonly at: number | ListPlace | 'newest'
}

/** Shared by the parts of the behaviour. */
interface ListParts {
  readonly app: App
  readonly shown: ShownList
  readonly window: ReadonlySignal<MessageWindow>
  readonly scroll: RefObject<ListScroll | null>
  readonly firstUnreadId: Signal<number | undefined>
  readonly opened: Signal<Opened | undefined>
  readonly problem: Signal<unknown>
  readonly open: (at: Anchor) => Promise<unknown>
}

export function useMessageList(shown: ShownList) {
  const app = useApp()
  const { narrow } = shown
  const parts: ListParts = {
    app,
    shown,
    window: app.messages.window(narrow),
    scroll: useRef<ListScroll>(null),
    firstUnreadId: useSignal<number | undefined>(undefined),
    opened: useSignal<Opened | undefined>(undefined),
    problem: useSignal<unknown>(undefined),
    open: (at) => app.loader.open(narrow, at),
  }
  const { window, scroll, firstUnreadId, opened, problem, open } = parts
  const retry = useOpening(parts)
  const view = useScroll(parts)
  const pending = usePending(parts)
  useOpened(parts)
  const fail = (error: unknown) => (problem.value = error)
  const toBottom = () => scroll.current?.toBottom()
  const toNewest = () => {
    if (window.peek().hasNewest) toBottom()
    else open('newest').then(toBottom, fail)
  }
  const toUnread = (id: number) => {
    const show = () => {
      firstUnreadId.value = id
      opened.value = { at: id }
    }
    if (window.peek().messages.some((one) => one.id === id)) show()
    else open(id).then(show, fail)
  }
  return { window: window.value, pending, firstUnreadId, problem, ...view, toNewest, toUnread, retry }
}

/** Loads the window once for each narrow, holds it, and loads it again after a lost connection. Returns another attempt. */
function useOpening(parts: ListParts) {
  const { app, shown, window, problem } = parts
  const { narrow, nearId, opening } = shown
  const attempt = useSignal(0)
  const isBeginning = useRef(false)
  const fail = (error: unknown) => (problem.value = error)
  useEffect(() => {
    const hide = app.messages.show(narrow)
    const left = new AbortController()
    // A topic that gets another name keeps the message that is in use, with its open menu or picker.
    const { activeId } = app.part(MessageParts)
    if (!window.peek().messages.some(({ id }) => id === activeId.peek())) activeId.value = undefined
    isBeginning.current = true
    begin(parts, left.signal)
      .catch(fail)
      .finally(() => (isBeginning.current = false))
    return () => {
      left.abort()
      hide()
    }
  }, [keyOf(narrow), nearId, opening, attempt.value])

  const { isStale } = window.value
  const isAway = app.part(Network).isAway.value
  useEffect(() => {
    if (isAway) return
    if (problem.peek() !== undefined) attempt.value++
    else if (isStale && !isBeginning.current) renew(parts).catch(fail)
  }, [isStale, isAway])
  return () => void attempt.value++
}

/** Loads the window where it is not, and shows it at its message, where it was left, or at what is unread. */
async function begin(parts: ListParts, left: AbortSignal) {
  const { app, shown, window, scroll, firstUnreadId, opened, problem } = parts
  const { narrow, nearId, linkedId, isResults } = shown
  const { messages, hasNewest, isStale } = window.peek()
  problem.value = undefined
  const { returned } = app.router.places
  const place = returned?.list
  const leftAt = typeof place === 'object' ? place.id : place
  const wantedId = typeof leftAt === 'number' ? leftAt : (nearId ?? linkedId)
  // Without a message it opens at what is unread, or at its end: a part that a link led to may have neither.
  const isLoaded =
    wantedId === undefined
      ? messages.length > 0 && (hasNewest || messages.some(isUnread))
      : messages.some(({ id }) => id === wantedId)
  // Rows that are there stay where they are.
  if (place && isLoaded) scroll.current?.openAt(place)
  if (!isLoaded || isStale) {
    const present = await app.loader
      .open(narrow, leftAt ?? openingAnchor(narrow, nearId), linkedId)
      .catch((error: unknown) => {
        // Without a connection those that are there can be read.
        if (error instanceof ApiError || !isLoaded) throw error
        return narrow
      })
    if (left.aborted) return
    if (present !== narrow) return app.moves.redirect(present, nearId)
  }
  firstUnreadId.value = isResults ? undefined : window.peek().messages.find(isUnread)?.id
  opened.value = { at: place ?? nearId ?? firstUnreadId.value ?? 'newest' }
  if (!place && nearId !== undefined)
    void import('./mark-found.ts').then(
      ({ markFound }) => markFound(app, nearId, left),
      () => undefined, // Without its mark the message is still shown.
    )
}

/** Loads a window again that may lack events. */
async function renew({ app, shown: { narrow }, window, scroll, open }: ListParts) {
  const topId = scroll.current?.topId()
  await open(topId ?? 'newest')
  if (topId === undefined || window.peek().messages.length > 0) return
  // The conversation has gone elsewhere while the page got no events.
  const present = await app.loader.open(narrow, topId, topId)
  const [from, to] = [topicOf(narrow), topicOf(present)]
  if (from && to && present !== narrow) app.moves.follow(from, to)
}

/** Follows the scroll: loads what comes next, and counts what was on the screen as read. */
function useScroll({ app, shown, window, scroll }: ListParts) {
  const { narrow, isResults } = shown
  const list = useRef<HTMLDivElement>(null)
  const topId = useSignal<number | undefined>(undefined)
  const isAway = useSignal(false)
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
  }, [keyOf(narrow)])
  useHandle('list', () => ({
    place: () => scroll.current?.place(),
    visibleIds: () => scroll.current?.visibleIds() ?? [],
  }))
  return { list, topId, isAway }
}

/** The user's messages on their way: people see what they have just sent, wherever they were reading. */
function usePending({ app, shown, window, scroll, open }: ListParts) {
  const { messages } = window.value
  const pending = app.outbox.shownIn(shown.narrow, messages, app.ownId)
  useLayoutEffect(() => scroll.current?.afterChange(), [messages, pending.length])
  const newestId = pending.at(-1)?.localId
  useEffect(() => {
    if (newestId === undefined) return
    const { hasNewest, isStale } = window.peek()
    const toBottom = () => scroll.current?.toBottom()
    if (hasNewest || isStale) toBottom()
    else void open('newest').then(toBottom, () => undefined)
  }, [newestId])
  return pending
}

/** Scrolls once the rows are drawn: the messages of a list may be there before them. */
function useOpened({ scroll, opened }: ListParts) {
  const now = opened.value
  useLayoutEffect(() => {
    if (now) scroll.current?.openAt(now.at)
  }, [now])
}

export const isUnread = ({ flags }: Message) => !flags.includes('read')

function unreadOf(messages: readonly Message[], ids: ReadonlySet<number>): number[] {
  return messages.filter((message) => ids.has(message.id) && isUnread(message)).map(({ id }) => id)
}

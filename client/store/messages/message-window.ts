/** A window: messages of a narrow without a gap between the first and the last. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { Narrow } from '../narrows/narrow.ts'

/** The loaded messages of a narrow, ascending by id. */
export interface MessageWindow {
  readonly narrow: Narrow
  readonly messages: readonly Message[]
  /** Whether nothing older exists. */
  readonly hasOldest: boolean
  /** Whether nothing newer exists: then events continue the window. */
  readonly hasNewest: boolean
  /** Whether messages may be missing inside, for example moved ones that were not loaded: then load it anew. */
  readonly isStale: boolean
}

/** A page of messages, as the server sends it. */
export interface Page {
  readonly messages: readonly Message[]
  readonly found_oldest?: boolean
  readonly found_newest?: boolean
}

export function emptyWindow(narrow: Narrow): MessageWindow {
  return { narrow, messages: [], hasOldest: false, hasNewest: false, isStale: false }
}

/** A window that consists of a page. */
export function windowOf(narrow: Narrow, page: Page): MessageWindow {
  const { messages, found_oldest: hasOldest = false, found_newest: hasNewest = false } = page
  return { narrow, messages, hasOldest, hasNewest, isStale: false }
}

/** The window with an adjacent page before it. */
export function addOlder(window: MessageWindow, page: Page): MessageWindow {
  const firstId = window.messages[0]?.id ?? Number.POSITIVE_INFINITY
  const older = page.messages.filter(({ id }) => id < firstId)
  return { ...window, messages: [...older, ...window.messages], hasOldest: page.found_oldest === true }
}

/** The window with an adjacent page after it. */
export function addNewer(window: MessageWindow, page: Page): MessageWindow {
  const lastId = window.messages.at(-1)?.id ?? 0
  const newer = page.messages.filter(({ id }) => id > lastId)
  return { ...window, messages: [...window.messages, ...newer], hasNewest: page.found_newest === true }
}

/** The window with a message that belongs to it, in its place; the same object if its place is not loaded. */
export function placeMessage(window: MessageWindow, message: Message): MessageWindow {
  const { messages } = window
  const index = findPlace(messages, message.id)
  if (messages[index]?.id === message.id) {
    return messages[index] === message ? window : { ...window, messages: messages.with(index, message) }
  }
  if (!covers(window, message.id)) return window
  return { ...window, messages: messages.toSpliced(index, 0, message) }
}

/** The window without some messages. */
export function removeMessages(window: MessageWindow, ids: ReadonlySet<number>): MessageWindow {
  const left = window.messages.filter(({ id }) => !ids.has(id))
  return left.length === window.messages.length ? window : { ...window, messages: left }
}

/** Whether a message with this id would be in the window, if it belonged to the narrow. */
export function covers({ messages, hasOldest, hasNewest }: MessageWindow, id: number): boolean {
  const [first, last] = [messages[0], messages.at(-1)]
  if (!first || !last) return hasOldest && hasNewest
  return (hasOldest || id > first.id) && (hasNewest || id < last.id)
}

/** At most so many messages: the others are dropped at one end, and can be loaded again. */
export function trim(window: MessageWindow, countMax: number, end: 'oldest' | 'newest'): MessageWindow {
  if (window.messages.length <= countMax) return window
  return end === 'oldest'
    ? { ...window, messages: window.messages.slice(-countMax), hasOldest: false }
    : { ...window, messages: window.messages.slice(0, countMax), hasNewest: false }
}

/** The index of a message, or where it belongs. */
export function findPlace(messages: readonly Message[], id: number): number {
  let [low, high] = [0, messages.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((messages[middle] as Message).id < id) low = middle + 1
    else high = middle
  }
  return low
}

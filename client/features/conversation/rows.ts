/** The rows of a message list: messages, with the days, the unread line and the places between them. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'

/** Messages of one sender within this time share a head. */
const HEAD_SECONDS_MAX = 600

export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly timestamp: number }
  | { readonly kind: 'unread'; readonly key: string }
  /** The place of the messages below, in lists of several conversations. */
  | { readonly kind: 'place'; readonly key: string; readonly message: Message }
  | { readonly kind: 'message'; readonly key: string; readonly message: Message; readonly hasHead: boolean }

export interface RowOptions {
  /** The line is above the first of them; undefined without one. */
  readonly firstUnreadId: number | undefined
  /** Whether the list has messages of several conversations. */
  readonly isMixed: boolean
  /** Whether they lie apart, as results of a search: each has its place. */
  readonly isSparse?: boolean
}

/** The rows of messages in ascending order. */
export function rowsOf(
  messages: readonly Message[],
  { firstUnreadId, isMixed, isSparse = false }: RowOptions,
): Row[] {
  const rows: Row[] = []
  let before: Message | undefined
  for (const message of messages) {
    const isOtherDay = !before || dayOf(before.timestamp) !== dayOf(message.timestamp)
    const isOtherPlace = isMixed && (isSparse || !before || placeOf(before) !== placeOf(message))
    const isFirstUnread =
      firstUnreadId !== undefined && message.id >= firstUnreadId && (before?.id ?? 0) < firstUnreadId
    if (isOtherDay)
      rows.push({ kind: 'day', key: `day-${dayOf(message.timestamp)}`, timestamp: message.timestamp })
    if (isOtherPlace) rows.push({ kind: 'place', key: `place-${message.id}`, message })
    if (isFirstUnread) rows.push({ kind: 'unread', key: 'unread' })
    const hasHead = isOtherDay || isOtherPlace || isFirstUnread || !before || !follows(message, before)
    rows.push({ kind: 'message', key: `message-${message.id}`, message, hasHead })
    before = message
  }
  return rows
}

function follows(message: Message, before: Message): boolean {
  return (
    message.sender_id === before.sender_id &&
    !message.is_me_message &&
    !before.is_me_message &&
    message.timestamp - before.timestamp < HEAD_SECONDS_MAX
  )
}

/** Equal for messages of one conversation. */
function placeOf(message: Message): string {
  return message.type === 'stream'
    ? `${message.stream_id}/${topicKey(message.subject)}`
    : `dm/${message.recipient_id}`
}

/** The day of a time in the time zone of the browser. */
function dayOf(timestamp: number): string {
  return new Date(timestamp * 1000).toDateString()
}

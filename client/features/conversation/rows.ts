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

/** The part of a message that decides where it stands: messages on their way have no more. */
export interface Written {
  readonly sender_id: number
  readonly timestamp: number
  readonly is_me_message: boolean
  /** Equal for messages of one conversation. */
  readonly place: string
}

/** The rows of messages in ascending order. */
export function rowsOf(
  messages: readonly Message[],
  { firstUnreadId, isMixed, isSparse = false }: RowOptions,
): Row[] {
  const rows: Row[] = []
  let before: Message | undefined
  for (const message of messages) {
    const isOtherDay = isOnOtherDay(message, before)
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

/** The rows of messages on their way, below the last message: the same that they will have. */
export function rowsAfter(
  last: Message | undefined,
  pending: readonly Written[],
  isMixed: boolean,
): readonly { readonly hasDay: boolean; readonly hasPlace: boolean; readonly hasHead: boolean }[] {
  let before: Written | undefined = last && { ...last, place: placeOf(last) }
  return pending.map((one) => {
    const hasDay = isOnOtherDay(one, before)
    const hasPlace = isMixed && one.place !== before?.place
    const hasHead = hasDay || hasPlace || !before || !follows(one, before)
    before = one
    return { hasDay, hasPlace, hasHead }
  })
}

type Follower = Omit<Written, 'place'>

function follows(message: Follower, before: Follower): boolean {
  return (
    message.sender_id === before.sender_id &&
    !message.is_me_message &&
    !before.is_me_message &&
    message.timestamp - before.timestamp < HEAD_SECONDS_MAX
  )
}

function isOnOtherDay(message: Follower, before: Follower | undefined): boolean {
  return !before || dayOf(before.timestamp) !== dayOf(message.timestamp)
}

function placeOf(message: Message): string {
  return message.stream_id === undefined
    ? `dm/${message.recipient_id}`
    : placeOfTopic(message.stream_id, message.subject)
}

/** The place of messages in a topic, for comparison. */
export function placeOfTopic(channelId: number, topic: string): string {
  return `${channelId}/${topicKey(topic)}`
}

/** The day of a time in the time zone of the browser. */
function dayOf(timestamp: number): string {
  return new Date(timestamp * 1000).toDateString()
}

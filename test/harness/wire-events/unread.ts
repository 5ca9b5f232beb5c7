/** The unread messages of a registration. */

import type { Json } from './wire-reducer.ts'

/** Messages that are read or deleted. */
export function removeUnread(state: Json, ids: number[]): void {
  const { unread_msgs: unread } = state
  unread.mentions = unread.mentions.filter((id: number) => !ids.includes(id))
  for (const list of ['streams', 'pms', 'huddles']) {
    for (const group of unread[list]) {
      const left = group.unread_message_ids.filter((id: number) => !ids.includes(id))
      unread.count -= group.unread_message_ids.length - left.length
      group.unread_message_ids = left
    }
    unread[list] = unread[list].filter((group: Json) => group.unread_message_ids.length > 0)
  }
}

/** Adds a message; its participants exclude the reader. */
export function addUnread(state: Json, message: Json, isMentioned: boolean): void {
  const { unread_msgs: unread, user_id: ownId } = state
  unread.count++
  if (isMentioned) unread.mentions.push(message.id)
  const others: number[] =
    message.type === 'private' ? message.display_recipient.map((one: Json) => one.id) : []
  const everyone = [...others, ownId].sort((a, b) => a - b).join(',')
  const [list, matches, fresh]: [Json[], (one: Json) => boolean, Json] =
    message.type === 'stream'
      ? [
          unread.streams,
          (one) =>
            one.stream_id === message.stream_id && one.topic.toLowerCase() === message.subject.toLowerCase(),
          { stream_id: message.stream_id, topic: message.subject, unread_message_ids: [] },
        ]
      : others.length <= 1
        ? freshPair(unread, others[0] ?? ownId)
        : [
            unread.huddles,
            (one) => one.user_ids_string === everyone,
            { user_ids_string: everyone, unread_message_ids: [] },
          ]
  let group = list.find(matches)
  if (!group) list.push((group = fresh))
  group.unread_message_ids.push(message.id)
}

function freshPair(unread: Json, other: number): [Json[], (one: Json) => boolean, Json] {
  return [
    unread.pms,
    (one) => one.other_user_id === other,
    { other_user_id: other, sender_id: other, unread_message_ids: [] },
  ]
}

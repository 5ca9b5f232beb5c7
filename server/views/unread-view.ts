/** Unread messages in a registration: ids, grouped by topic and by conversation. */

import { UNREAD_MAX, type UnreadMessage } from '../../db/unread/unread.ts'
import type { UserId } from '../domain/ids.ts'
import { topicDisplayName, topicKey } from '../../packages/rules/topics.ts'
import { arrayOf, BOOLEAN, INTEGER, record, STRING, type ValueOf } from '../domain/json-schema.ts'

const UNREAD_IDS = { unread_message_ids: arrayOf(INTEGER) }

/** Schema of `viewUnread`. */
export const UNREAD_MESSAGES = record({
  count: INTEGER,
  pms: arrayOf(record({ other_user_id: INTEGER, sender_id: INTEGER, ...UNREAD_IDS })),
  streams: arrayOf(record({ stream_id: INTEGER, topic: STRING, ...UNREAD_IDS })),
  huddles: arrayOf(record({ user_ids_string: STRING, ...UNREAD_IDS })),
  mentions: arrayOf(INTEGER),
  old_unreads_missing: BOOLEAN,
})

/** The field `unread_msgs`; messages are ascending. */
export function viewUnread(
  unread: readonly UnreadMessage[],
  ownId: UserId,
  allowEmptyTopic: boolean,
): ValueOf<typeof UNREAD_MESSAGES> {
  const streams = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>()
  const pms = new Map<number, { other_user_id: number; sender_id: number; unread_message_ids: number[] }>()
  const huddles = new Map<string, { user_ids_string: string; unread_message_ids: number[] }>()
  for (const { id, channelId, topic, userIds } of unread) {
    if (channelId !== null) {
      const name = allowEmptyTopic ? topic : topicDisplayName(topic)
      const empty = { stream_id: channelId, topic: name, unread_message_ids: [] }
      groupOf(streams, `${channelId}/${topicKey(topic)}`, empty).push(id)
    } else if ((userIds?.length ?? 0) <= 2) {
      const other = userIds?.find((one) => one !== ownId) ?? ownId
      groupOf(pms, other, { other_user_id: other, sender_id: other, unread_message_ids: [] }).push(id)
    } else {
      const key = userIds?.join(',') ?? ''
      groupOf(huddles, key, { user_ids_string: key, unread_message_ids: [] }).push(id)
    }
  }
  return {
    count: unread.length,
    pms: [...pms.values()],
    streams: [...streams.values()],
    huddles: [...huddles.values()],
    mentions: unread.filter(({ isMentioned }) => isMentioned).map(({ id }) => id),
    old_unreads_missing: unread.length === UNREAD_MAX,
  }
}

function groupOf<Key, Group extends { unread_message_ids: number[] }>(
  groups: Map<Key, Group>,
  key: Key,
  empty: Group,
): number[] {
  const group = groups.get(key) ?? empty
  groups.set(key, group)
  return group.unread_message_ids
}

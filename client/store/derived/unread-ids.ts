/** Ids of unread messages, to mark them as read and to take that back. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { State } from '../apply.ts'
import type { Narrow } from '../narrows/narrow.ts'

/** All that the state has, also in muted places. */
export function allUnreadIds({ unread_msgs: unread }: State): readonly number[] {
  const groups = [...(unread?.streams ?? []), ...(unread?.pms ?? []), ...(unread?.huddles ?? [])]
  return groups.flatMap(({ unread_message_ids: ids }) => ids)
}

/** Unread messages of a channel, a topic or a direct conversation; none of other narrows. */
export function unreadIdsOf(state: State, narrow: Narrow): readonly number[] {
  const [first, second, ...others] = narrow
  if (!first || others.length > 0 || narrow.some(({ isNegated }) => isNegated)) return []
  if (first.operator === 'dm' && !second) return unreadIdsOfDirect(state, first.operand)
  if (first.operator !== 'channel' || typeof first.operand !== 'number') return []
  if (!second) return unreadIdsOfChannel(state, first.operand)
  if (second.operator !== 'topic') return []
  const topic = topicKey(second.operand)
  const found = state.unread_msgs?.streams.find(
    (one) => one.stream_id === first.operand && topicKey(one.topic) === topic,
  )
  return found?.unread_message_ids ?? []
}

/** Unread messages of a channel, also in muted topics. */
export function unreadIdsOfChannel({ unread_msgs: unread }: State, channelId: number): readonly number[] {
  return (unread?.streams ?? [])
    .filter(({ stream_id }) => stream_id === channelId)
    .flatMap(({ unread_message_ids: ids }) => ids)
}

/** Unread messages of a direct conversation. */
export function unreadIdsOfDirect(state: State, otherIds: readonly number[]): readonly number[] {
  const { unread_msgs: unread, user_id: ownId = 0 } = state
  if (otherIds.length <= 1) {
    const otherId = otherIds[0] ?? ownId
    return unread?.pms.find((one) => one.other_user_id === otherId)?.unread_message_ids ?? []
  }
  const everyone = [...otherIds, ownId].sort((a, b) => a - b).join(',')
  return unread?.huddles.find((one) => one.user_ids_string === everyone)?.unread_message_ids ?? []
}

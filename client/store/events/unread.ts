/** The unread messages of a registration. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { UnreadMessages } from '../../../packages/client/src/wire-types.ts'

/** The place of a message: a topic, or the other people of a direct conversation. */
export type Place =
  | { readonly channelId: number; readonly topic: string }
  | { readonly otherIds: readonly number[] }

interface Group {
  readonly unread_message_ids: readonly number[]
}

/** Without messages that were read, deleted or moved. */
export function removeUnread(unread: UnreadMessages, ids: Iterable<number>): UnreadMessages {
  const gone = new Set(ids)
  let removed = 0
  const shrink = <One extends Group>(groups: readonly One[]): readonly One[] => {
    let isChanged = false
    const left = groups.flatMap((group) => {
      const others = group.unread_message_ids.filter((id) => !gone.has(id))
      if (others.length === group.unread_message_ids.length) return group
      isChanged = true
      removed += group.unread_message_ids.length - others.length
      return others.length === 0 ? [] : { ...group, unread_message_ids: others }
    })
    return isChanged ? left : groups
  }
  const [streams, pms, huddles] = [shrink(unread.streams), shrink(unread.pms), shrink(unread.huddles)]
  const mentions = unread.mentions.some((id) => gone.has(id))
    ? unread.mentions.filter((id) => !gone.has(id))
    : unread.mentions
  if (removed === 0 && mentions === unread.mentions) return unread
  return { ...unread, count: unread.count - removed, streams, pms, huddles, mentions }
}

interface Added {
  readonly id: number
  readonly place: Place
  readonly isMentioned: boolean
}

/** With one more message. */
export function addUnread(
  unread: UnreadMessages,
  { id, place, isMentioned }: Added,
  ownId: number,
): UnreadMessages {
  const counted = {
    ...unread,
    count: unread.count + 1,
    mentions: isMentioned ? [...unread.mentions, id] : unread.mentions,
  }
  if ('topic' in place) {
    const topic = topicKey(place.topic)
    const isTopic = (one: UnreadMessages['streams'][number]) =>
      one.stream_id === place.channelId && topicKey(one.topic) === topic
    const fresh = { stream_id: place.channelId, topic: place.topic, unread_message_ids: [] }
    return { ...counted, streams: addTo(unread.streams, isTopic, fresh, id) }
  }
  if (place.otherIds.length <= 1) {
    const other = place.otherIds[0] ?? ownId
    const fresh = { other_user_id: other, sender_id: other, unread_message_ids: [] }
    return { ...counted, pms: addTo(unread.pms, (one) => one.other_user_id === other, fresh, id) }
  }
  const everyone = [...place.otherIds, ownId].sort((a, b) => a - b).join(',')
  const fresh = { user_ids_string: everyone, unread_message_ids: [] }
  return { ...counted, huddles: addTo(unread.huddles, (one) => one.user_ids_string === everyone, fresh, id) }
}

function addTo<One extends Group>(
  groups: readonly One[],
  matches: (one: One) => boolean,
  fresh: One,
  id: number,
): readonly One[] {
  const index = groups.findIndex(matches)
  const group = groups[index] ?? fresh
  const grown = { ...group, unread_message_ids: [...group.unread_message_ids, id] }
  return index < 0 ? [...groups, grown] : groups.with(index, grown)
}

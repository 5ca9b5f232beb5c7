/** Recent conversations, from the loaded messages of the feed. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { otherIdsOf } from '../messages/match-narrow.ts'
import { keyOf, type Narrow, ofDirect, ofTopic } from '../narrows/narrow.ts'
import { mutedPeople } from './muted-people.ts'
import { conversationKey, isTopicMuted, unreadOf } from './unread.ts'

export interface RecentConversation {
  readonly key: string
  readonly narrow: Narrow
  readonly place:
    | { readonly channelId: number; readonly topic: string }
    | { readonly otherIds: readonly number[] }
  readonly newest: Message
  /** Senders, the last one first. */
  readonly senderIds: readonly number[]
  readonly unreadCount: number
  readonly isMuted: boolean
  /** Whether the user wrote in it, as far as it is loaded. */
  readonly hasOwn: boolean
}

/** Faces beside a conversation. */
const SENDERS_MAX = 4

/** Conversations of ascending messages, the last active one first. */
export function recentConversations(
  state: State,
  messages: readonly Message[],
): readonly RecentConversation[] {
  const ownId = state.user_id ?? 0
  const groups = new Map<string, Message[]>()
  for (const message of messages.toReversed()) {
    const key = keyOf(narrowOf(message, ownId))
    const group = groups.get(key)
    if (group) group.push(message)
    else groups.set(key, [message])
  }
  return [...groups].map(([key, group]) => describe(state, key, group))
}

function describe(state: State, key: string, group: readonly Message[]): RecentConversation {
  const ownId = state.user_id ?? 0
  const newest = group[0] as Message
  const { stream_id: channelId, subject: topic } = newest
  const senderIds = [...new Set(group.map(({ sender_id }) => sender_id))]
  const base = {
    key,
    narrow: narrowOf(newest, ownId),
    newest,
    senderIds: senderIds.slice(0, SENDERS_MAX),
    hasOwn: senderIds.includes(ownId),
  }
  const unread = unreadOf(state)
  if (channelId === undefined) {
    const otherIds = otherIdsOf(newest, ownId) ?? []
    const unreadCount = unread.direct.get(conversationKey(otherIds)) ?? 0
    const isMuted = otherIds.length === 1 && mutedPeople(state).has(otherIds[0] as number)
    return { ...base, place: { otherIds }, unreadCount, isMuted, hasOwn: true }
  }
  const topics = unread.channels.get(channelId)?.topics ?? []
  const own = topics.find((one) => topicKey(one.topic) === topicKey(topic))
  return {
    ...base,
    place: { channelId, topic },
    unreadCount: own?.messageIds.length ?? 0,
    isMuted: isTopicMuted(state, channelId, topic),
  }
}

function narrowOf(message: Message, ownId: number): Narrow {
  return message.stream_id === undefined
    ? ofDirect(otherIdsOf(message, ownId) ?? [])
    : ofTopic(message.stream_id, message.subject)
}

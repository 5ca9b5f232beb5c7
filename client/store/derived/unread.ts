/** Unread messages by channel, topic and conversation, with what is muted. */

import { isTopicMuted as isMuted, TOPIC_VISIBILITIES, topicKey } from '../../../packages/rules/topics.ts'
import type { UserTopic } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { derive } from './derive.ts'

/** How visible a topic is: `inherit` follows its channel. */
export type Visibility = keyof typeof TOPIC_VISIBILITIES
const VISIBILITIES = Object.keys(TOPIC_VISIBILITIES) as Visibility[]

export interface UnreadTopic {
  readonly channelId: number
  readonly topic: string
  readonly messageIds: readonly number[]
  readonly isMuted: boolean
  readonly isFollowed: boolean
  readonly hasMention: boolean
}

/** Counts of a channel; muted topics count only in `mutedCount`. */
export interface UnreadChannel {
  readonly count: number
  readonly mutedCount: number
  readonly hasMention: boolean
  /** Newest message first. */
  readonly topics: readonly UnreadTopic[]
}

export interface Unread {
  readonly channels: ReadonlyMap<number, UnreadChannel>
  /** Counts of direct conversations by `conversationKey`. */
  readonly direct: ReadonlyMap<string, number>
  readonly mentions: number
  /** Unmuted messages in channels, and all direct ones. */
  readonly total: number
}

/** One key for each set of other people. */
export function conversationKey(otherIds: readonly number[]): string {
  return otherIds.toSorted((a, b) => a - b).join()
}

const placeKey = (channelId: number, topic: string) => `${channelId} ${topicKey(topic)}`

const policies = derive(
  (state) => [state.user_topics],
  ([topics = []]: readonly [readonly UserTopic[] | undefined]) =>
    new Map(topics.map((one) => [placeKey(one.stream_id, one.topic_name), one.visibility_policy])),
)

/** The user's policy for a topic. */
export function visibilityOf(state: State, channelId: number, topic: string): Visibility {
  return VISIBILITIES[policies(state).get(placeKey(channelId, topic)) ?? 0] ?? 'inherit'
}

const mutedChannelIds = derive(
  (state) => [state.subscriptions],
  ([subscriptions = []]) =>
    new Set(subscriptions.filter(({ is_muted }) => is_muted).map(({ stream_id }) => stream_id)),
)

/** Whether a topic is muted, by itself or by its channel. */
export function isTopicMuted(state: State, channelId: number, topic: string): boolean {
  const visibility = policies(state).get(placeKey(channelId, topic)) ?? TOPIC_VISIBILITIES.inherit
  return isMuted(visibility, mutedChannelIds(state).has(channelId))
}

/** All unread messages, counted. */
export const unreadOf = derive(
  (state) => [state.unread_msgs, policies(state), mutedChannelIds(state), state.user_id] as const,
  ([unread, visibilities, mutedIds, ownId]): Unread => {
    const mentions = new Set(unread?.mentions)
    const topics = (unread?.streams ?? []).map(({ stream_id, topic, unread_message_ids }): UnreadTopic => {
      const visibility = visibilities.get(placeKey(stream_id, topic)) ?? TOPIC_VISIBILITIES.inherit
      return {
        channelId: stream_id,
        topic,
        messageIds: unread_message_ids,
        isMuted: isMuted(visibility, mutedIds.has(stream_id)),
        isFollowed: visibility === TOPIC_VISIBILITIES.followed,
        hasMention: unread_message_ids.some((id) => mentions.has(id)),
      }
    })
    const channels = new Map(
      [...Map.groupBy(topics, ({ channelId }) => channelId)].map(([id, own]) => [id, countChannel(own)]),
    )
    const pairs = (unread?.pms ?? []).map(
      ({ other_user_id: id, unread_message_ids: ids }) =>
        [conversationKey(id === ownId ? [] : [id]), ids.length] as const,
    )
    const groups = (unread?.huddles ?? []).map(
      ({ user_ids_string: everyone, unread_message_ids: ids }) =>
        [conversationKey(otherIds(everyone, ownId)), ids.length] as const,
    )
    const direct = new Map([...pairs, ...groups])
    const total = sum([...channels.values()].map(({ count }) => count)) + sum([...direct.values()])
    return { channels, direct, mentions: mentions.size, total }
  },
)

function countChannel(topics: readonly UnreadTopic[]): UnreadChannel {
  const count = (own: readonly UnreadTopic[]) => sum(own.map(({ messageIds }) => messageIds.length))
  return {
    count: count(topics.filter(({ isMuted }) => !isMuted)),
    mutedCount: count(topics.filter(({ isMuted }) => isMuted)),
    hasMention: topics.some(({ hasMention }) => hasMention),
    topics: topics.toSorted((a, b) => (b.messageIds.at(-1) ?? 0) - (a.messageIds.at(-1) ?? 0)),
  }
}

function otherIds(userIds: string, ownId: number | undefined): number[] {
  return userIds
    .split(',')
    .map(Number)
    .filter((id) => id !== ownId)
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0)
}

/** The Inbox: unread conversations, first those with people, then by channel. */

import { type Narrow, ofDirect, ofTopic } from '../narrows/narrow.ts'
import type { State } from '../apply.ts'
import { type Calls, callsOf } from './calls.ts'
import { derive } from './derive.ts'
import { type DirectConversation, directConversations } from './direct-conversations.ts'
import { type UnreadTopic, unreadOf } from './unread.ts'

/** The group of direct messages; those of channels have their ids. */
const DIRECT = 'direct'

export interface InboxLine {
  /** Unique in its group. */
  readonly key: string
  readonly narrow: Narrow
  readonly place:
    | { readonly channelId: number; readonly topic: string }
    | { readonly otherIds: readonly number[] }
  readonly newestId: number
  readonly count: number
  /** Whether it concerns the user: direct messages, mentions, followed topics. */
  readonly isCall: boolean
  readonly isFollowed: boolean
}

export interface InboxGroup {
  readonly key: string
  /** Undefined for direct messages. */
  readonly channelId: number | undefined
  /** Calls first, then the newest. */
  readonly lines: readonly InboxLine[]
  readonly count: number
}

export const INBOX_FILTERS = ['all', 'calls', 'followed'] as const
export type InboxFilter = (typeof INBOX_FILTERS)[number]

/** All groups; muted topics are in none. */
export const inboxGroups = derive(
  (state) => [unreadOf(state), directConversations(state), callsOf(state)] as const,
  ([unread, directs, calls]): readonly InboxGroup[] => {
    const direct = toGroup(DIRECT, undefined, directLines(directs))
    const channels = [...unread.channels]
      .map(([id, { topics }]) => toGroup(String(id), id, topicLines(topics, calls)))
      .sort((a, b) => newestOf(b) - newestOf(a))
    return [direct, ...channels].filter(({ lines }) => lines.length > 0)
  },
)

/** The groups with the lines of a filter. */
export function filterGroups(groups: readonly InboxGroup[], filter: InboxFilter): readonly InboxGroup[] {
  if (filter === 'all') return groups
  const isShown = (line: InboxLine) => (filter === 'calls' ? line.isCall : line.isFollowed)
  return groups
    .map(({ key, channelId, lines }) => toGroup(key, channelId, lines.filter(isShown)))
    .filter(({ lines }) => lines.length > 0)
}

/** Messages of each filter. */
export function countFilters(state: State): Record<InboxFilter, number> {
  const groups = inboxGroups(state)
  const followed = filterGroups(groups, 'followed').reduce((sum, { count }) => sum + count, 0)
  return { all: unreadOf(state).total, calls: callsOf(state).total, followed }
}

function toGroup(key: string, channelId: number | undefined, lines: readonly InboxLine[]): InboxGroup {
  return { key, channelId, lines, count: lines.reduce((sum, { count }) => sum + count, 0) }
}

function directLines(directs: readonly DirectConversation[]): InboxLine[] {
  return directs
    .filter(({ unreadCount }) => unreadCount > 0)
    .map(({ otherIds, newestId, unreadCount }) => ({
      key: otherIds.join(),
      narrow: ofDirect(otherIds),
      place: { otherIds },
      newestId,
      count: unreadCount,
      isCall: true,
      isFollowed: false,
    }))
}

function topicLines(topics: readonly UnreadTopic[], calls: Calls): InboxLine[] {
  const lines = topics
    .filter(({ isMuted }) => !isMuted)
    .map((one) => ({ ...one, isCall: calls.topics.has(one) }))
    .map(({ channelId, topic, messageIds, isCall, isFollowed }) => ({
      key: topic,
      narrow: ofTopic(channelId, topic),
      place: { channelId, topic },
      newestId: messageIds.at(-1) ?? 0,
      count: messageIds.length,
      isCall,
      isFollowed,
    }))
  return [...lines.filter(({ isCall }) => isCall), ...lines.filter(({ isCall }) => !isCall)]
}

function newestOf({ lines }: InboxGroup): number {
  return lines.reduce((newest, { newestId }) => Math.max(newest, newestId), 0)
}

/** Selects the rows of the sidebar, which shows few of many: the rest is one row away. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { Calls } from '../../store/derived/calls.ts'
import type { DirectConversation } from '../../store/derived/direct-conversations.ts'
import type { UnreadTopic } from '../../store/derived/unread.ts'
import type { Route } from '../../store/narrows/route.ts'

/** Topics with unread messages below the open channel. */
const TOPICS_SHOWN_MAX = 4
/** Direct conversations. */
const DIRECTS_SHOWN_MAX = 8

/** The channel of the view, and its topic, if it shows one. */
export interface OpenPlace {
  readonly channelId: number
  readonly topic: string | undefined
}

export function openPlace(route: Route): OpenPlace | undefined {
  if (route.view === 'topics') return { channelId: Number(route.path[0]), topic: undefined }
  if (route.view !== 'narrow') return undefined
  const channel = route.narrow.find(({ operator }) => operator === 'channel')
  const topic = route.narrow.find(({ operator }) => operator === 'topic')
  if (typeof channel?.operand !== 'number') return undefined
  return { channelId: channel.operand, topic: topic?.operator === 'topic' ? topic.operand : undefined }
}

export interface ShownTopic {
  readonly topic: string
  readonly count: number
  readonly calls: number
}

interface ShownTopics {
  readonly shown: readonly ShownTopic[]
  /** Counts of the unread topics that are left out. */
  readonly rest: { readonly count: number; readonly calls: number }
}

interface TopicsAround {
  readonly open: string | undefined
  /** The keys of the topics that were shown before. */
  readonly before: readonly string[]
  /** The oldest pin first. */
  readonly pinned: readonly string[]
}

/**
 * The pinned topics, the open one and the newest unread ones, those that concern the user first. Topics that were shown
 * `before` keep their order, so that no row moves away from the pointer.
 */
export function shownTopics(
  unread: readonly UnreadTopic[],
  calls: Calls,
  { open, before, pinned }: TopicsAround,
): ShownTopics {
  const pins = pinned.slice(0, TOPICS_SHOWN_MAX).map(topicKey)
  const all = unread
    .filter(({ isMuted }) => !isMuted)
    .map((one) => ({ topic: one.topic, count: one.messageIds.length, calls: calls.topics.get(one) ?? 0 }))
  const isOpen = ({ topic }: ShownTopic) => open !== undefined && topicKey(topic) === topicKey(open)
  const pinRank = ({ topic }: ShownTopic) => {
    const rank = pins.indexOf(topicKey(topic))
    return rank < 0 ? pins.length : rank
  }
  const others = all
    .filter((one) => !isOpen(one) && pinRank(one) === pins.length)
    .sort((a, b) => Number(b.calls > 0) - Number(a.calls > 0))
  const opened = open === undefined ? [] : [all.find(isOpen) ?? { topic: open, count: 0, calls: 0 }]
  const pinnedRows = pinned.slice(0, pins.length).map((topic) => {
    return all.find((one) => topicKey(one.topic) === topicKey(topic)) ?? { topic, count: 0, calls: 0 }
  })
  const rankOf = ({ topic }: ShownTopic) => {
    const rank = before.indexOf(topicKey(topic))
    return rank < 0 ? before.length : rank
  }
  const shown = [
    ...opened,
    ...pinnedRows.filter((one) => !isOpen(one)),
    ...others.slice(0, TOPICS_SHOWN_MAX - opened.length),
  ]
  const left = others.slice(TOPICS_SHOWN_MAX - opened.length)
  const sum = (of: (one: ShownTopic) => number) => left.reduce((all, one) => all + of(one), 0)
  return {
    shown: shown.sort((a, b) => pinRank(a) - pinRank(b) || rankOf(a) - rankOf(b)),
    rest: { count: sum(({ count }) => count), calls: sum(({ calls }) => calls) },
  }
}

/** Whether a conversation is open, and was unread when it was opened: then it keeps its place while it is read. */
export interface OpenDirect {
  readonly key: string
  readonly wasUnread: boolean
}

/** Unread conversations first, each part with the newest first; the open one is always among those that are shown. */
export function shownDirects(
  conversations: readonly DirectConversation[],
  open: OpenDirect | undefined,
): { readonly shown: readonly DirectConversation[]; readonly rest: readonly DirectConversation[] } {
  const isOpen = ({ otherIds }: DirectConversation) => otherIds.join() === open?.key
  const isFirst = (one: DirectConversation) =>
    one.unreadCount > 0 || (isOpen(one) && open?.wasUnread === true)
  const sorted = conversations.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
  const index = sorted.findIndex(isOpen)
  const last = sorted[index]
  if (last && index >= DIRECTS_SHOWN_MAX) {
    sorted.splice(index, 1)
    sorted.splice(DIRECTS_SHOWN_MAX - 1, 0, last)
  }
  return { shown: sorted.slice(0, DIRECTS_SHOWN_MAX), rest: sorted.slice(DIRECTS_SHOWN_MAX) }
}

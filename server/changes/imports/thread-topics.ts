/** Gives each thread one topic, whatever batch or run its replies come in. */

import {
  findImportedTopics,
  findTakenTopics,
  importKey,
  type ImportKey,
} from '../../../db/imports/imported-ids.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { topicKey } from '../../../packages/rules/topics.ts'
import type { ImportTarget } from './target.ts'
import { topicNames } from './topic-names.ts'

/** A message that belongs to a thread of a channel. */
export interface ThreadMessage {
  readonly channelId: ChannelId
  /** The key of its thread. */
  readonly thread: ImportKey
  /** The text that a new topic is named after. */
  readonly text: string
  readonly key: string
  readonly sentAt: number
}

/** The key of a thread: its first message. */
export function threadKey(origin: string, place: string, thread: string): ImportKey {
  return importKey(origin, 'thread', place, thread)
}

/** The topics of the threads of one batch. */
export interface BatchTopics {
  readonly topics: ReadonlyMap<ImportKey, string>
  /** Threads that begin in it. */
  readonly fresh: ReadonlySet<ImportKey>
  /** The topics that begin in it, as `channel/topic` with the topic's key. */
  readonly used: ReadonlySet<string>
}

export const NO_TOPICS: BatchTopics = { topics: new Map(), fresh: new Set(), used: new Set() }

/**
 * The topics of some messages' threads. A thread that came earlier has the topic that its first message has now.
 * `before` is the batch that is still being written.
 */
export async function findTopics(
  { sql }: ImportTarget,
  messages: readonly ThreadMessage[],
  before: BatchTopics,
): Promise<BatchTopics> {
  if (messages.length === 0) return NO_TOPICS
  const known = await findImportedTopics(sql, [...new Set(messages.map(({ thread }) => thread))])
  const topics = new Map<ImportKey, string>()
  const firsts = new Map<ImportKey, ThreadMessage>()
  for (const message of messages) {
    const there = known.get(message.thread)
    const begun = before.topics.get(message.thread)
    if (begun !== undefined) topics.set(message.thread, begun)
    else if (there?.channelId === message.channelId) topics.set(message.thread, there.topic)
    else if (!firsts.has(message.thread)) firsts.set(message.thread, message)
  }
  const wanted = [...firsts.values()].map((first) => ({
    ...first,
    names: topicNames(first.text, first.key, first.sentAt),
  }))
  const taken = await findTakenTopics(
    sql,
    wanted.flatMap(({ channelId, names }) => names.map((topic) => ({ channelId, topic }))),
  )
  const used = new Set<string>()
  const placeOf = (channelId: ChannelId, name: string) => `${channelId}/${topicKey(name)}`
  for (const { channelId, thread, names } of wanted) {
    const isUsed = (place: string) => used.has(place) || before.used.has(place)
    const free = (name: string) => !taken.has(`${channelId}/${name}`) && !isUsed(placeOf(channelId, name))
    const name = names.find(free) ?? (names.at(-1) as string)
    used.add(placeOf(channelId, name))
    topics.set(thread, name)
  }
  return { topics, fresh: new Set(firsts.keys()), used }
}

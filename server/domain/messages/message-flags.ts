/** A message's flags for one user, as clients get them. */

import { tabulated } from './derived.ts'
import type { UserId } from '../ids.ts'

/** Every flag by its wire name; a user's flags of a message are a sum of these. */
export const MESSAGE_FLAGS = {
  read: 1,
  starred: 2,
  collapsed: 4,
  /** Mentioned by name, or through a group. */
  mentioned: 8,
  /** Mentioned as one of all recipients. */
  stream_wildcard_mentioned: 16,
  /** Mentioned as a participant of the topic. */
  topic_wildcard_mentioned: 32,
  /** The text contained one of the user's alert words when it was sent or edited. */
  has_alert_word: 64,
  /** The message was not sent to the user, who reads it from the history. */
  historical: 128,
} as const

/** Flags that clients set; the others follow from the message. */
export const SETTABLE_FLAGS = ['read', 'starred', 'collapsed'] as const
export type SettableFlag = (typeof SETTABLE_FLAGS)[number]

/** Flags of mentions. */
export const MENTION_FLAGS =
  MESSAGE_FLAGS.mentioned | MESSAGE_FLAGS.stream_wildcard_mentioned | MESSAGE_FLAGS.topic_wildcard_mentioned

const WILDCARD_FLAGS = MESSAGE_FLAGS.stream_wildcard_mentioned | MESSAGE_FLAGS.topic_wildcard_mentioned

/** A user whom a message mentions or alerts, with the flags of how. */
export type Mention = readonly [userId: UserId, flags: number]

/** The mentions of a message. */
export interface Mentions {
  /** Ascending by user. */
  readonly mentions: readonly Mention[]
  /** Whether it mentions all of its recipients. */
  readonly isForAll: boolean
}

/** The mention flags of a message for one of its recipients. */
export function mentionFlagsOf({ mentions, isForAll }: Mentions, userId: UserId): number {
  const flags = isForAll ? MESSAGE_FLAGS.stream_wildcard_mentioned : 0
  // Most messages mention few users; for many, a binary search is fast.
  if (mentions.length === 0) return flags
  let low = 0
  let high = mentions.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const [id, own] = mentions[middle] as Mention
    if (id === userId) return flags | own
    if (id < userId) low = middle + 1
    else high = middle - 1
  }
  return flags
}

/** Whether a message was already read for a user when it was sent. */
export function isReadAtSending(
  {
    readById,
    unreadFor,
  }: { readonly readById: UserId | null; readonly unreadFor?: readonly UserId[] | undefined },
  userId: UserId,
): boolean {
  return readById === userId || unreadFor?.includes(userId) === false
}

/** The names of the flags in a sum; `wildcard_mentioned` is the older name of both wildcards. */
export const flagNames = tabulated((flags): readonly string[] => {
  const names: string[] = Object.entries(MESSAGE_FLAGS).flatMap(([name, bit]) => (flags & bit ? [name] : []))
  if (flags & WILDCARD_FLAGS) names.push('wildcard_mentioned')
  return names
})

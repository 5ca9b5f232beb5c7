/** What a message is to one user: the flags that clients are told with it. */

import { tabulated } from './derived.ts'
import type { UserId } from './ids.ts'

/** Every flag by its wire name; a user's flags of a message are the sum of some. */
export const MESSAGE_FLAGS = {
  read: 1,
  starred: 2,
  collapsed: 4,
  /** By name, or by a group. */
  mentioned: 8,
  /** By all who receive it being mentioned. */
  stream_wildcard_mentioned: 16,
  /** By all who take part in the topic being mentioned. */
  topic_wildcard_mentioned: 32,
  /** The text had a word of which the user was alerted as it was sent or edited. */
  has_alert_word: 64,
  /** It was not sent to the user, who reads it all the same. */
  historical: 128,
} as const

/** Flags that clients set; the others follow from the message. */
export const SETTABLE_FLAGS = ['read', 'starred', 'collapsed'] as const
export type SettableFlag = (typeof SETTABLE_FLAGS)[number]

/** Those by which somebody is mentioned. */
export const MENTION_FLAGS =
  MESSAGE_FLAGS.mentioned | MESSAGE_FLAGS.stream_wildcard_mentioned | MESSAGE_FLAGS.topic_wildcard_mentioned

const WILDCARD_FLAGS = MESSAGE_FLAGS.stream_wildcard_mentioned | MESSAGE_FLAGS.topic_wildcard_mentioned

/** A user that a message mentions or alerts, and how: flags. */
export type Mention = readonly [userId: UserId, flags: number]

/** Whom a message mentions. */
export interface Mentions {
  /** Ascending by user. */
  readonly mentions: readonly Mention[]
  /** Whether it mentions everyone who receives it. */
  readonly isForAll: boolean
}

/** The flags by which a message mentions a user who received it. */
export function mentionFlagsOf({ mentions, isForAll }: Mentions, userId: UserId): number {
  const flags = isForAll ? MESSAGE_FLAGS.stream_wildcard_mentioned : 0
  // Few are mentioned as a rule, and of many the search halves them.
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

/** Whether a message was read to a user as it was sent. */
export function isReadAtSending(
  {
    readById,
    unreadFor,
  }: { readonly readById: UserId | null; readonly unreadFor?: readonly UserId[] | undefined },
  userId: UserId,
): boolean {
  return readById === userId || unreadFor?.includes(userId) === false
}

/** The flags of a sum by name; `wildcard_mentioned` is the older name of both wildcards. */
export const flagNames = tabulated((flags): readonly string[] => {
  const names: string[] = Object.entries(MESSAGE_FLAGS).flatMap(([name, bit]) => (flags & bit ? [name] : []))
  if (flags & WILDCARD_FLAGS) names.push('wildcard_mentioned')
  return names
})

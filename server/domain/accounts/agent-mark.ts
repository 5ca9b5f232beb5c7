/** Agents that write with the key of a person or bot. */

import type { ChannelId, MessageId, UserId } from '../ids.ts'

/** Characters of the name that a program gives itself. */
export const PROGRAM_LENGTH_MAX = 60

/** The agent of a request. */
export interface AgentMark {
  /** The named key of the request; null for the API key of a bot. */
  readonly keyId: string | null
  /** The name that the program gives itself. */
  readonly program: string
}

/** Things that agents write. */
export const AGENT_WRITINGS = ['message', 'reaction', 'draft'] as const

/** An agent wrote something in the name of a user, together with the fact before it. */
export interface AgentWrote extends AgentMark {
  readonly type: 'agent_wrote'
  readonly userId: UserId
  readonly wrote: (typeof AGENT_WRITINGS)[number]
  /** The channel of a message or reaction; null for direct messages and drafts. */
  readonly channelId: ChannelId | null
  /** The message that got a reaction; null for others. */
  readonly messageId: MessageId | null
  /** The name of the emoji of a reaction; marks of earlier releases lack it. */
  readonly emojiName?: string
  /**
   * How many entries of the log the fact is before this one. A message or draft has the number of its entry, which
   * nobody knows before the commit. Marks of earlier releases lack it.
   */
  readonly entriesBack?: number
}

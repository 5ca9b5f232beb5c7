/** Legal holds: owners say whose messages, or which channels, are kept aside when they are deleted. */

import type { ChannelId, HoldId, UserId } from '../ids.ts'

/** A hold before its event gives it an id. It is for all, or names people, channels or both. */
export interface NewHold {
  /** Unique in any case. */
  readonly name: string
  readonly reason: string
  /** Whether it holds the whole organization. */
  readonly isForAll: boolean
  /** It holds all messages that they sent, their direct messages and their files. */
  readonly userIds: readonly UserId[]
  /** It holds all messages that are or were in them. */
  readonly channelIds: readonly ChannelId[]
  readonly placedBy: UserId
  /** In UNIX seconds. */
  readonly placedAt: number
}

export interface LegalHold extends NewHold {
  readonly id: HoldId
}

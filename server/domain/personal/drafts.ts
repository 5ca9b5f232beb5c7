/** Drafts: messages that users have begun to write, shared with their other clients. */

import type { ChannelId, DraftId, UserId } from '../ids.ts'

/** The place that a draft is for, if the user has chosen one. */
export type DraftTarget =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A draft without its id, which is the number of the event that creates it. */
export interface DraftContent {
  readonly target: DraftTarget
  /** Markdown. */
  readonly content: string
  readonly editedAt: number
}

/** A draft as stored. */
export interface Draft extends DraftContent {
  readonly id: DraftId
}

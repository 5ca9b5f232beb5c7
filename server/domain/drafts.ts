/** What users have begun to write, kept for their other clients. */

import type { ChannelId, DraftId, UserId } from './ids.ts'

/** Where a draft is to go, as far as that is known. */
export type DraftTarget =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A draft but for its id, which is the number of the event that makes it. */
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

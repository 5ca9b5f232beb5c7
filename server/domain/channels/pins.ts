/** Messages and topics that are pinned in their channel. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { MessageId, PinId, UserId } from '../ids.ts'
import { UserSet } from '../users/user-set.ts'

/** A message or a topic that is pinned. */
export type PinTarget =
  | { readonly messageId: MessageId; readonly topic: null }
  | { readonly messageId: null; readonly topic: string }

/** A new pin, whose id is the number of its event. */
export type NewPin = PinTarget & {
  readonly userId: UserId
  readonly pinnedAt: number
  /** The users who had received the message, or the one by which its topic was pinned, as text. */
  readonly receivers: string
}

export type Pin = NewPin & { readonly id: PinId }

/** A pin as clients see it. */
export type ShownPin = PinTarget & { readonly id: PinId }

/** With protected history, a user sees the pins of messages that they had received. */
export function isPinVisible({ receivers }: NewPin, userId: UserId, isHistoryPublic: boolean): boolean {
  return isHistoryPublic || UserSet.decode(receivers).has(userId)
}

export function showPin({ id, messageId, topic }: Pin): ShownPin {
  return { id, messageId, topic } as ShownPin
}

export function isSameTarget(one: PinTarget, other: PinTarget): boolean {
  if (one.messageId !== null || other.messageId !== null) return one.messageId === other.messageId
  return topicKey(one.topic) === topicKey(other.topic)
}

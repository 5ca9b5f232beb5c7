/** Notifications that wait until they are due, and for their readers to be away. */

import type { NotificationTrigger } from '../../../packages/rules/notifications.ts'
import type { GroupId, UserId } from '../ids.ts'

/** The ways that reach people who are away. */
export const AWAY_WAYS = ['push', 'mail'] as const
export type AwayWay = (typeof AWAY_WAYS)[number]

/** The same, and the call of an outgoing webhook, which waits in the same way. */
export type PendingWay = AwayWay | 'webhook'

/** A notification of one message. */
export interface PendingNotification {
  readonly way: PendingWay
  readonly userId: UserId
  readonly trigger: NotificationTrigger
  /** The group whose mention is the trigger. */
  readonly groupId: GroupId | null
  /** Seconds until it is due. */
  readonly delaySeconds: number
}

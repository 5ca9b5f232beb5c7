/** Permissions on messages: who edits, deletes and moves them, and until when. */

import type { ChannelAccess } from './channels.ts'
import type { Account, Organization, Person, Settings } from './organization.ts'
import { isGuest } from './roles.ts'

/** The part of a message that the rules ask about; times are UNIX seconds. */
export interface JudgedMessage {
  readonly senderId: number
  readonly sentAt: number
}

/** Whether the time limit of a change is over; null is no limit. */
export function isLate(
  { sentAt }: Pick<JudgedMessage, 'sentAt'>,
  limitSeconds: number | null,
  nowSeconds: number,
) {
  return limitSeconds !== null && nowSeconds - sentAt > limitSeconds
}

/** Why a user may not edit the content of a message that they may change. */
export function findEditRefusal(
  user: Person,
  message: JudgedMessage,
  settings: Settings,
  nowSeconds: number,
): 'forbidden' | 'disabled' | 'late' | undefined {
  if (user.id !== message.senderId) return 'forbidden'
  if (!settings.allowsEditing) return 'disabled'
  return isLate(message, settings.contentEditLimitSeconds, nowSeconds) ? 'late' : undefined
}

/** Whether a user may delete any message that they can change, in a channel or, without one, in a conversation. */
export function canDeleteAnyMessage<Setting>(
  user: Person,
  access: ChannelAccess<Setting> | undefined,
  { rights, permissions }: Organization<Setting>,
): boolean {
  if (isGuest(user)) return false // Even if a setting allows it.
  return (
    rights.holds(user, permissions.canDeleteAnyMessage) ||
    (access !== undefined && rights.holds(user, access.channel.permissions.canDeleteAnyMessage))
  )
}

/** A message with its sender and its channel; it is direct without one. */
export interface PlacedMessage<Setting> extends JudgedMessage {
  readonly sender: Pick<Account, 'botOwnerId'> | undefined
  readonly access: ChannelAccess<Setting> | undefined
}

/** Why a user may not delete a message that they can change. */
export function findDeletionRefusal<Setting>(
  user: Person,
  message: PlacedMessage<Setting>,
  organization: Organization<Setting>,
  nowSeconds: number,
): 'forbidden' | 'late' | undefined {
  const { senderId, sender, access } = message
  const { rights, permissions, settings } = organization
  if (canDeleteAnyMessage(user, access, organization)) return undefined
  const isOwn = senderId === user.id || sender?.botOwnerId === user.id
  const isAllowed =
    rights.holds(user, permissions.canDeleteOwnMessage) ||
    (access !== undefined && rights.holds(user, access.channel.permissions.canDeleteOwnMessage))
  if (!isOwn || !isAllowed) return 'forbidden'
  return isLate(message, settings.contentDeleteLimitSeconds, nowSeconds) ? 'late' : undefined
}

/** The most users that one wildcard mentions without a permission: the API family's limit. */
export const MENTIONED_TOGETHER_MAX = 15

/** Whether a user may mention so many people of a channel or topic at once. */
export function canMentionTogether<Setting>(
  user: Person,
  count: number,
  { rights, permissions }: Organization<Setting>,
): boolean {
  return count <= MENTIONED_TOGETHER_MAX || rights.holds(user, permissions.canMentionManyUsers)
}

/** Whether these people may talk, the writer included: one of them holds the permission, or there is no other person. */
export function canConverse<Setting>(
  user: Person,
  recipients: readonly Pick<Account, 'id' | 'role' | 'botType'>[],
  { rights, permissions }: Organization<Setting>,
): boolean {
  const permits = (one: Person) => rights.holds(one, permissions.directMessagePermission)
  // Checked first, since the writer often holds the permission.
  return permits(user) || isWithBotsOnly(user, recipients) || recipients.some(permits)
}

/** Whether there is no other person: notes to oneself, and messages to bots, need no permission. */
export function isWithBotsOnly(
  user: Person,
  recipients: readonly Pick<Account, 'id' | 'botType'>[],
): boolean {
  return recipients.every(({ id, botType }) => id === user.id || botType !== null)
}

/** The users that a sender may send direct messages to. */

import { canConverse, isWithBotsOnly } from '../../../packages/rules/messages.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { CONVERSATION_SIZE_MAX } from '../../domain/limits.ts'
import { SYSTEM_GROUPS } from '../../domain/groups/system-groups.ts'
import type { Scope } from '../scope.ts'
import { CHANNEL_TARGET_ERRORS, type SenderScope } from './channel-target.ts'

/** The errors of users in a conversation. */
export const RECIPIENT_ERRORS = [
  'RECIPIENT_ID_UNKNOWN',
  'RECIPIENT_DEACTIVATED',
  'TOO_MANY_RECIPIENTS',
  'DIRECT_MESSAGES_DISABLED',
  'DIRECT_MESSAGE_UNAUTHORIZED',
] as const

/** The errors of a place that a request names by ids: a channel or users. */
export const TARGET_ERRORS = [
  ...CHANNEL_TARGET_ERRORS,
  ...RECIPIENT_ERRORS,
  'NEW_CONVERSATION_FORBIDDEN',
] as const

/** The errors of users that a request names by id or address. */
export const NAMED_RECIPIENT_ERRORS = [
  ...RECIPIENT_ERRORS,
  'RECIPIENTS_MISSING',
  'RECIPIENT_EMAIL_UNKNOWN',
] as const

/** The users of a request, by id or address, and the sender, if they may talk. */
export function findNamedRecipients(
  scope: SenderScope<(typeof NAMED_RECIPIENT_ERRORS)[number]>,
  to: readonly (string | number)[],
): User[] {
  const { state, caller, fail } = scope
  // A lone text may be several addresses, as older clients write them.
  const given = to.length === 1 && typeof to[0] === 'string' ? to[0].split(',') : to
  const wanted = given.map((one) => (typeof one === 'string' ? one.trim() : one)).filter((one) => one !== '')
  if (wanted.length === 0) throw fail('RECIPIENTS_MISSING')
  const partners = new Map<UserId, User>([[caller.id, caller]])
  for (const one of wanted) {
    const user =
      typeof one === 'number' ? findVisibleUser(scope, one as UserId) : state.findUserByApiEmail(one, caller)
    if (!user) throw fail('RECIPIENT_EMAIL_UNKNOWN', { email: String(one) })
    partners.set(user.id, user)
  }
  const recipients = [...partners.values()]
  checkRecipients(scope, recipients)
  return recipients
}

/** The users of these ids, and the sender, if they may talk. */
export function findRecipients(
  scope: SenderScope<(typeof RECIPIENT_ERRORS)[number]>,
  ids: readonly UserId[],
): User[] {
  const { caller } = scope
  const partners = new Map<UserId, User>([[caller.id, caller]])
  for (const id of ids) partners.set(id, findVisibleUser(scope, id))
  const recipients = [...partners.values()]
  checkRecipients(scope, recipients)
  return recipients
}

function findVisibleUser({ state, caller, fail }: SenderScope<'RECIPIENT_ID_UNKNOWN'>, id: UserId): User {
  const user = state.findVisibleUser(caller, id)
  if (!user) throw fail('RECIPIENT_ID_UNKNOWN', { id })
  return user
}

/** Throws if these users, the sender included, may not talk. */
export function checkRecipients(
  { state, caller, fail }: SenderScope<(typeof RECIPIENT_ERRORS)[number]>,
  recipients: readonly User[],
): void {
  if (recipients.length > CONVERSATION_SIZE_MAX)
    throw fail('TOO_MANY_RECIPIENTS', { countMax: CONVERSATION_SIZE_MAX })
  for (const user of recipients) {
    if (!state.userVisibility.knows(caller.id, user.id)) throw fail('RECIPIENT_ID_UNKNOWN', { id: user.id })
    if (user.isActive || user.id === caller.id) continue
    throw fail('RECIPIENT_DEACTIVATED', { email: state.apiEmailOf(user) })
  }
  if (canConverse(caller, recipients, state)) return
  throw state.permissions.directMessagePermission === SYSTEM_GROUPS.nobody
    ? fail('DIRECT_MESSAGES_DISABLED')
    : fail('DIRECT_MESSAGE_UNAUTHORIZED')
}

/** Whether the sender may only use conversations that exist. */
export function needsKnownConversation(
  { state, caller }: Pick<Scope, 'state' | 'caller'>,
  recipients: readonly User[],
): boolean {
  const { directMessageInitiator } = state.permissions
  if (state.rights.holds(caller, directMessageInitiator)) return false
  return !isWithBotsOnly(caller, recipients)
}

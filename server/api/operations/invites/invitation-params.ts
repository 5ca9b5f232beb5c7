/** What an invitation says, as parameters, and whether somebody may say it. */

import { ROLES, type Role, type User } from '../../../domain/entities.ts'
import { canAddToGroup } from '../../../domain/group-access.ts'
import type { GroupSetting } from '../../../domain/group-settings.ts'
import type { ChannelId, GroupId } from '../../../domain/ids.ts'
import { findRoleToInviteAs } from '../../../domain/invitations.ts'
import {
  INVITATION_CHANNELS_MAX,
  INVITATION_GROUPS_MAX,
  INVITATION_MINUTES_MAX,
  WELCOME_MESSAGE_LENGTH_MAX,
} from '../../../domain/limits.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { canInviteToChannel } from '../../../decisions/invitations/invitable-channels.ts'
import { type ErrorName, type Fail, fail as failWith } from '../../../errors/api-error.ts'
import { findGroup } from '../../../decisions/groups/find-group.ts'
import { boolean, defaulted, id, integer, list, nullable, optional, type Type, text } from '../../params.ts'

const roles = Object.values(ROLES)

const invitedRole: Type<Role> = {
  isText: false,
  schema: { type: 'integer', enum: roles },
  check(value, name) {
    const role = integer().check(value, name) as Role
    if (roles.includes(role)) return role
    const message = `Invalid ${name}: Value error, Not in the list of possible values`
    throw failWith('PARAMETER_INVALID', { message })
  },
}

const plainWelcome = text({ lengthMax: WELCOME_MESSAGE_LENGTH_MAX })
/** A text as it is; the word by which clients send nothing is nothing. */
const welcomeType: Type<string | null> = {
  ...nullable(plainWelcome),
  isText: true,
  check: (value, name) => (value === 'null' ? null : plainWelcome.check(value, name)),
}

/** The channels that whoever joins is subscribed to. */
export const channelIdsType = list(id<ChannelId>(), { lengthMax: INVITATION_CHANNELS_MAX })

/** What all invitations say. */
export const INVITATION_PARAMS = {
  invite_expires_in_minutes: optional(
    nullable(integer({ min: 1, max: INVITATION_MINUTES_MAX })),
    'Minutes until it is over; null for never, ten days by default unless the server is set otherwise.',
  ),
  invite_as: defaulted(
    invitedRole,
    ROLES.member,
    '100 owner, for owners; 200 administrator and 300 moderator, for administrators; 400 member, 600 guest.',
  ),
  group_ids: defaulted(
    list(id<GroupId>(), { lengthMax: INVITATION_GROUPS_MAX }),
    [],
    'Groups of which whoever joins becomes a member; the caller may add members to each.',
  ),
  include_realm_default_subscriptions: defaulted(
    boolean(),
    false,
    'Whether whoever joins is subscribed to the channels that are the default then.',
  ),
  welcome_message_custom_text: defaulted(
    welcomeType,
    null,
    'For administrators, and null of others: what whoever joins is greeted with. Null for what the organization ' +
      'greets with, empty for nothing.',
  ),
}

/** How somebody may not invite. */
export const INVITER_ERRORS = [
  'BOT_REFUSED',
  'ROLE_REQUIRED',
  'PERMISSION_MISSING',
  'INVITATION_CHANNEL_UNKNOWN',
  'INVITATION_SUBSCRIBING_FORBIDDEN',
  'GROUP_UNKNOWN',
  'GROUP_DEACTIVATED',
] as const satisfies readonly ErrorName[]

/** What of an invitation somebody needs rights for. */
export interface InvitationWish {
  readonly role: Role
  readonly channelIds: readonly ChannelId[]
  readonly groupIds: readonly GroupId[]
}

/** Throws where a user may have no invitations at all. */
export function requireInviter(user: User, fail: Fail<'BOT_REFUSED' | 'ROLE_REQUIRED'>): void {
  if (user.botType !== null) throw fail('BOT_REFUSED')
  if (user.role === ROLES.guest) throw fail('ROLE_REQUIRED', { role: 'member' })
}

/** Throws unless a user may invite people by that permission, as that role, to these channels and groups. */
export function checkInvitation(
  user: User,
  permission: GroupSetting,
  { role, channelIds, groupIds }: InvitationWish,
  state: OrganizationState,
  fail: Fail<(typeof INVITER_ERRORS)[number]>,
): void {
  requireInviter(user, fail)
  if (!state.rights.holds(user, permission)) throw fail('PERMISSION_MISSING')
  const missing = findRoleToInviteAs(user, role)
  if (missing) throw fail('ROLE_REQUIRED', { role: missing })
  const channels = channelIds.map((channelId) => {
    const found = state.findReadableChannel(user, channelId)
    if (!found || found.channel.isArchived) throw fail('INVITATION_CHANNEL_UNKNOWN', { id: channelId })
    return found
  })
  if (!channels.every((channel) => canInviteToChannel(user, channel, state)))
    throw fail('INVITATION_SUBSCRIBING_FORBIDDEN')
  for (const groupId of groupIds) {
    const { group } = findGroup({ state, fail }, groupId)
    if (group.isDeactivated) throw fail('GROUP_DEACTIVATED')
    if (!canAddToGroup(user, group, state)) throw fail('PERMISSION_MISSING')
  }
}

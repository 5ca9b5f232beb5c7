/** The parameters of invitations. */

import type { GivenInvitation } from '../../../decisions/invitations/change-invitations.ts'
import { ROLES, type Role } from '../../../domain/entities.ts'
import type { ChannelId, GroupId } from '../../../domain/ids.ts'
import {
  INVITATION_CHANNELS_MAX,
  INVITATION_GROUPS_MAX,
  INVITATION_MINUTES_MAX,
} from '../../../domain/limits.ts'
import { WELCOME_MESSAGE_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { fail } from '../../../errors/api-error.ts'
import {
  boolean,
  defaulted,
  id,
  integer,
  list,
  nullable,
  optional,
  type Type,
  text,
  type ValuesOf,
} from '../../params.ts'

const roles = Object.values(ROLES)

const invitedRole: Type<Role> = {
  isText: false,
  schema: { type: 'integer', enum: roles },
  check(value, name) {
    const role = integer().check(value, name) as Role
    if (roles.includes(role)) return role
    const message = `Invalid ${name}: Value error, Not in the list of possible values`
    throw fail('PARAMETER_INVALID', { message })
  },
}

const plainWelcome = text({ lengthMax: WELCOME_MESSAGE_LENGTH_MAX })
/** A text; clients send `null` for none. */
const welcomeType: Type<string | null> = {
  ...nullable(plainWelcome),
  isText: true,
  check: (value, name) => (value === 'null' ? null : plainWelcome.check(value, name)),
}

/** The channels to which new users are subscribed. */
export const channelIdsType = list(id<ChannelId>(), { lengthMax: INVITATION_CHANNELS_MAX })

/** The parameters of all invitations. */
export const INVITATION_PARAMS = {
  invite_expires_in_minutes: optional(
    nullable(integer({ min: 1, max: INVITATION_MINUTES_MAX })),
    'Lifetime in minutes; null for ever. The default is ten days, unless the server is configured otherwise.',
  ),
  invite_as: defaulted(
    invitedRole,
    ROLES.member,
    'The role: 100 owner, for owners; 200 administrator and 300 moderator, for administrators; 400 member, 600 guest.',
  ),
  group_ids: defaulted(
    list(id<GroupId>(), { lengthMax: INVITATION_GROUPS_MAX }),
    [],
    'Groups that new users join; the caller needs the permission to add members to each.',
  ),
  include_realm_default_subscriptions: defaulted(
    boolean(),
    false,
    'Whether new users are subscribed to the default channels of that time.',
  ),
  welcome_message_custom_text: defaulted(
    welcomeType,
    null,
    'The welcome message of new users; must be null unless the caller is an administrator. Null for the one of ' +
      'the organization, empty for none.',
  ),
}

/** The invitation that a request describes. */
export function readInvitationParams(
  params: ValuesOf<typeof INVITATION_PARAMS> & { readonly stream_ids: readonly ChannelId[] },
  { invitationMinutes }: { readonly invitationMinutes: number },
): GivenInvitation {
  return {
    role: params.invite_as,
    channelIds: [...new Set(params.stream_ids)],
    groupIds: [...new Set(params.group_ids)],
    hasDefaultChannels: params.include_realm_default_subscriptions,
    welcomeText: params.welcome_message_custom_text,
    lifetimeMinutes:
      params.invite_expires_in_minutes === undefined ? invitationMinutes : params.invite_expires_in_minutes,
  }
}

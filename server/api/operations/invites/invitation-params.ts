/** An invitation as parameters. */

import { ROLES, type Role } from '../../../domain/entities.ts'
import type { ChannelId, GroupId } from '../../../domain/ids.ts'
import {
  INVITATION_CHANNELS_MAX,
  INVITATION_GROUPS_MAX,
  INVITATION_MINUTES_MAX,
  WELCOME_MESSAGE_LENGTH_MAX,
} from '../../../domain/limits.ts'
import { fail } from '../../../errors/api-error.ts'
import { boolean, defaulted, id, integer, list, nullable, optional, type Type, text } from '../../params.ts'

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
/** A text; clients send `null` as a word for none. */
const welcomeType: Type<string | null> = {
  ...nullable(plainWelcome),
  isText: true,
  check: (value, name) => (value === 'null' ? null : plainWelcome.check(value, name)),
}

/** The channels that people who join are subscribed to. */
export const channelIdsType = list(id<ChannelId>(), { lengthMax: INVITATION_CHANNELS_MAX })

/** The parameters of all invitations. */
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

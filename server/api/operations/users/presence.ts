/** Presence of users. */

import { nowSeconds } from '../../../domain/clock.ts'
import { readStandInAddress } from '../../../domain/users/email-addresses.ts'
import type { UserId } from '../../../domain/ids.ts'
import { isOffline } from '../../../domain/users/presence.ts'
import {
  EITHER_PRESENCES,
  USER_PRESENCE,
  viewLegacyPresence,
  viewPresence,
} from '../../../views/presence-view.ts'
import { EncodedField, operation } from '../../operation.ts'
import { BOOLEAN, INTEGER, NUMBER } from '../../../domain/json-schema.ts'
import { emailParam } from './account-params.ts'
import { findAddressedUser, findTargetUser } from '../../../decisions/users/find-users.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { boolean, defaulted, integer, oneOf, optional, required } from '../../params.ts'

/** `GET /users/{user_id_or_email}/presence`. */
export const getUserPresence = operation({
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  summary: "Get a user's presence",
  description: 'The last activity of a user, by id or email address.',
  access: 'user',
  params: { user_id_or_email: emailParam },
  reply: {
    presence: {
      schema: USER_PRESENCE,
      description: 'The last activity of the user, in the current form and the legacy one.',
    },
    server_timestamp: { schema: NUMBER, description: 'UNIX seconds of the reply.' },
  },
  errors: ['USER_UNKNOWN', 'PRESENCE_OF_BOT', 'PRESENCE_MISSING'],
  events: [],
  run({ user: caller, params: { user_id_or_email: who }, services: { state, presences, clock }, fail }) {
    const scope = { state, caller, fail }
    const id = isId(who) ? (Number(who) as UserId) : undefined
    // If presence is not limited, callers may ask about users whom they do not know, by id or stand-in address.
    const watchedId = id ?? readStandInAddress(who, state.emailHost)
    const watched = state.limitsPresence || watchedId === undefined ? undefined : state.users.get(watchedId)
    const target =
      (watched?.isSystem === false ? watched : undefined) ??
      (id === undefined ? findAddressedUser(scope, who) : findTargetUser(scope, id))
    if (!target.isActive) throw fail('USER_UNKNOWN')
    if (target.botType !== null) throw fail('PRESENCE_OF_BOT')
    const presence = presences.find(target.id)
    if (!presence) throw fail('PRESENCE_MISSING', { who })
    const { website, aggregated } = viewLegacyPresence(presence)
    const status = isOffline(presence, nowSeconds(clock)) ? ('offline' as const) : aggregated.status
    return {
      presence: {
        ...viewPresence(presence, target),
        aggregated: { status, timestamp: aggregated.timestamp },
        website: { status: website.status, timestamp: website.timestamp },
      },
      server_timestamp: clock.nowMs() / 1000,
    }
  },
})

function isId(text: string): boolean {
  return /^[0-9]{1,15}$/.test(text)
}

/** `POST /users/me/presence`: reports the caller's presence, and returns that of others. */
export const reportPresence = operation({
  method: 'POST',
  path: '/users/me/presence',
  summary: 'Update your presence',
  description:
    'Reports that the caller is active or idle, and returns the users who were active in the last 14 days. ' +
    'They are listed by user id for clients that send `last_update_id` or `slim_presence`, else by email ' +
    'address. A client repeats the call once a minute. The presence of users who have disabled ' +
    '`presence_enabled` is not stored. With `presence_disabled`, the organization stores and returns none. Not ' +
    'for bots.',
  access: 'user',
  params: {
    status: required(oneOf('active', 'idle'), 'Whether the user was active lately.'),
    last_update_id: optional(
      integer(),
      'The last update that the client knows: it gets later ones. With -1, or an unknown update, it gets all.',
    ),
    history_limit_days: optional(
      integer({ min: 0 }),
      'Omits presences whose last report is older than this number of days; at most 14 days are stored.',
    ),
    new_user_input: defaulted(
      boolean(),
      false,
      'Whether the user was active since the last report; the server ignores it.',
    ),
    ping_only: defaulted(boolean(), false, 'Whether to report only.'),
    slim_presence: defaulted(boolean(), false, 'Whether presence is keyed by user id.', {
      isDeprecated: true,
    }),
  },
  reply: {
    presences: {
      schema: EITHER_PRESENCES,
      description:
        'The presences: by user id with `last_update_id` or `slim_presence`, else by email address.',
      isOptional: true,
    },
    presence_last_update_id: { schema: INTEGER, description: 'The last update.', isOptional: true },
    zephyr_mirror_active: {
      schema: BOOLEAN,
      description: 'For a bridge that no longer exists: always false.',
      isOptional: true,
    },
    server_timestamp: { schema: NUMBER, description: 'UNIX seconds of the reply.', isOptional: true },
  },
  errors: ['BOT_REFUSED'],
  events: ['presence'],
  run({ user, params, services: { presences, clock }, fail }) {
    checkPerson({ caller: user, fail })
    presences.report(user.id, params.status)
    if (params.ping_only) return {}
    const filter = {
      isLegacy: params.last_update_id === undefined && !params.slim_presence,
      sinceId: params.last_update_id,
      daysMax: params.history_limit_days,
    }
    return {
      presences: new EncodedField([presences.encode(filter, user.id)]),
      presence_last_update_id: presences.lastId,
      zephyr_mirror_active: false,
      server_timestamp: clock.nowMs() / 1000,
    }
  },
})

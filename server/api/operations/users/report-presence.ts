/** `POST /users/me/presence`: reports the caller's presence, and returns that of others. */

import { checkPerson } from '../../../decisions/check-caller.ts'
import { EncodedField, operation } from '../../operation.ts'
import { boolean, defaulted, integer, oneOf, optional, required } from '../../params.ts'
import { BOOLEAN, INTEGER, NUMBER } from '../../../domain/json-schema.ts'
import { EITHER_PRESENCES } from '../../../views/presence-view.ts'

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

/** `POST /users/me/presence`: a client reports that its user is there, and learns who else is. */

import { checkPerson } from '../../../decisions/check-caller.ts'
import { EncodedField, operation } from '../../operation.ts'
import { boolean, defaulted, integer, oneOf, optional, required } from '../../params.ts'
import { BOOLEAN, INTEGER, NUMBER, OBJECT } from '../../../domain/json-schema.ts'

export const reportPresence = operation({
  method: 'POST',
  path: '/users/me/presence',
  summary: 'Update your presence',
  description:
    'Reports that the caller is there, and answers who was there in the last 14 days: by user id to a client that ' +
    'gives `last_update_id` or asks for `slim_presence`, else by email address. A client repeats it once a minute. ' +
    'Of somebody who has turned `presence_enabled` off nothing is noted, and of nobody in an organization with ' +
    '`presence_disabled`, where nobody is answered either. Not for bots.',
  access: 'user',
  params: {
    status: required(oneOf('active', 'idle'), 'Whether the user did something lately.'),
    last_update_id: optional(
      integer(),
      'The last update the client knows: it gets those after it. With -1, or where it is no longer known, all.',
    ),
    history_limit_days: optional(
      integer({ min: 0 }),
      'Whose last report is older, in days, is left out; 14 days at most are known.',
    ),
    new_user_input: defaulted(
      boolean(),
      false,
      'Whether the user did something since the last report; nothing is made of it.',
    ),
    ping_only: defaulted(boolean(), false, 'Whether to report only.'),
    slim_presence: defaulted(boolean(), false, 'Whether presence is keyed by user id.', {
      isDeprecated: true,
    }),
  },
  reply: {
    presences: { schema: OBJECT, description: 'Who was there.', isOptional: true },
    presence_last_update_id: { schema: INTEGER, description: 'The last update.', isOptional: true },
    zephyr_mirror_active: {
      schema: BOOLEAN,
      description: 'Of a bridge that there is no more: always false.',
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

/** `GET /users/me/two_factor`. */

import { readFactors } from '../../../../db/accounts/second-factors.ts'
import { BOOLEAN, INTEGER, orNull } from '../../../domain/json-schema.ts'
import { findFactorDeadline } from '../../factor-deadline.ts'
import { operation } from '../../operation.ts'

export const getOwnFactors = operation({
  method: 'GET',
  path: '/users/me/two_factor',
  summary: 'Get own second factors',
  description: 'Only the user themselves sees these.',
  access: 'user',
  needsNoFactor: true,
  params: {},
  reply: {
    totp_enabled: { schema: BOOLEAN, description: 'Whether log-ins ask for a code of an authenticator app.' },
    recovery_codes_left: { schema: INTEGER, description: 'The number of unused recovery codes.' },
    required_from: {
      schema: orNull(INTEGER),
      description:
        'UNIX seconds from which other requests like this one are refused, since the organization requires a second ' +
        'factor and they lack one; null otherwise.',
    },
  },
  errors: [],
  events: [],
  async run({ user, visit, services: { sql, state } }) {
    const { hasTotp, codesLeft } = await readFactors(sql, user.id)
    const deadline = findFactorDeadline(state, user, visit.session)
    return { totp_enabled: hasTotp, recovery_codes_left: codesLeft, required_from: deadline ?? null }
  },
})

/** `GET /users/me/two_factor`. */

import { readFactors } from '../../../../db/second-factors.ts'
import { BOOLEAN, INTEGER } from '../../../domain/json-schema.ts'
import { operation } from '../../operation.ts'

export const getOwnFactors = operation({
  method: 'GET',
  path: '/users/me/two_factor',
  summary: 'Get own second factors',
  description: 'Only the user themselves sees these.',
  access: 'user',
  params: {},
  reply: {
    totp_enabled: { schema: BOOLEAN, description: 'Whether log-ins ask for a code of an authenticator app.' },
    recovery_codes_left: { schema: INTEGER, description: 'The number of unused recovery codes.' },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql } }) {
    const { hasTotp, codesLeft } = await readFactors(sql, user.id)
    return { totp_enabled: hasTotp, recovery_codes_left: codesLeft }
  },
})

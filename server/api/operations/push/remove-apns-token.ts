/** `DELETE /users/me/apns_device_token`: removes the token of an older iOS app. */

import { removePushToken } from '../../../../db/personal/push-tokens.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { readApnsToken } from './push-params.ts'

export const removeApnsToken = operation({
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  summary: 'Remove an APNs device token',
  access: 'user',
  isDeprecated: true,
  params: { token: required(text(), 'The token, in hexadecimal or base64.') },
  reply: {},
  errors: ['BOT_REFUSED', 'PUSH_TOKEN_LENGTH_WRONG', 'PUSH_TOKEN_MALFORMED', 'PUSH_TOKEN_MISSING'],
  events: [],
  async run({ params, user, services: { sql }, fail }) {
    checkPerson({ caller: user, fail })
    const token = readApnsToken(params.token, fail)
    if (!(await removePushToken(sql, user.id, 'apns', token))) throw fail('PUSH_TOKEN_MISSING')
    return {}
  },
})

/** `POST /users/me/apns_device_token`: adds the token of an older iOS app. */

import { storePushToken } from '../../../../db/personal/push-tokens.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { appIdType, readApnsToken } from './push-params.ts'

export const addApnsToken = operation({
  method: 'POST',
  path: '/users/me/apns_device_token',
  summary: 'Add an APNs device token',
  access: 'user',
  isDeprecated: true,
  params: {
    token: required(text(), 'The token, in hexadecimal or base64.'),
    appid: required(appIdType, 'The id of the app.'),
  },
  reply: {},
  errors: ['BOT_REFUSED', 'PUSH_TOKEN_LENGTH_WRONG', 'PUSH_TOKEN_MALFORMED'],
  events: [],
  async run({ params: { token, appid }, user, services: { sql }, fail }) {
    checkPerson({ caller: user, fail })
    const hex = readApnsToken(token, fail)
    await storePushToken(sql, user.id, { kind: 'apns', token: hex, appId: appid })
    return {}
  },
})

/** `POST /users/me/android_push_reg_id`: adds the token of an older Android app. */

import { storePushToken } from '../../../../db/personal/push-tokens.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { checkToken } from './push-params.ts'

export const addAndroidToken = operation({
  method: 'POST',
  path: '/users/me/android_push_reg_id',
  summary: 'Add a push registration token',
  access: 'user',
  isDeprecated: true,
  params: { token: required(text(), 'The token.') },
  reply: {},
  errors: ['BOT_REFUSED', 'PUSH_TOKEN_LENGTH_WRONG'],
  events: [],
  async run({ params, user, services: { sql }, fail }) {
    checkPerson({ caller: user, fail })
    checkToken(params.token, fail)
    await storePushToken(sql, user.id, { kind: 'fcm', token: params.token, appId: null })
    return {}
  },
})

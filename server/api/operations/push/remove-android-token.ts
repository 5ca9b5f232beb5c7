/** `DELETE /users/me/android_push_reg_id`: removes the token of an older Android app. */

import { removePushToken } from '../../../../db/personal/push-tokens.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { checkToken } from './push-params.ts'

export const removeAndroidToken = operation({
  method: 'DELETE',
  path: '/users/me/android_push_reg_id',
  summary: 'Remove a push registration token',
  access: 'user',
  isDeprecated: true,
  params: { token: required(text(), 'The token.') },
  reply: {},
  errors: ['BOT_REFUSED', 'PUSH_TOKEN_LENGTH_WRONG', 'PUSH_TOKEN_MISSING'],
  events: [],
  async run({ params, user, services: { sql }, fail }) {
    checkPerson({ caller: user, fail })
    checkToken(params.token, fail)
    if (!(await removePushToken(sql, user.id, 'fcm', params.token))) throw fail('PUSH_TOKEN_MISSING')
    return {}
  },
})

/** Tokens of phones, as older apps register them. */

import { removePushToken, storePushToken } from '../../../../db/personal/push-tokens.ts'
import { submit } from '../../../changes/submit.ts'
import { decidePushToken } from '../../../decisions/push/note-reach.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { appIdType, checkToken, readApnsToken } from './push-params.ts'

/** `POST /users/me/apns_device_token`: adds the token of an older iOS app. */
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
  async run({ params: { token, appid }, user, services, fail }) {
    checkPerson({ caller: user, fail })
    const hex = readApnsToken(token, fail)
    await storePushToken(services.sql, user.id, { kind: 'apns', token: hex, appId: appid })
    await submit(services, user.id, decidePushToken, {})
    return {}
  },
})

/** `DELETE /users/me/apns_device_token`: removes the token of an older iOS app. */
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

/** `POST /users/me/android_push_reg_id`: adds the token of an older Android app. */
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
  async run({ params, user, services, fail }) {
    checkPerson({ caller: user, fail })
    checkToken(params.token, fail)
    await storePushToken(services.sql, user.id, { kind: 'fcm', token: params.token, appId: null })
    await submit(services, user.id, decidePushToken, {})
    return {}
  },
})

/** `DELETE /users/me/android_push_reg_id`: removes the token of an older Android app. */
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

/** Keys of the API. */

import { logIn } from '../../../changes/users/log-in.ts'
import { StaleProofError } from '../../../../db/accounts/login-proofs.ts'
import {
  checkPassword,
  checkSecondFactor,
  PASSWORD_LOGIN_ERRORS,
  proofOf,
  SECOND_STEP_ERRORS,
  WHOLE_LOGIN_PARAMS,
} from '../../check-password.ts'
import { findFactorDeadline } from '../../door/factor-deadline.ts'
import { noteProgram } from '../../note-device.ts'
import { noteLogin } from '../../note-login.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { operation } from '../../operation.ts'
import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import { replaceApiKeys } from '../../../changes/users/replace-api-keys.ts'
import { endOtherSessions } from '../../log-in-session.ts'
import { KEY_PROOF_ERRORS, PROOF_PARAMS, proveForKey } from '../../prove-caller.ts'

/** The reply of a log-in. */
export const API_KEY_REPLY = {
  api_key: { schema: STRING, description: 'The key, 32 letters and digits.' },
  email: { schema: STRING, description: 'The email address, as the user name of later requests.' },
  user_id: { schema: INTEGER, description: 'The id of the user.' },
}

export const fetchApiKey = operation({
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Fetch an API key',
  description:
    'Returns a new API key for an account. Keys are stored as hashes, so each call creates a new one. Earlier ' +
    'keys stay valid until the account has 100 newer ones or regenerates its key. The first call completes an ' +
    'account that an administrator created. Attempts are also counted per account, over all addresses from ' +
    'which its user has not logged in before. An account with an authenticator app also needs `otp_token`: if it ' +
    'is missing while the password is right, the code of the error is `SECOND_FACTOR_REQUIRED`.',
  access: 'anyone',
  isLogin: true,
  params: WHOLE_LOGIN_PARAMS,
  reply: API_KEY_REPLY,
  errors: [...PASSWORD_LOGIN_ERRORS, ...SECOND_STEP_ERRORS],
  events: ['api_keys_changed', 'realm_user/update'],
  async run({ params, exchange, userAgent, services, fail }) {
    const checked = await checkPassword(services, exchange, params, fail)
    await checkSecondFactor(services, checked, params.otp_token, fail)
    const { user } = checked
    const deadline = findFactorDeadline(services.state, user, undefined)
    if (deadline !== undefined && nowSeconds(services.clock) >= deadline)
      throw fail('SECOND_FACTOR_SETUP_REQUIRED', services)
    await noteLogin(services, exchange, user.id)
    const apiKey = await logIn(services, user.id, proofOf(checked.credentials)).catch((error: unknown) => {
      throw error instanceof StaleProofError ? fail('PASSWORD_INCORRECT') : error
    })
    if (apiKey === undefined) throw fail('ACCOUNT_DEACTIVATED')
    await noteProgram(services, exchange, { user, userAgent })
    return { api_key: apiKey, email: user.email, user_id: user.id }
  },
})

/** `POST /users/me/api_key/regenerate`. */
export const regenerateOwnKey = operation({
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Regenerate own API key',
  description:
    'Earlier keys and their tickets become invalid. Devices that used them get no more notifications until ' +
    'they register again. Event queues stay. It ends all other sessions of the caller; that of the request goes ' +
    'on with new cookies. Within a session it needs a proof: the password, with a code if there is an app, or a ' +
    'log-in within the last ten minutes. With an API key it needs none, so bots can call it, too.',
  access: 'user',
  passwordParam: 'password',
  params: PROOF_PARAMS,
  reply: { api_key: { schema: STRING, description: 'The key, which the server cannot show again.' } },
  errors: KEY_PROOF_ERRORS,
  events: ['api_keys_changed', 'device/remove', 'login_sessions_changed'],
  async run({ user, exchange, params, services, fail }) {
    await proveForKey(services, { user, exchange, params }, fail)
    const apiKey = await replaceApiKeys(services, user.id, user.id)
    await endOtherSessions(services, exchange, user)
    return { api_key: apiKey }
  },
})

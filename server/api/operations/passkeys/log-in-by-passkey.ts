/** Log-ins by passkey. */

import { INTEGER, mapOf, STRING } from '../../../domain/json-schema.ts'
import { operation } from '../../operation.ts'
import { required } from '../../params.ts'
import { beginPasskeyLogin, completePasskeyLogin } from '../../passkeys.ts'
import { loginType } from './passkey-params.ts'

export const beginLoginByPasskey = operation({
  method: 'POST',
  path: '/login/passkey/options',
  summary: 'Begin a log-in by passkey',
  description:
    'For browsers. Answers the options of WebAuthn, the same for everyone, and sets a cookie that binds their ' +
    'challenge to the browser, once and for five minutes.',
  access: 'anyone',
  isLogin: true,
  params: {},
  reply: {
    options: {
      schema: mapOf<unknown>({}),
      description: 'The options, for `PublicKeyCredential.parseRequestOptionsFromJSON`.',
    },
  },
  errors: ['PASSKEYS_UNAVAILABLE'],
  events: [],
  async run({ visit, services, fail }) {
    return { options: { ...(await beginPasskeyLogin(services, visit, fail)) } }
  },
})

export const logInByPasskey = operation({
  method: 'POST',
  path: '/login/passkey',
  summary: 'Log in by passkey',
  description:
    'Starts a session as `POST /login` does. A passkey counts as both factors, since the device checks its user. ' +
    'A signature whose count does not grow is refused: there is a copy of the passkey.',
  access: 'anyone',
  isLogin: true,
  params: { credential: required(loginType, 'The answer of the browser, as its `toJSON` has it.') },
  reply: {
    email: { schema: STRING, description: 'The email address of the user.' },
    user_id: { schema: INTEGER, description: 'The id of the user.' },
  },
  errors: ['PASSKEYS_UNAVAILABLE', 'PASSKEY_REFUSED'],
  events: ['login_sessions_changed'],
  async run({ params, visit, userAgent, services, fail }) {
    const { credential: answer } = params
    const { email, id } = await completePasskeyLogin(services, visit, { answer, userAgent }, fail)
    return { email, user_id: id }
  },
})

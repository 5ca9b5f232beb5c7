/** Log-ins by passkey. */

import { INTEGER, mapOf, STRING } from '../../../domain/json-schema.ts'
import { isPad } from '../../../domain/accounts/one-time-pad.ts'
import type { WaitingApp } from '../../../domain/accounts/waiting-apps.ts'
import { fail as failAny } from '../../../errors/api-error.ts'
import { operation } from '../../operation.ts'
import { type Type, optional, required, text } from '../../params.ts'
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

/** 64 hex digits. */
const padType: Type<string> = {
  ...text({ lengthMax: 64 }),
  check(value, name) {
    const pad = text({ lengthMax: 64 }).check(value, name)
    if (!isPad(pad)) throw failAny('PARAMETER_INVALID', { message: `Invalid ${name}` })
    return pad
  },
}

function appOf(given: {
  mobile_flow_otp: string | undefined
  desktop_flow_otp: string | undefined
}): WaitingApp | undefined {
  if (given.mobile_flow_otp !== undefined) return { kind: 'mobile', pad: given.mobile_flow_otp }
  return given.desktop_flow_otp === undefined ? undefined : { kind: 'desktop', pad: given.desktop_flow_otp }
}

export const logInByPasskey = operation({
  method: 'POST',
  path: '/login/passkey',
  summary: 'Log in by passkey',
  description:
    'Starts a session as `POST /login` does. A passkey counts as both factors, since the device checks its user. ' +
    'A signature whose count does not grow is refused: there is a copy of the passkey.',
  access: 'anyone',
  isLogin: true,
  params: {
    credential: required(loginType, 'The answer of the browser, as its `toJSON` has it.'),
    mobile_flow_otp: optional(
      padType,
      'The one-time pad of a mobile app, which gets the log-in instead of a session.',
    ),
    desktop_flow_otp: optional(padType, 'The same of a desktop app.'),
  },
  reply: {
    email: { schema: STRING, description: 'The email address of the user.' },
    user_id: { schema: INTEGER, description: 'The id of the user.' },
    app_url: {
      schema: STRING,
      description: 'The address that leads on to the app; with one of the pads.',
      isOptional: true,
    },
  },
  errors: ['PASSKEYS_UNAVAILABLE', 'PASSKEY_REFUSED'],
  events: ['login_sessions_changed', 'api_keys_changed'],
  async run({ params, visit, userAgent, services, fail }) {
    const { credential: answer } = params
    const app = appOf(params)
    const { user, appUrl } = await completePasskeyLogin(services, visit, { answer, userAgent, app }, fail)
    return { email: user.email, user_id: user.id, ...(appUrl === undefined ? {} : { app_url: appUrl }) }
  },
})

/** Passkeys. */

import { PASSKEY_NAME_LENGTH_MAX } from '../../domain/accounts/passkeys.ts'
import { list, object, oneOf, optional, required, text, type Type } from '../params.ts'
import { readPasskeys, renamePasskey } from '../../../db/accounts/passkeys.ts'
import { removeOwnPasskey } from '../../changes/users/change-factors.ts'
import { arrayOf, BOOLEAN, INTEGER, mapOf, orNull, record, STRING } from '../../domain/json-schema.ts'
import { operation } from '../operation.ts'
import { beginEnrolment, beginPasskeyLogin, completeEnrolment, completePasskeyLogin } from '../passkeys.ts'
import { PROOF_ERRORS, PROOF_PARAMS, proveCaller } from '../prove-caller.ts'
import { isPad } from '../../domain/accounts/one-time-pad.ts'
import type { WaitingApp } from '../../domain/accounts/waiting-apps.ts'
import { fail as failAny } from '../../errors/api-error.ts'

/** Characters of an id: authenticators use up to 1,023 bytes. */
const ID_LENGTH_MAX = 1_400
/** Characters of the other parts: keys that resist quantum computers have some thousand bytes. */
const PART_LENGTH_MAX = 16_000

const id = required(text({ lengthMax: ID_LENGTH_MAX }), 'The id of the credential.')
const part = required(text({ lengthMax: PART_LENGTH_MAX }), 'Bytes in base64url.')
const SHARED = { id, rawId: id, type: required(oneOf('public-key'), 'The type.') }

/** The answer to the options for a new passkey. */
const enrolmentType = object({
  ...SHARED,
  response: required(
    object({
      clientDataJSON: part,
      attestationObject: part,
      transports: optional(list(text({ lengthMax: 20 }), { lengthMax: 10 }), 'Ways to the authenticator.'),
    }),
    'The answer of the authenticator.',
  ),
})

/** The answer to the options for a log-in. */
const loginType = object({
  ...SHARED,
  response: required(
    object({ clientDataJSON: part, authenticatorData: part, signature: part, userHandle: part }),
    'The answer of the authenticator.',
  ),
})

/** The name of a passkey. */
export const passkeyNameType = text({ lengthMax: PASSKEY_NAME_LENGTH_MAX, trim: true, blank: false })

/** Characters of a passkey's id. */
const OWN_ID_LENGTH_MAX = 36
const PASSKEY_ID = required(text({ lengthMax: OWN_ID_LENGTH_MAX }), 'The id of the passkey.')
const PASSKEY = record({
  id: STRING,
  name: STRING,
  is_synced: BOOLEAN,
  created_at: INTEGER,
  last_used_at: orNull(INTEGER),
})

export const getOwnPasskeys = operation({
  method: 'GET',
  path: '/users/me/passkeys',
  summary: 'Get own passkeys',
  description: 'Only the user themselves sees these.',
  access: 'user',
  needsNoFactor: true,
  params: {},
  reply: {
    passkeys: {
      schema: arrayOf(PASSKEY),
      description:
        'The passkeys, the oldest first: `is_synced` says whether their provider copies them to other devices; ' +
        'times are UNIX seconds.',
    },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql } }) {
    const rows = await readPasskeys(sql, user.id)
    return {
      passkeys: rows.map(({ id, name, isSynced, createdAt, usedAt }) => ({
        id,
        name,
        is_synced: isSynced,
        created_at: createdAt,
        last_used_at: usedAt,
      })),
    }
  },
})

export const beginOwnPasskey = operation({
  method: 'POST',
  path: '/users/me/passkeys/options',
  summary: 'Begin to add a passkey',
  description:
    'Answers the options of WebAuthn with which a browser makes a passkey. Their challenge is for the session or ' +
    'API key of the request alone, once and for five minutes.',
  access: 'user',
  needsNoFactor: true,
  passwordParam: 'password',
  params: PROOF_PARAMS,
  reply: {
    options: {
      schema: mapOf<unknown>({}),
      description: 'The options, for `PublicKeyCredential.parseCreationOptionsFromJSON`.',
    },
  },
  errors: [...PROOF_ERRORS, 'PASSKEYS_UNAVAILABLE', 'TOO_MANY_PASSKEYS'],
  events: [],
  async run({ user, exchange, params, keyHash, services, fail }) {
    await proveCaller(services, { user, exchange, params }, fail)
    return { options: { ...(await beginEnrolment(services, user, keyHash, fail)) } }
  },
})

export const addOwnPasskey = operation({
  method: 'POST',
  path: '/users/me/passkeys',
  summary: 'Add a passkey',
  description: 'The passkey logs its user in without a password and code. A user has 20 at most.',
  access: 'user',
  needsNoFactor: true,
  params: {
    credential: required(enrolmentType, 'The answer of the browser, as its `toJSON` has it.'),
    name: optional(passkeyNameType, 'A name; by default that of the browser.'),
  },
  reply: { id: { schema: STRING, description: 'The id of the passkey.' } },
  errors: ['BOT_REFUSED', 'PASSKEYS_UNAVAILABLE', 'PASSKEY_NOT_ADDED'],
  events: ['second_factors_changed'],
  async run({ user, params, keyHash, userAgent, services, fail }) {
    if (user.botType !== null) throw fail('BOT_REFUSED')
    const { credential: answer, name } = params
    return { id: await completeEnrolment(services, { user, keyHash, answer, name, userAgent }, fail) }
  },
})

export const renameOwnPasskey = operation({
  method: 'PATCH',
  path: '/users/me/passkeys/{passkey_id}',
  summary: 'Rename a passkey',
  access: 'user',
  needsNoFactor: true,
  params: { passkey_id: PASSKEY_ID, name: required(passkeyNameType, 'The name.') },
  reply: {},
  errors: ['PASSKEY_UNKNOWN'],
  events: [],
  async run({ user, params, services: { sql }, fail }) {
    if (!(await renamePasskey(sql, user.id, params.passkey_id, params.name))) throw fail('PASSKEY_UNKNOWN')
    return {}
  },
})

export const removePasskey = operation({
  method: 'DELETE',
  path: '/users/me/passkeys/{passkey_id}',
  summary: 'Remove a passkey',
  description: 'Sessions that it began stay.',
  access: 'user',
  needsNoFactor: true,
  passwordParam: 'password',
  params: { passkey_id: PASSKEY_ID, ...PROOF_PARAMS },
  reply: {},
  errors: [...PROOF_ERRORS, 'PASSKEY_UNKNOWN'],
  events: ['second_factors_changed'],
  async run({ user, exchange, params, services, fail }) {
    await proveCaller(services, { user, exchange, params }, fail)
    await removeOwnPasskey(services, user, params.passkey_id, fail)
    return {}
  },
})

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
  async run({ exchange, services, fail }) {
    return { options: { ...(await beginPasskeyLogin(services, exchange, fail)) } }
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
  async run({ params, exchange, userAgent, services, fail }) {
    const { credential: answer } = params
    const app = appOf(params)
    const { user, appUrl } = await completePasskeyLogin(services, exchange, { answer, userAgent, app }, fail)
    return { email: user.email, user_id: user.id, ...(appUrl === undefined ? {} : { app_url: appUrl }) }
  },
})

/** Second factors of an account. */

import { readFactors } from '../../../db/accounts/second-factors.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull, STRING } from '../../domain/json-schema.ts'
import { findFactorDeadline } from '../door/factor-deadline.ts'
import { operation } from '../operation.ts'
import { disableTotp, enableTotp, renewRecoveryCodes, startTotp } from '../../changes/users/change-factors.ts'
import { totpUrl } from '../../changes/users/totp.ts'
import { codeType } from '../check-password.ts'
import { endOtherSessions } from '../log-in-session.ts'
import { id, required } from '../params.ts'
import { PROOF_ERRORS, PROOF_PARAMS, proveCaller } from '../prove-caller.ts'
import { decideFactorsReset, RESET_FACTORS_ERRORS } from '../../decisions/users/reset-second-factors.ts'
import type { UserId } from '../../domain/ids.ts'
import { change } from '../change-operation.ts'

/** `GET /users/me/two_factor`. */
export const getOwnFactors = operation({
  method: 'GET',
  path: '/users/me/two_factor',
  summary: 'Get own second factors',
  description: 'Only the user themselves sees these.',
  access: 'user',
  needsNoFactor: true,
  params: {},
  reply: {
    totp_enabled: { schema: BOOLEAN, description: 'Whether log-ins ask for a code of an authenticator app.' },
    recovery_codes_left: { schema: INTEGER, description: 'The number of unused recovery codes.' },
    required_from: {
      schema: orNull(INTEGER),
      description:
        'UNIX seconds from which other requests like this one are refused, since the organization requires a second ' +
        'factor and they lack one; null otherwise.',
    },
  },
  errors: [],
  events: [],
  async run({ user, exchange, services: { sql, state } }) {
    const { hasTotp, codesLeft } = await readFactors(sql, user.id)
    const deadline = findFactorDeadline(state, user, exchange.session)
    return { totp_enabled: hasTotp, recovery_codes_left: codesLeft, required_from: deadline ?? null }
  },
})

const CODES = {
  recovery_codes: {
    schema: arrayOf(STRING),
    description:
      'Ten codes, each of which replaces a code of the app once; the server cannot show them again.',
  },
}

export const startOwnTotp = operation({
  method: 'POST',
  path: '/users/me/two_factor/totp',
  summary: 'Set up an authenticator app',
  description:
    'Makes a secret for an app that shows codes by RFC 6238 (SHA-1, six digits, 30 seconds). Log-ins ask for ' +
    'codes once `POST /users/me/two_factor/totp/confirm` has shown, within 15 minutes, that the app has it.',
  access: 'user',
  needsNoFactor: true,
  passwordParam: 'password',
  params: PROOF_PARAMS,
  reply: {
    secret: { schema: STRING, description: 'The secret, in base32.' },
    otpauth_url: { schema: STRING, description: 'The address of the secret for apps, for a QR code.' },
  },
  errors: [...PROOF_ERRORS, 'TOTP_ENABLED'],
  events: [],
  async run({ user, exchange, params, services, fail }) {
    await proveCaller(services, { user, exchange, params }, fail)
    const totp = await startTotp(services, user, fail)
    const issuer = services.state.organization?.name ?? ''
    return { secret: totp.secret, otpauth_url: totpUrl(totp, issuer, user.email) }
  },
})

export const confirmOwnTotp = operation({
  method: 'POST',
  path: '/users/me/two_factor/totp/confirm',
  summary: 'Enable the authenticator app',
  description:
    'From now on each log-in by password needs a code. All other sessions of the caller end, since the password ' +
    'alone opened them; that of the request goes on with new cookies. API keys stay valid. Ten wrong codes in an ' +
    'hour are possible, over all addresses.',
  access: 'user',
  needsNoFactor: true,
  params: { otp_token: required(codeType, 'The code that the app shows.') },
  reply: CODES,
  errors: ['BOT_REFUSED', 'TOTP_MISSING', 'OWN_CODE_WRONG'],
  events: ['second_factors_changed', 'login_sessions_changed'],
  async run({ user, exchange, params, services, fail }) {
    if (user.botType !== null) throw fail('BOT_REFUSED')
    const codes = await enableTotp(services, user, params.otp_token, fail)
    await endOtherSessions(services, exchange, user)
    return { recovery_codes: codes }
  },
})

export const disableOwnTotp = operation({
  method: 'DELETE',
  path: '/users/me/two_factor/totp',
  summary: 'Disable the authenticator app',
  description: 'Log-ins need the password alone again; the recovery codes become invalid.',
  access: 'user',
  needsNoFactor: true,
  passwordParam: 'password',
  params: PROOF_PARAMS,
  reply: {},
  errors: [...PROOF_ERRORS, 'TOTP_MISSING'],
  events: ['second_factors_changed'],
  async run({ user, exchange, params, services, fail }) {
    await proveCaller(services, { user, exchange, params }, fail)
    await disableTotp(services, user, fail)
    return {}
  },
})

export const renewOwnCodes = operation({
  method: 'POST',
  path: '/users/me/two_factor/recovery_codes',
  summary: 'Replace the recovery codes',
  description: 'The earlier codes become invalid.',
  access: 'user',
  needsNoFactor: true,
  passwordParam: 'password',
  params: PROOF_PARAMS,
  reply: CODES,
  errors: [...PROOF_ERRORS, 'TOTP_MISSING'],
  events: ['second_factors_changed'],
  async run({ user, exchange, params, services, fail }) {
    await proveCaller(services, { user, exchange, params }, fail)
    return { recovery_codes: await renewRecoveryCodes(services, user, fail) }
  },
})

/** `DELETE /users/{user_id}/two_factor`. */
export const resetUserFactors = change({
  method: 'DELETE',
  path: '/users/{user_id}/two_factor',
  summary: "Remove a user's second factors",
  description:
    'For users who lost their devices. Removes the authenticator app, the recovery codes and all passkeys, and ' +
    'ends all sessions. For administrators; only owners can do so for an owner, and nobody for themselves.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: {},
  errors: RESET_FACTORS_ERRORS,
  events: ['second_factors_changed', 'login_sessions_changed'],
  prepare: ({ params }) => ({ userId: params.user_id }),
  decide: decideFactorsReset,
})

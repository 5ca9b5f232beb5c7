/** The authenticator app of the caller, and the recovery codes. */

import {
  disableTotp,
  enableTotp,
  renewRecoveryCodes,
  startTotp,
} from '../../../changes/users/change-factors.ts'
import { totpUrl } from '../../../changes/users/totp.ts'
import { arrayOf, STRING } from '../../../domain/json-schema.ts'
import { codeType } from '../../check-password.ts'
import { endOtherSessions } from '../../log-in-session.ts'
import { operation } from '../../operation.ts'
import { required } from '../../params.ts'
import { PROOF_ERRORS, PROOF_PARAMS, proveCaller } from '../../prove-caller.ts'

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
  async run({ user, visit, params, services, fail }) {
    await proveCaller(services, { user, visit, params }, fail)
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
  async run({ user, visit, params, services, fail }) {
    if (user.botType !== null) throw fail('BOT_REFUSED')
    const codes = await enableTotp(services, user, params.otp_token, fail)
    await endOtherSessions(services, visit, user)
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
  async run({ user, visit, params, services, fail }) {
    await proveCaller(services, { user, visit, params }, fail)
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
  async run({ user, visit, params, services, fail }) {
    await proveCaller(services, { user, visit, params }, fail)
    return { recovery_codes: await renewRecoveryCodes(services, user, fail) }
  },
})

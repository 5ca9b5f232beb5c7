/** Failures of second factors. */

import { badRequest, type ErrorCases, plain, worded } from './error-case.ts'

export const SECOND_FACTOR_ERRORS = {
  SECOND_FACTOR_REQUIRED: plain(
    401,
    'SECOND_FACTOR_REQUIRED',
    'A code of your authenticator app, or a recovery code, is required',
  ),
  SECOND_FACTOR_WRONG: plain(401, 'SECOND_FACTOR_INCORRECT', 'The code is wrong, or it was used before'),
  OWN_CODE_WRONG: badRequest('Wrong code!'),
  RECENT_LOGIN_REQUIRED: plain(
    400,
    'RECENT_LOGIN_REQUIRED',
    'Confirm that it is you: this needs your password, or a log-in within the last ten minutes.',
  ),
  TOTP_ENABLED: badRequest('An authenticator app is set up already.'),
  SECOND_FACTOR_SETUP_REQUIRED: worded(
    403,
    'SECOND_FACTOR_SETUP_REQUIRED',
    ({ publicUrl }: { publicUrl: string }) =>
      `Your organization requires a second factor. Set up an authenticator app at ${publicUrl}/accounts/security`,
  ),
  OWN_FACTOR_MISSING: badRequest('Set up an authenticator app of your own first.'),
  TOTP_MISSING: badRequest('No authenticator app is set up.'),
  PASSKEY_REFUSED: plain(401, 'AUTHENTICATION_FAILED', 'The passkey was not accepted'),
  LOGIN_TOKEN_INVALID: plain(401, 'AUTHENTICATION_FAILED', 'The token is wrong, used or too old'),
  PASSKEY_NOT_ADDED: badRequest('The passkey was not accepted.'),
  PASSKEY_UNKNOWN: plain(404, 'NOT_FOUND', 'Passkey does not exist.'),
  PASSKEYS_UNAVAILABLE: badRequest('Passkeys need a PUBLIC_URL with a name and https.'),
  TOO_MANY_PASSKEYS: badRequest(
    ({ countMax }: { countMax: number }) => `You have too many passkeys (maximum ${countMax}).`,
  ),
  OWN_FACTORS_RESET: badRequest('Change your own second factors in your own account.'),
} satisfies ErrorCases

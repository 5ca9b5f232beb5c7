/** Failures of video calls. */

import { badRequest, type ErrorCases, plain } from './error-case.ts'

export const CALL_ERRORS = {
  CALLS_NOT_CONFIGURED: badRequest('Provider credentials have not been configured'),
  PROVIDER_TOKEN_INVALID: plain(400, 'INVALID_PROVIDER_TOKEN', 'Invalid provider access token'),
  PROVIDER_USER_UNKNOWN: plain(400, 'UNKNOWN_PROVIDER_USER', 'Unknown provider user email.'),
  CALL_FAILED: badRequest('Failed to create video call'),
} satisfies ErrorCases

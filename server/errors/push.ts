/** Failures of push notifications. */

import { badRequest, type ErrorCases, plain } from './error-case.ts'

export const PUSH_ERRORS = {
  NO_ACTIVE_PUSH_DEVICE: plain(400, 'NO_ACTIVE_PUSH_DEVICE', 'No active registered push device'),
  PUSH_MISCONFIGURED: plain(
    403,
    'ADMIN_ACTION_REQUIRED',
    'Push notification configuration issue on server, contact the server administrator or retry later.',
  ),
  PUSH_RELAY_UNREACHABLE: plain(
    502,
    'FAILED_TO_CONNECT_BOUNCER',
    'Network error while connecting to the push notification service.',
  ),
  PUSH_RELAY_FAILED: plain(
    502,
    'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    'Internal server error on the push notification service, retry later.',
  ),
  PUSH_NOT_CONFIGURED: plain(
    400,
    'PUSH_SERVICE_NOT_CONFIGURED',
    'Server is not configured to use push notification service.',
  ),
  PUSH_TOKEN_LENGTH_WRONG: badRequest('Empty or invalid length token'),
  PUSH_TOKEN_MALFORMED: badRequest('Invalid APNS token'),
  PUSH_TOKEN_MISSING: badRequest('Token does not exist'),
  PUSH_TOKEN_UNKNOWN: plain(400, 'INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized'),
  DEVICE_UNKNOWN: badRequest('Invalid `device_id`'),
  TOO_MANY_DEVICES: badRequest(
    ({ countMax }: { countMax: number }) => `Too many devices (maximum ${countMax}).`,
  ),
  PUSH_KEY_INVALID: badRequest('Invalid `push_key`'),
  PUSH_TOKEN_ID_INVALID: badRequest('Invalid `token_id`'),
  PUSH_REGISTRATION_INCOMPLETE: badRequest(
    'Missing parameters: must provide either all push key fields, all token fields, or both.',
  ),
  PUSH_KEY_MISSING: badRequest('No push registration exists to rotate key for.'),
  PUSH_TOKEN_ROTATION_EARLY: badRequest('No push registration exists to rotate token for.'),
  PUSH_REGISTRATION_PENDING: badRequest('A registration for the device already in progress.'),
  WEB_PUSH_FIELD_INVALID: badRequest(({ name }: { name: string }) => `Invalid \`${name}\``),
  WEB_PUSH_UNKNOWN: badRequest('Unknown subscription to web push'),
} satisfies ErrorCases

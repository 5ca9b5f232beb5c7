/** Failures of uploaded files. */

import { badRequest, type ErrorCases, plain } from './error-case.ts'

export const UPLOAD_ERRORS = {
  UPLOAD_MISSING: badRequest('You must specify a file to upload'),
  UPLOAD_COUNT: badRequest('You may only upload one file at a time'),
  UPLOAD_TOO_LARGE: badRequest(
    ({ mibMax }: { mibMax: number }) =>
      `File is larger than this server's configured maximum upload size (${mibMax} MiB).`,
  ),
  UPLOAD_QUOTA: plain(400, 'REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota."),
  UPLOADS_UNAVAILABLE: plain(
    503,
    'SERVICE_UNAVAILABLE',
    'Files cannot be kept at the moment, try again later',
  ),
  UPLOAD_UNKNOWN: plain(404, 'NOT_FOUND', 'File not found.'),
  ATTACHMENT_UNKNOWN: badRequest('Invalid attachment'),
} satisfies ErrorCases

/** Failures of uploaded files. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const UPLOAD_ERRORS = {
  UPLOAD_MISSING: plain(400, 'BAD_REQUEST', 'You must specify a file to upload'),
  UPLOAD_COUNT: plain(400, 'BAD_REQUEST', 'You may only upload one file at a time'),
  UPLOAD_TOO_LARGE: worded(
    400,
    'BAD_REQUEST',
    ({ mibMax }: { mibMax: number }) =>
      `File is larger than this server's configured maximum upload size (${mibMax} MiB).`,
  ),
  UPLOAD_QUOTA: plain(400, 'REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota."),
  UPLOAD_UNKNOWN: plain(404, 'NOT_FOUND', 'File not found.'),
  ATTACHMENT_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid attachment'),
} satisfies ErrorCases

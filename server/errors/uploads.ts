/** Failures of uploads. */

import { badRequest, type ErrorCases, plain, worded } from './error-case.ts'

/** Failures of uploaded files. */
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

/** Failures of resumable uploads, with the statuses of the tus protocol. */
export const RESUMABLE_UPLOAD_ERRORS = {
  TUS_VERSION_UNSUPPORTED: plain(412, 'BAD_REQUEST', 'The header Tus-Resumable must be 1.0.0'),
  TUS_CONTENT_TYPE: plain(
    415,
    'BAD_REQUEST',
    'The header Content-Type must be application/offset+octet-stream',
  ),
  RESUMABLE_UPLOAD_UNKNOWN: plain(404, 'BAD_REQUEST', 'This upload does not exist'),
  RESUMABLE_UPLOAD_EXPIRED: plain(410, 'BAD_REQUEST', 'This upload has expired'),
  RESUMABLE_UPLOAD_LOCKED: plain(423, 'BAD_REQUEST', 'Another request is writing to this upload'),
  RESUMABLE_UPLOAD_WHOLE: badRequest('This upload is complete'),
  UPLOAD_OFFSET_CONFLICT: plain(409, 'BAD_REQUEST', 'Upload-Offset is not where this upload has got to'),
  UPLOAD_LENGTH_EXCEEDED: plain(413, 'BAD_REQUEST', 'The body has more bytes than this upload lacks'),
  RESUMABLE_UPLOAD_TOO_LARGE: worded(
    413,
    'BAD_REQUEST',
    ({ mibMax }: { mibMax: number }) =>
      `File is larger than this server's configured maximum upload size (${mibMax} MiB).`,
  ),
  IMPORT_NOT_WAITING: badRequest('This import does not wait for an archive'),
  UNFINISHED_UPLOADS_EXCEEDED: badRequest(
    'You have too many unfinished uploads; finish or end some of them first',
  ),
} satisfies ErrorCases

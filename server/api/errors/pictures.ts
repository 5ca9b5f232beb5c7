/** Failures of uploaded pictures. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const PICTURE_ERRORS = {
  FILE_TOO_LARGE: worded(
    400,
    'BAD_REQUEST',
    ({ mibMax }: { mibMax: number }) => `Uploaded file is larger than the allowed limit of ${mibMax} MiB`,
  ),
  FILE_COUNT: plain(400, 'BAD_REQUEST', 'You must upload exactly one file.'),
  AVATAR_COUNT: plain(400, 'BAD_REQUEST', 'You must upload exactly one avatar.'),
  IMAGE_UNDECODABLE: plain(400, 'BAD_REQUEST', 'Could not decode image; did you upload an image file?'),
  IMAGE_FORMAT_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid image format'),
  IMAGE_TOO_LARGE: plain(400, 'BAD_REQUEST', 'Image size exceeds limit.'),
} satisfies ErrorCases

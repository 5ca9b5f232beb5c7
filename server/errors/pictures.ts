/** Failures of uploaded pictures. */

import { badRequest, type ErrorCases } from './error-case.ts'

export const PICTURE_ERRORS = {
  FILE_TOO_LARGE: badRequest(
    ({ mibMax }: { mibMax: number }) => `Uploaded file is larger than the allowed limit of ${mibMax} MiB`,
  ),
  FILE_COUNT: badRequest('You must upload exactly one file.'),
  AVATAR_COUNT: badRequest('You must upload exactly one avatar.'),
  ICON_COUNT: badRequest('You must upload exactly one icon.'),
  LOGO_COUNT: badRequest('You must upload exactly one logo.'),
  IMAGE_UNDECODABLE: badRequest('Could not decode image; did you upload an image file?'),
  IMAGE_FORMAT_UNKNOWN: badRequest('Invalid image format'),
  IMAGE_TOO_LARGE: badRequest('Image size exceeds limit.'),
} satisfies ErrorCases

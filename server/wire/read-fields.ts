/** Reads the fields and files of a body that is held in memory. */

import type { GivenFiles } from '../api/admit.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import { decodeMultipart } from './decode-body.ts'
import { decodeForm } from './decode-form.ts'
import type { FileRoom } from './large-bodies.ts'
import { isMultipart } from './multipart-head.ts'
import { BodyTooLargeError } from './request.ts'

/**
 * Adds the fields of a body to the others; returns its files if there is room for any. Rejects with `BODY_MALFORMED`,
 * or with the error of the body.
 */
export async function readFields(
  contentType: string,
  coming: Promise<Buffer>,
  fields: Map<string, string>,
  fileRoom: FileRoom,
): Promise<GivenFiles | undefined> {
  let body: Buffer
  try {
    body = await coming
  } catch (error) {
    if (fileRoom === 'large' && error instanceof BodyTooLargeError) return 'too_large'
    throw error
  }
  if (!isMultipart(contentType)) {
    decodeForm(body, fields)
    return undefined
  }
  const files: Uint8Array[] | undefined = fileRoom === 'none' ? undefined : []
  try {
    await decodeMultipart(contentType, body, fields, files)
    return files
  } catch (error) {
    throw error instanceof ApiError ? error : fail('BODY_MALFORMED') // The parser's errors are the client's fault.
  }
}

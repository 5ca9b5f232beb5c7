/** Finds the thumbnail at an address, if the user may read the original. */

import { findUpload } from '../../../db/files/uploads.ts'
import { ImageError, ImageOverloadError } from '../../../workers/pool/imager.ts'
import type { User } from '../../domain/entities.ts'
import { THUMBNAIL_CONTENT_TYPE, THUMBNAIL_FORMATS } from '../../domain/files/thumbnails.ts'
import { keyOfPath } from '../../domain/files/uploads.ts'
import { FileMissingError } from '../../files/file-store.ts'
import { fail } from '../../errors/api-error.ts'
import { readThumbnail } from './thumbnails.ts'
import { mayReadUpload } from './upload-access.ts'
import type { Filing } from './uploads.ts'

/** A thumbnail to serve. */
export interface Thumbnail {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/**
 * The thumbnail of a path `<path of the upload>/<name of the format>`. Undefined for an unknown format, for an upload
 * that is no picture, and for an upload that the user may not read.
 */
export async function findThumbnail(
  path: string,
  user: User,
  services: Filing,
): Promise<Thumbnail | undefined> {
  const slash = path.lastIndexOf('/')
  const format = THUMBNAIL_FORMATS.find(({ name }) => name === path.slice(slash + 1))
  if (!format) return undefined
  const upload = await findUpload(services.sql, path.slice(0, Math.max(0, slash)))
  if (!upload?.hasThumbnail || (format.isAnimated && !upload.isAnimated)) return undefined
  if (!(await mayReadUpload(upload, user, services))) return undefined
  try {
    const bytes = await readThumbnail(keyOfPath(upload.path), format, user.id, services)
    return { contentType: THUMBNAIL_CONTENT_TYPE, bytes }
  } catch (error) {
    if (error instanceof ImageOverloadError) throw fail('OVERLOADED')
    if (error instanceof ImageError || error instanceof FileMissingError) return undefined
    throw error
  }
}

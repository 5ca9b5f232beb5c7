/** What is found out about an upload before it is told of. */

import { ImageError, ImageOverloadError } from '../../../workers/pool/imager.ts'
import type { UserId } from '../../domain/ids.ts'
import type { UploadInspection } from '../../domain/uploads.ts'
import { makeThumbnail } from './thumbnails.ts'
import type { Filing } from './uploads.ts'

/** The file to look at. */
export interface InspectedFile {
  readonly key: string
  /** As the server found it. */
  readonly contentType: string
  readonly userId: UserId
}

/** Of what pictures are made. */
export const PICTURE_TYPES: ReadonlySet<string> = new Set([
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
])
const NO_PICTURE: UploadInspection = { width: null, height: null, isAnimated: false, hasThumbnail: false }

/**
 * Reads the dimensions of a picture and makes the thumbnail that messages show. Of any other file there is nothing, nor
 * of a picture that is too large, cannot be read or waits among too many: messages link them and show no preview.
 */
export async function inspectUpload(
  services: Pick<Filing, 'imager' | 'fileStore' | 'onError'>,
  { key, contentType, userId }: InspectedFile,
): Promise<UploadInspection> {
  if (!PICTURE_TYPES.has(contentType)) return NO_PICTURE
  try {
    const { width, height, format } = await makeThumbnail(key, 'standard', userId, services)
    return { width, height, isAnimated: format.isAnimated, hasThumbnail: true }
  } catch (error) {
    if (error instanceof ImageError || error instanceof ImageOverloadError) return NO_PICTURE
    throw error
  }
}

/** Inspects an upload before its event. */

import { ImageError, ImageOverloadError } from '../../../workers/pool/imager.ts'
import type { UserId } from '../../domain/ids.ts'
import type { UploadInspection } from '../../domain/files/uploads.ts'
import { makeThumbnail } from './thumbnails.ts'
import type { Filing } from './uploads.ts'

/** The file to inspect. */
export interface InspectedFile {
  readonly key: string
  /** As the server detected it. */
  readonly contentType: string
  readonly userId: UserId
}

/** Types that pictures are made from. */
export const PICTURE_TYPES: ReadonlySet<string> = new Set([
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
])
const NO_PICTURE: UploadInspection = { width: null, height: null, isAnimated: false, hasThumbnail: false }

/**
 * Reads the dimensions of a picture and makes the thumbnail for messages. Other files have neither, nor has a picture
 * that is too large, unreadable, or refused by a full queue: messages link these without a preview.
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

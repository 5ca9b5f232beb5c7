/** Thumbnails of uploaded pictures: made in the thread of images, and stored with the original. */

import { derived } from '../../domain/messages/derived.ts'
import { ImageError } from '../../../workers/pool/imager.ts'
import type { DrawnThumbnail } from '../../../workers/pool/images/image-task.ts'
import type { UserId } from '../../domain/ids.ts'
import { type ThumbnailFormat, thumbnailKey } from '../../domain/files/thumbnails.ts'
import {
  FileMissingError,
  type FileStore,
  FilesUnavailableError,
  FileTooLargeError,
} from '../../files/file-store.ts'
import type { Filing } from './uploads.ts'

/** Bytes of an original for thumbnails: the whole original is in memory meanwhile. */
const ORIGINAL_BYTES_MAX = 32 * 1024 * 1024
/** Bytes of a thumbnail; an animated one has some hundred frames at most. */
const THUMBNAIL_BYTES_MAX = 32 * 1024 * 1024

type With = Pick<Filing, 'imager' | 'fileStore' | 'onError'>

/** Thumbnails in progress, by the key of the file: other requests wait for the same one. */
const underWay = derived<FileStore, Map<string, Promise<Uint8Array>>>(() => new Map())

/**
 * Makes a thumbnail of an original and stores it, if there is space; rejects with an `ImageError` or an
 * `ImageOverloadError`, or a `FileMissingError` without the original.
 */
export async function makeThumbnail(
  key: string,
  format: ThumbnailFormat | 'standard',
  userId: UserId,
  { imager, fileStore, onError }: With,
): Promise<DrawnThumbnail> {
  const read = async () => {
    try {
      return await fileStore.readAll(key, ORIGINAL_BYTES_MAX)
    } catch (error) {
      throw error instanceof FileTooLargeError ? new ImageError('too_large') : error
    }
  }
  const drawn = await imager.makeThumbnail(format, read, userId)
  await keep(thumbnailKey(key, drawn.format), drawn.bytes, fileStore).catch((error: unknown) => {
    if (!(error instanceof FilesUnavailableError)) throw error
    onError(error) // It can be made again at any time.
  })
  return drawn
}

/** The bytes of a thumbnail; makes it on the first request. */
export async function readThumbnail(
  key: string,
  format: ThumbnailFormat,
  userId: UserId,
  services: With,
): Promise<Uint8Array> {
  const own = thumbnailKey(key, format)
  const stored = await readStored(own, services.fileStore)
  if (stored) return stored
  const making = underWay(services.fileStore)
  const known = making.get(own)
  if (known) return known
  const made = makeThumbnail(key, format, userId, services).then(({ bytes }) => bytes)
  making.set(own, made)
  try {
    return await made
  } finally {
    making.delete(own)
  }
}

async function keep(key: string, bytes: Uint8Array, fileStore: With['fileStore']): Promise<void> {
  const chunks = async function* () {
    yield bytes
  }
  await fileStore.write(key, chunks(), THUMBNAIL_BYTES_MAX)
}

/** A stored thumbnail; undefined if there is none, or it is incomplete. */
async function readStored(key: string, fileStore: With['fileStore']): Promise<Uint8Array | undefined> {
  try {
    const bytes = await fileStore.readAll(key, THUMBNAIL_BYTES_MAX)
    return isWhole(bytes) ? bytes : undefined
  } catch (error) {
    if (error instanceof FileMissingError) return undefined
    throw error
  }
}

/** Whether a WebP has the length that its header states. */
function isWhole(bytes: Uint8Array): boolean {
  if (bytes.length < 12) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getUint32(4, true) + 8 === bytes.length
}

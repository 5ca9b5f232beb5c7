/** Makes pictures from an uploaded file and stores them, before an event names them. */

import { hash, randomBytes } from 'node:crypto'
import type { Sql } from '../../../db/connection/connect.ts'
import { storePictures } from '../../../db/files/pictures.ts'
import type { UserId } from '../../domain/ids.ts'
import type { PictureId } from '../../domain/files/pictures.ts'
import type { ImageKind } from '../../../workers/pool/images/image-task.ts'
import { ImageError, ImageOverloadError, type Imager } from '../../../workers/pool/imager.ts'
import { fail as failAny, type Fail } from '../../errors/api-error.ts'

/** How making pictures of a file can fail. */
export const IMAGE_ERRORS = [
  'FILE_TOO_LARGE',
  'IMAGE_UNDECODABLE',
  'IMAGE_FORMAT_UNKNOWN',
  'IMAGE_TOO_LARGE',
] as const

const FAULTS = {
  undecodable: 'IMAGE_UNDECODABLE',
  other_format: 'IMAGE_FORMAT_UNKNOWN',
  too_large: 'IMAGE_TOO_LARGE',
} as const

const ID_BYTES = 16

/** Stored pictures that no event names yet. */
export interface StoredPicture {
  readonly id: PictureId
  readonly isAnimated: boolean
}

/** Services that make and store pictures. */
export interface PictureMaking {
  readonly imager: Imager
  readonly sql: Sql
}

/** An uploaded file for pictures. */
export interface PictureRequest {
  readonly kind: ImageKind
  readonly file: Uint8Array
  /** The user who uploaded it. */
  readonly userId: UserId
}

/** Makes an avatar, an emoji or a picture of the organization from a user's file. */
export async function makePicture(
  { imager, sql }: PictureMaking,
  { kind, file, userId }: PictureRequest,
  fail: Fail<(typeof IMAGE_ERRORS)[number]>,
): Promise<StoredPicture> {
  const { pictures, isAnimated } = await imager.make(kind, file, userId).catch((error: unknown) => {
    if (error instanceof ImageError) throw fail(FAULTS[error.fault])
    throw error instanceof ImageOverloadError ? failAny('OVERLOADED') : error
  })
  const id = randomBytes(ID_BYTES).toString('hex')
  await storePictures(
    sql,
    id,
    pictures.map((picture) => ({ ...picture, sha256: hash('sha256', picture.bytes, 'hex') })),
  )
  return { id, isAnimated }
}

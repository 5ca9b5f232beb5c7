/** Makes thumbnails for previews and stores them: readers load them from this server, not from where they were. */

import { hash, randomBytes } from 'node:crypto'
import type { Sql } from '../../../db/connection/connect.ts'
import { storePictures } from '../../../db/files/pictures.ts'
import {
  STILL_THUMBNAIL,
  THUMBNAIL_CONTENT_TYPE,
  type ThumbnailFormat,
} from '../../../server/domain/files/thumbnails.ts'
import type { Imager } from '../../pool/imager.ts'
import type { PreviewSources } from './fetch-preview.ts'

const ID_BYTES = 16
/** The picture of a card, which clients show at a hundred pixels or two. */
const CARD: ThumbnailFormat = { name: '400x300.webp', widthMax: 400, heightMax: 300, isAnimated: false }
/** Previews wait for each other, and for no upload. */
const SERVER = 0

/** Answers the function that stores a picture before anything names it; unnamed ones are removed after a day. */
export function pictureStore(sql: Sql, imager: Imager): PreviewSources['storePicture'] {
  return async (original, use) => {
    const format = use === 'page' ? CARD : STILL_THUMBNAIL
    const { bytes, width, height } = await imager.makeThumbnail(format, async () => original, SERVER)
    const id = randomBytes(ID_BYTES).toString('hex')
    const sha256 = hash('sha256', bytes, 'hex')
    await storePictures(sql, id, [{ variant: 'preview', contentType: THUMBNAIL_CONTENT_TYPE, sha256, bytes }])
    return { id, width, height }
  }
}

/** The drawn pictures of users without one of their own: drawn when they are asked for, and cached. */

import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Picture } from '../../../db/files/pictures.ts'
import { ImageOverloadError, type Imager } from '../../../workers/pool/imager.ts'
import { readDrawnPath } from '../../views/drawn-picture-path.ts'
import { fail } from '../../errors/api-error.ts'

/** Memory of the cached pictures, of some 2 KB each: those of all people who are seen every day. */
export const DRAWN_PICTURES_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of an entry besides its picture. */
const ENTRY_BYTES = 300

/** The drawn pictures of one process. */
export class DrawnPictures {
  readonly #cached = new LRUCache<string, Picture>({
    maxSize: DRAWN_PICTURES_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
  })
  /** Pictures that are being drawn, by path: as many as may wait for the imager. */
  readonly #coming = new Map<string, Promise<Picture>>()
  readonly #imager: Imager
  readonly #secret: Buffer

  constructor(imager: Imager, secret: Buffer) {
    this.#imager = imager
    this.#secret = secret
  }

  /** Bytes of the cached pictures. */
  get bytes(): number {
    return this.#cached.calculatedSize
  }

  /** The picture of a path; undefined if this server has not made the path. */
  async find(path: string): Promise<Picture | undefined> {
    const wanted = readDrawnPath(path, this.#secret)
    if (!wanted) return undefined
    const cached = this.#cached.get(path)
    if (cached) return cached
    const coming = this.#coming.get(path) ?? this.#draw(path, wanted)
    return coming.catch((error: unknown) => {
      throw error instanceof ImageOverloadError ? fail('OVERLOADED') : error
    })
  }

  #draw(path: string, { picture, size }: NonNullable<ReturnType<typeof readDrawnPath>>): Promise<Picture> {
    const coming = this.#imager
      .drawInitials(picture, size)
      .then(({ contentType, bytes }) => {
        const drawn = { contentType, bytes, sha256: hash('sha256', bytes, 'hex') }
        this.#cached.set(path, drawn)
        return drawn
      })
      .finally(() => this.#coming.delete(path))
    this.#coming.set(path, coming)
    return coming
  }
}

/**
 * Joins lists of cached objects into longer runs, since a few long pieces are much faster to compress and copy than
 * many short ones. A run is joined when the same objects are listed a second time. Joining a list that only one viewer
 * gets would be wasted.
 */

import { LRUCache } from 'lru-cache'
import { derived } from '../domain/messages/derived.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { CachedPiece } from './json-pieces.ts'
import { cacheBytes } from '../domain/cache-share.ts'

/** Ids in one run: this many are joined again when one changes. */
const RUN_LENGTH = 32
/** Cached runs that begin with the same object: viewers with different access have different runs. */
const VARIANTS_MAX = 8
/** Bytes of all joined runs; the least recently used go first. */
export const JOINED_BYTES_MAX = cacheBytes(32)

/** An object of a list. */
export interface ListedObject {
  readonly id: number
  readonly piece: CachedPiece
}

/** Objects of neighbouring ids that were listed together. */
type Run = readonly CachedPiece[]

/** The runs of a process; `runsOf` returns those of a state. */
export class CachedRuns {
  /** By the first piece. */
  readonly #variantsOf = derived<CachedPiece, Run[]>(() => [])
  readonly #joined = new LRUCache<Run, CachedPiece>({
    maxSize: JOINED_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes.length,
  })

  /** Bytes of all joined runs. */
  get bytes(): number {
    return this.#joined.calculatedSize
  }

  /** The objects; neighbouring ones are joined if they were listed together before. */
  join(objects: readonly ListedObject[]): CachedPiece[] {
    const found: CachedPiece[] = []
    for (let start = 0; start < objects.length; ) {
      const number = runOf(objects[start] as ListedObject)
      const pieces: CachedPiece[] = []
      for (; start < objects.length && runOf(objects[start] as ListedObject) === number; start++) {
        pieces.push((objects[start] as ListedObject).piece)
      }
      const joined = this.#findJoined(pieces)
      if (joined) found.push(joined)
      else for (const piece of pieces) found.push(piece)
    }
    return found
  }

  #findJoined(pieces: readonly CachedPiece[]): CachedPiece | undefined {
    if (pieces.length === 1) return undefined
    const variants = this.#variantsOf(pieces[0] as CachedPiece)
    const known = variants.find((run) => isSame(run, pieces))
    if (!known) {
      const forgotten = variants.length === VARIANTS_MAX ? variants.shift() : undefined
      if (forgotten) this.#joined.delete(forgotten)
      variants.push(pieces)
      return undefined
    }
    if (!this.#joined.has(known))
      this.#joined.set(known, new CachedPiece(Buffer.concat(pieces.map(({ bytes }) => bytes))))
    return this.#joined.get(known)
  }
}

/** The runs of a state. */
export const runsOf = derived<OrganizationState, CachedRuns>(() => new CachedRuns())

function runOf({ id }: ListedObject): number {
  return Math.floor(id / RUN_LENGTH)
}

function isSame(pieces: Run, others: Run): boolean {
  if (pieces.length !== others.length) return false
  for (let index = 0; index < pieces.length; index++) if (pieces[index] !== others[index]) return false
  return true
}

/** Bodies that bring files into memory: how many there may be at once, and how large each. */

import type { Admission } from '../api/admit.ts'
import { ApiError } from '../errors/api-error.ts'
import { longestForm } from '../api/longest-text.ts'
import { BYTES_PER_MIB } from '../changes/uploads/uploads.ts'
import { ANONYMOUS_BODY_BYTES_MAX } from './body-budget.ts'
import { BodyPlaces, type ComingBody } from './body-places.ts'
import { isMultipart } from './multipart-head.ts'
import { BODY_BYTES_MAX, type WireRequest } from './request.ts'

/** Bodies with files that are under way at once: of some MiB each. */
const LARGE_BODIES_MAX = 16
/** Those of one user: a browser sends one, or a few emoji together. */
const LARGE_BODIES_PER_USER_MAX = 4
/** Bytes of such a body beside the file: other fields, and what parts them. */
export const BYTES_BESIDE_FILE = 64 * 1024

/** Whether a request may bring files: none, as many bytes as any body, or as many as its operation takes. */
export type FileRoom = 'none' | 'small' | 'large'

/** Room for a body. */
export interface BodyRoom {
  readonly fileRoom: FileRoom
  readonly bytesMax: number
  /** Gives it back when the request is over; once is enough. */
  readonly leave?: () => void
}

const ANONYMOUS_BODY: BodyRoom = { fileRoom: 'none', bytesMax: ANONYMOUS_BODY_BYTES_MAX }
/** It takes files, and finds no room for large ones. */
const CROWDED: BodyRoom = { fileRoom: 'small', bytesMax: BODY_BYTES_MAX }

/** Counts large bodies under way. */
export class LargeBodies {
  readonly #places = new BodyPlaces(LARGE_BODIES_MAX, LARGE_BODIES_PER_USER_MAX)

  /** Makes room for the body of a request that was let in, which may lose it to another. */
  makeRoom(
    { contentType }: WireRequest,
    { operation: { file, params }, visit }: Admission,
    body: ComingBody,
  ): BodyRoom {
    if (!visit.user) return ANONYMOUS_BODY
    if (!file || file.mibMax === 'streamed' || !isMultipart(contentType))
      return { fileRoom: 'none', bytesMax: Math.min(BODY_BYTES_MAX, longestForm(params)) }
    try {
      const leave = this.#places.take(visit.user.id, body)
      return { fileRoom: 'large', bytesMax: file.mibMax * BYTES_PER_MIB + BYTES_BESIDE_FILE, leave }
    } catch (error) {
      if (error instanceof ApiError) return CROWDED
      throw error
    }
  }
}

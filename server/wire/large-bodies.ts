/** Limits the bodies that bring files into memory: how many at once, and how large each. */

import type { Admission } from '../api/admit.ts'
import { ApiError } from '../errors/api-error.ts'
import { longestForm } from '../api/longest-text.ts'
import { BYTES_PER_MIB } from '../changes/uploads/uploads.ts'
import { ANONYMOUS_BODY_BYTES_MAX } from './body-budget.ts'
import { BodyPlaces, type ComingBody } from './body-places.ts'
import { isMultipart } from './multipart-head.ts'
import { BODY_BYTES_MAX, type WireRequest } from './request.ts'

/** Concurrent bodies with files, each of a few MiB. */
const LARGE_BODIES_MAX = 16
/** Per user: a browser sends one, or a few emoji together. */
const LARGE_BODIES_PER_USER_MAX = 4
/** Bytes of such a body beside its file: other fields and boundaries. */
export const BYTES_BESIDE_FILE = 64 * 1024

/** Whether a request may bring files: none, up to the limit of any body, or up to that of its operation. */
export type FileRoom = 'none' | 'small' | 'large'

/** Room for a body. */
export interface BodyRoom {
  readonly fileRoom: FileRoom
  readonly bytesMax: number
  /** Frees the room when the request is over; one call is enough. */
  readonly leave?: () => void
}

const ANONYMOUS_BODY: BodyRoom = { fileRoom: 'none', bytesMax: ANONYMOUS_BODY_BYTES_MAX }
/** It takes files, but there is no room for large ones. */
const CROWDED: BodyRoom = { fileRoom: 'small', bytesMax: BODY_BYTES_MAX }

/** Counts large bodies in progress. */
export class LargeBodies {
  readonly places = new BodyPlaces(LARGE_BODIES_MAX, LARGE_BODIES_PER_USER_MAX)

  /** Makes room for the body of an admitted request, which may lose its room to another. */
  makeRoom(
    { contentType }: WireRequest,
    { operation: { file, params }, exchange }: Admission,
    body: ComingBody,
  ): BodyRoom {
    if (!exchange.user) return ANONYMOUS_BODY
    if (!file || file.mibMax === 'streamed' || !isMultipart(contentType))
      return { fileRoom: 'none', bytesMax: Math.min(BODY_BYTES_MAX, longestForm(params)) }
    try {
      const leave = this.places.take(exchange.user.id, body)
      return { fileRoom: 'large', bytesMax: file.mibMax * BYTES_PER_MIB + BYTES_BESIDE_FILE, leave }
    } catch (error) {
      if (error instanceof ApiError) return CROWDED
      throw error
    }
  }
}

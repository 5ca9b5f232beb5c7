/** Bodies that bring files into memory: how many there may be at once, and how large each. */

import { type AdmitContext, findFileBytesMax } from '../api/admit.ts'
import { isMultipart } from './decode-body.ts'
import { BODY_BYTES_MAX, type WireRequest } from './request.ts'

/** Bodies with files that are under way at once: of some MiB each. */
const LARGE_BODIES_MAX = 16
/** Bytes of such a body beside the file: other fields, and what parts them. */
export const BYTES_BESIDE_FILE = 64 * 1024

/** Whether a request may bring files: none, as many bytes as any body, or as many as its operation takes. */
export type FileRoom = 'none' | 'small' | 'large'

/** Room for a body, which is given back when the request is over. */
export interface BodyRoom {
  readonly fileRoom: FileRoom
  readonly bytesMax: number
}

const ANY_BODY: BodyRoom = { fileRoom: 'none', bytesMax: BODY_BYTES_MAX }
/** It takes files, and finds no room for large ones. */
const CROWDED: BodyRoom = { fileRoom: 'small', bytesMax: BODY_BYTES_MAX }

/** Counts large bodies under way. */
export class LargeBodies {
  readonly #admission: AdmitContext
  #count = 0

  constructor(admission: AdmitContext) {
    this.#admission = admission
  }

  /**
   * Makes room for the body of a request to a path of the API, undefined for another. Who may not bring a file does
   * not make the server hold more than anybody.
   */
  makeRoom(request: WireRequest, path: string | undefined): BodyRoom {
    if (path === undefined || !request.hasBody || !isMultipart(request.contentType)) return ANY_BODY
    const bytesMax = findFileBytesMax(request, path, this.#admission)
    if (bytesMax === undefined) return ANY_BODY
    if (this.#count >= LARGE_BODIES_MAX) return CROWDED
    this.#count++
    return { fileRoom: 'large', bytesMax: bytesMax + BYTES_BESIDE_FILE }
  }

  giveBack(fileRoom: FileRoom): void {
    if (fileRoom === 'large') this.#count--
  }
}

/** Answers that are compressed, and the same but for their beginning: checked without unpacking each of them. */

import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { HttpConnection } from './http-connection.ts'

/** What follows the compressed content: checksum and length of the whole. */
const TRAILER_BYTES = 8
/** Of the whole, what may differ from answer to answer: an id, a time. */
const OWN_BYTES_MAX = 128 * 1024
/** Answers after which a server that compresses what it has sent before has done so. */
const ANSWERS_MAX = 200
/** As many of one length, one after the other at this distance, are of the final one. */
const SETTLED_ANSWERS = 10
const SETTLE_MS = 50
/** By so much the times in two answers may differ in length. */
const TIME_BYTES_MAX = 16

/** Holds each answer against one that was unpacked and was right; one that differs is unpacked, too. */
export class CompressedAnswers {
  readonly #tail: Buffer
  #known = Buffer.alloc(0)
  #room = Buffer.alloc(0)
  /** Bytes of the latest answer. */
  length = 0

  /** What each answer ends with, unpacked. */
  constructor(tail: Buffer) {
    this.#tail = tail
  }

  isRight(body: Buffer): boolean {
    // Counted from its end: a time at its beginning is longer or shorter.
    const contentStart = body.length - TRAILER_BYTES - this.#known.length
    const content = body.subarray(Math.max(contentStart, 0), -TRAILER_BYTES)
    if (this.#room.length < body.length) this.#room = Buffer.allocUnsafe(2 * body.length)
    this.length = body.copy(this.#room)
    if (content.length > 0 && content.equals(this.#known)) return true
    this.#known = Buffer.from(body.subarray(OWN_BYTES_MAX, -TRAILER_BYTES))
    return this.isLastWhole()
  }

  /** Unpacks the latest answer, checksum and all. */
  isLastWhole(): boolean {
    return gunzipSync(this.#room.subarray(0, this.length)).subarray(-this.#tail.length).equals(this.#tail)
  }

  /** Asks until the answers get no shorter. */
  async settle(connection: HttpConnection, request: string): Promise<void> {
    for (let count = 0, same = 0; count < ANSWERS_MAX && same < SETTLED_ANSWERS; count++) {
      await wait(SETTLE_MS)
      const before = this.length
      const isRight = await new Promise<boolean>((resolve) => {
        connection.send(request, (status, body) => resolve(status === 200 && this.isRight(body)))
      })
      if (!isRight) throw new Error('a compressed answer unpacks to another')
      same = before - this.length < TIME_BYTES_MAX ? same + 1 : 0
    }
  }
}

/** Checks compressed answers that differ only in their beginning, without decompressing each of them. */

import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { HttpConnection } from './http-connection.ts'

/** The trailer after the compressed content: checksum and length. */
const TRAILER_BYTES = 8
/** The part of an answer that may differ: an id, a time. */
const OWN_BYTES_MAX = 128 * 1024
/** Answers after which a server has compressed its cached pieces. */
const ANSWERS_MAX = 200
/** After this many answers of equal length at this interval, the length is final. */
const SETTLED_ANSWERS = 10
const SETTLE_MS = 50
/** The difference in length of the times in two answers. */
const TIME_BYTES_MAX = 16

/** Compares each answer with a decompressed one that was correct; decompresses those that differ. */
export class CompressedAnswers {
  readonly #tail: Buffer
  #known = Buffer.alloc(0)
  #room = Buffer.alloc(0)
  /** Bytes of the latest answer. */
  length = 0

  /** The end of each answer, decompressed. */
  constructor(tail: Buffer) {
    this.#tail = tail
  }

  isRight(body: Buffer): boolean {
    // Counted from the end: a time at the beginning varies in length.
    const contentStart = body.length - TRAILER_BYTES - this.#known.length
    const content = body.subarray(Math.max(contentStart, 0), -TRAILER_BYTES)
    if (this.#room.length < body.length) this.#room = Buffer.allocUnsafe(2 * body.length)
    this.length = body.copy(this.#room)
    if (content.length > 0 && content.equals(this.#known)) return true
    this.#known = Buffer.from(body.subarray(OWN_BYTES_MAX, -TRAILER_BYTES))
    return this.isLastWhole()
  }

  /** Decompresses the latest answer and verifies its checksum. */
  isLastWhole(): boolean {
    return gunzipSync(this.#room.subarray(0, this.length)).subarray(-this.#tail.length).equals(this.#tail)
  }

  /** Sends requests until the answers stop shrinking. */
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

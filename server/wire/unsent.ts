/** Limits the bytes of answers that wait for clients that do not read them. */

import { Pool } from './pool.ts'

const MIB = 1024 * 1024
/** Bytes at a time for one address: an office on a slow line loads a few MiB for each person who starts the client. */
const PER_ADDRESS_BYTES_MAX = 64 * MIB
/** Bytes at a time for all: as much as the smallest machine can spare. */
const BYTES_MAX = 256 * MIB

/** Counts the bytes of one server's answers that wait. A connection beyond the limits is closed. */
export class Unsent {
  readonly #pool = new Pool(BYTES_MAX, PER_ADDRESS_BYTES_MAX)

  /** Takes room for bytes; returns the function that frees it, or undefined if there is none. */
  take(address: string, bytes: number): (() => void) | undefined {
    if (!this.#pool.take(address, bytes)) return undefined
    let isTaken = true
    return () => {
      if (isTaken) this.#pool.giveBack(address, bytes)
      isTaken = false
    }
  }

  get bytes(): number {
    return this.#pool.bytes
  }
}

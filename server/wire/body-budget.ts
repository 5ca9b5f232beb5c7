/** How many bytes of bodies wait in memory until they are whole: of one client, of all without an account, and of all. */

import { type ApiError, fail } from '../errors/api-error.ts'
import type { UserId } from '../domain/ids.ts'

/** Bytes of the body of a request without an account: log-ins and forms have some hundred. */
export const ANONYMOUS_BODY_BYTES_MAX = 64 * 1024
/** Bytes of a body that are not counted, as its connection takes as many: a log-in always finds room. */
const UNCOUNTED_BYTES = 4 * 1024
const MIB = 1024 * 1024
/** Bytes that wait at a time: of one address, and of all requests without an account. */
const PER_ADDRESS_BYTES_MAX = MIB
const ANONYMOUS_BYTES_MAX = 8 * MIB
/** The same of one user, who may send two of the longest at once, and of all users. */
const PER_USER_BYTES_MAX = 4 * MIB
const USERS_BYTES_MAX = 128 * MIB

/** What a body may take. */
export interface BodyShare {
  /** Makes room for so many bytes in all; answers the refusal where there is none. */
  grow(bytes: number): ApiError | undefined
  /** Gives all of it back. */
  end(): void
}

/** Bytes of one kind of client. */
class Pool {
  readonly #bytesMax: number
  readonly #perClientMax: number
  readonly #clients = new Map<string | number, number>()
  #bytes = 0

  constructor(bytesMax: number, perClientMax: number) {
    this.#bytesMax = bytesMax
    this.#perClientMax = perClientMax
  }

  take(client: string | number, bytes: number): boolean {
    const taken = (this.#clients.get(client) ?? 0) + bytes
    if (this.#bytes + bytes > this.#bytesMax || taken > this.#perClientMax) return false
    this.#bytes += bytes
    this.#clients.set(client, taken)
    return true
  }

  giveBack(client: string | number, bytes: number): void {
    this.#bytes -= bytes
    const left = (this.#clients.get(client) ?? 0) - bytes
    if (left > 0) this.#clients.set(client, left)
    else this.#clients.delete(client)
  }
}

/** Counts the bytes of bodies on their way. */
export class BodyBudget {
  readonly #anonymous = new Pool(ANONYMOUS_BYTES_MAX, PER_ADDRESS_BYTES_MAX)
  readonly #users = new Pool(USERS_BYTES_MAX, PER_USER_BYTES_MAX)

  /** The share of a body that a user sends. */
  ofUser(id: UserId): BodyShare {
    return shareOf(this.#users, id)
  }

  /** The share of a body that somebody without an account sends. */
  ofAddress(address: string): BodyShare {
    return shareOf(this.#anonymous, address)
  }
}

function shareOf(pool: Pool, client: string | number): BodyShare {
  let taken = 0
  return {
    grow(bytes) {
      const more = bytes - UNCOUNTED_BYTES - taken
      if (more <= 0) return undefined
      if (!pool.take(client, more)) return fail('OVERLOADED')
      taken += more
      return undefined
    },
    end() {
      if (taken > 0) pool.giveBack(client, taken)
      taken = 0
    },
  }
}

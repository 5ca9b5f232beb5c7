/** Limits the bytes of unfinished bodies in memory: per client, for all anonymous clients, and in total. */

import { type ApiError, fail } from '../errors/api-error.ts'
import type { UserId } from '../domain/ids.ts'
import { Pool } from './pool.ts'

/** Bytes of an anonymous request's body: log-ins and forms have a few hundred. */
export const ANONYMOUS_BODY_BYTES_MAX = 64 * 1024
/** Bytes of a body that are not counted, since its connection takes as many: a log-in always finds room. */
const UNCOUNTED_BYTES = 4 * 1024
const MIB = 1024 * 1024
/** Bytes in memory at a time: per address, and for all anonymous requests. */
const PER_ADDRESS_BYTES_MAX = MIB
const ANONYMOUS_BYTES_MAX = 8 * MIB
/** The same per user, who may send two of the longest bodies at once, and for all users. */
const PER_USER_BYTES_MAX = 4 * MIB
const USERS_BYTES_MAX = 128 * MIB

/** A body's share of the memory. */
export interface BodyShare {
  /** Makes room for this many bytes in total; returns an error if there is no room. */
  grow(bytes: number): ApiError | undefined
  /** Frees the whole share. */
  end(): void
}

/** Counts the bytes of unfinished bodies. */
export class BodyBudget {
  readonly #anonymous = new Pool(ANONYMOUS_BYTES_MAX, PER_ADDRESS_BYTES_MAX)
  readonly #users = new Pool(USERS_BYTES_MAX, PER_USER_BYTES_MAX)

  /** The share of a body from a user. */
  ofUser(id: UserId): BodyShare {
    return shareOf(this.#users, id)
  }

  /** The share of a body from an anonymous client. */
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

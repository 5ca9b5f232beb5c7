/**
 * Finds the primary among several servers of PostgreSQL: the one that takes changes.
 *
 * Each server is asked by a connection of its own, before a new connection opens and every other second. As soon as
 * another server is the primary, all connections of this process to the earlier one are closed, also if that one only
 * hangs; their pools open new ones.
 */

import type { Socket } from 'node:net'
import type { DatabaseAddress, DatabaseHost } from '../../server/domain/settings/database-address.ts'
import { isCertificateRefused } from '../../server/domain/settings/certificate-codes.ts'
import { postgres } from '../postgres.ts'
import { openSocket } from './open-socket.ts'
import { ServerAsker } from './server-asker.ts'

/** How often the servers are asked while a connection is open: a hanging one is left after two such times. */
const ASK_PERIOD_MS = 2_000
/**
 * Milliseconds that the others have after the first primary answered, since an earlier one may believe that it still is,
 * and that silent ones have after all others.
 */
const GRACE_MS = 300

/** No server takes changes at present: postgres.js's form of an error of the connection. */
class NoPrimaryError extends Error {
  override readonly name = 'NoPrimaryError'
  readonly code = 'NO_PRIMARY'
}

/** The clusters that this process uses, by the address: pools leave an earlier primary together. */
const primaries = new Map<string, Primary>()

/** The primary of an address. */
export function primaryOf(url: string, address: DatabaseAddress): Primary {
  const known = primaries.get(url)
  if (known) return known
  const primary = new Primary(address, () => primaries.delete(url))
  primaries.set(url, primary)
  return primary
}

/** The servers of one address, and the connections of this process to them. */
export class Primary {
  readonly #address: DatabaseAddress
  readonly #onUnused: () => void
  readonly #sockets = new Map<Socket, DatabaseHost>()
  #askers: ServerAsker[] = []
  #timer: NodeJS.Timeout | undefined
  #chosen: DatabaseHost | undefined
  #openingCount = 0
  #asking: Promise<DatabaseHost> | undefined

  constructor(address: DatabaseAddress, onUnused: () => void) {
    this.#address = address
    this.#onUnused = onUnused
  }

  /** Opens a socket to the primary; rejects if there is none. */
  async open(): Promise<Socket> {
    this.#openingCount++
    this.#begin()
    try {
      const place = await this.#find()
      const socket = await openSocket(place, this.#address.tls)
      this.#sockets.set(socket, place)
      socket.once('close', () => {
        this.#sockets.delete(socket)
        this.#restIfUnused()
      })
      return socket
    } finally {
      this.#openingCount--
      this.#restIfUnused()
    }
  }

  #begin(): void {
    if (this.#timer) return
    this.#askers = this.#address.hosts.map((place) => new ServerAsker(place, this.#address))
    this.#timer = setInterval(() => void this.#find().catch(() => undefined), ASK_PERIOD_MS)
  }

  #restIfUnused(): void {
    if (this.#sockets.size > 0 || this.#openingCount > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const asker of this.#askers) asker.end()
    this.#askers = []
    this.#onUnused()
  }

  /** Finds the primary, and leaves the others; questions meanwhile get the same answer. */
  #find(): Promise<DatabaseHost> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<DatabaseHost> {
    const { found, failures, standbyCount } = await askAll(this.#askers)
    // An earlier primary that came back too early is on an earlier timeline.
    const latest = found
      .map(({ timeline }) => timeline)
      .toSorted()
      .at(-1)
    const best = found.filter(({ timeline }) => timeline === latest).map(({ place }) => place)
    // One server may have two names: they must not take turns.
    const chosen = best.find((place) => place === this.#chosen) ?? best[0]
    if (!chosen) throw noPrimary(standbyCount, failures)
    this.#chosen = chosen
    for (const [socket, place] of this.#sockets) if (place !== chosen) socket.destroy()
    return chosen
  }
}

interface Found {
  readonly place: DatabaseHost
  readonly timeline: string
}

interface Answers {
  readonly found: readonly Found[]
  readonly failures: readonly unknown[]
  readonly standbyCount: number
}

/**
 * Asks all servers; resolves once all have answered, or a moment after the first primary has, or all but those that were
 * silent before: a machine that is gone must not delay the look at the others.
 */
async function askAll(askers: readonly ServerAsker[]): Promise<Answers> {
  const found: Found[] = []
  const failures: unknown[] = []
  let standbyCount = 0
  const enough = Promise.withResolvers<void>()
  let grace: NodeJS.Timeout | undefined
  const beginGrace = () => {
    grace ??= setTimeout(enough.resolve, GRACE_MS)
  }
  let expected = askers.filter(({ isSilent }) => !isSilent).length
  const asked = askers.map(async (asker) => {
    const { isSilent } = asker
    try {
      const timeline = await asker.ask()
      if (timeline === undefined) standbyCount++
      else {
        found.push({ place: asker.place, timeline })
        beginGrace()
      }
    } catch (error) {
      failures.push(error)
    } finally {
      if (!isSilent && --expected === 0) beginGrace()
    }
  })
  await Promise.race([Promise.all(asked), enough.promise])
  clearTimeout(grace)
  return { found: [...found], failures: [...failures], standbyCount }
}

/** Why there is no primary: if no server is a standby, the reason of one that failed, above all a refusal. */
function noPrimary(standbyCount: number, failures: readonly unknown[]): unknown {
  if (standbyCount === 0) return failures.find(isRefusal) ?? failures[0]
  return new NoPrimaryError('no server of DATABASE_URL is the primary at present', { cause: failures[0] })
}

/** Whether a server answered, and would not have us; the others are only away. */
function isRefusal(failure: unknown): boolean {
  if (failure instanceof postgres.PostgresError) return true
  return isCertificateRefused(failure as Error) || (failure as { code?: unknown }).code === 'TLS_REFUSED'
}

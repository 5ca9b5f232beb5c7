/** The connections of networks to the door for mails, and the recipients that each names. */

import { networkOf } from '../../../server/changes/server/client-network.ts'

/** Connections of one network at a time. */
const CONNECTIONS_MAX = 10
/** Recipients that a network may name in a minute: far above what people write, and too few to guess a token. */
const RECIPIENTS_MAX = 120
/** Networks in one minute; an attack from more resets the counts rather than exhausts the memory. */
const NETWORKS_MAX = 10_000
/** A relay on this machine is no stranger, and everybody is behind it. */
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/i

/** A connection, as the door names it. */
interface Connection {
  readonly id: string
  readonly remoteAddress: string
}

/** The counts of one door. */
export class CountedNetworks {
  readonly #nowMs: () => number
  /** The network of each open connection. */
  readonly #connections = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  /** The recipients of this minute, by network. */
  #named = new Map<string, number>()
  #minute = 0

  /** `nowMs` answers UNIX milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Whether a connection may stay; one that may not does not count. */
  enter({ id, remoteAddress }: Connection): boolean {
    if (LOOPBACK.test(remoteAddress)) return true
    const network = networkOf(remoteAddress)
    const count = this.#counts.get(network) ?? 0
    if (count >= CONNECTIONS_MAX) return false
    this.#connections.set(id, network)
    this.#counts.set(network, count + 1)
    return true
  }

  leave({ id }: Connection): void {
    const network = this.#connections.get(id)
    if (network === undefined) return
    this.#connections.delete(id)
    const count = this.#counts.get(network) ?? 0
    if (count <= 1) this.#counts.delete(network)
    else this.#counts.set(network, count - 1)
  }

  /** Counts a recipient; false for too many. */
  mayName({ remoteAddress }: Connection): boolean {
    if (LOOPBACK.test(remoteAddress)) return true
    const minute = Math.floor(this.#nowMs() / 60_000)
    if (minute !== this.#minute || this.#named.size >= NETWORKS_MAX) {
      this.#minute = minute
      this.#named = new Map()
    }
    const network = networkOf(remoteAddress)
    const count = (this.#named.get(network) ?? 0) + 1
    this.#named.set(network, count)
    return count <= RECIPIENTS_MAX
  }
}

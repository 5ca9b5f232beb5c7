/**
 * Counts one request against its limits: those of the client's network, of the user, and of the account that a log-in
 * names. A limit that is passed refuses the request with 429.
 */

import type { UserId } from '../../domain/ids.ts'
import type { RateLimits } from '../../domain/settings/rate-limits.ts'
import { fail } from '../../errors/api-error.ts'
import { blockOf, isListed, networkOf } from '../../changes/server/client-network.ts'
import type { RateLimiter, RateStatus } from './rate-limit.ts'

/** A block of IPv6 networks counts as much as these: else who has one would have 65,536 times the limit of others. */
const NETWORKS_PER_BLOCK = 8
/** How much more the addresses of the operator's own networks may ask for: an office with its phones and programs. */
const OWN_NETWORK_FACTOR = 50
/** Log-ins that succeed count like this part of others: they are no guesses, and an office has one address. */
const SUCCESSES_PER_LOGIN = 10
/**
 * Pages, files of the client and pictures that count like one request of an operation: the first view of a person takes
 * some 20 files, and as many pictures as people are in it, and each is a copy from memory or a short query.
 */
const PAGES_PER_REQUEST = 50

/** Requests of the provider of identities, in those of a user: Microsoft Entra wants to send 25 a second. */
const PROVIDER_FACTOR = 3

const KINDS = [
  'user',
  'address',
  'visitor',
  'login',
  'account',
  'password',
  'pictures',
  'pages',
  'documents',
  'provider',
] as const
/** The kinds of limits. */
export type LimitKind = (typeof KINDS)[number]
/** The number of requests that each limit refused. */
export type RefusedCounts = Record<LimitKind, number>

/** The counters and limits of the process. */
export interface LimitsContext {
  readonly limiter: RateLimiter
  readonly limits: RateLimits
}

/** The part of a head that limits count. */
export interface AddressHead {
  /** The client's network address, as text. It can be read before the answer, and before the upgrade of a stream. */
  readonly address: string
}

/** No refusals. */
export function createRefusedCounts(): RefusedCounts {
  return Object.fromEntries(KINDS.map((kind) => [kind, 0])) as RefusedCounts
}

/** The limits that one request counts against. */
export class RequestLimits {
  /** The rest of the limit that counted last, for the headers of the answer; undefined if none did. */
  rate: RateStatus | undefined
  readonly #head: AddressHead
  readonly #limiter: RateLimiter
  readonly #limits: RateLimits
  readonly #refused: RefusedCounts
  #network: string | undefined
  #isInOwnNetwork: boolean | undefined
  /** Keys under which the request is counted as a log-in. */
  #loginKeys: string[] = []

  constructor(head: AddressHead, { limiter, limits }: LimitsContext, refused: RefusedCounts) {
    this.#head = head
    this.#limiter = limiter
    this.#limits = limits
    this.#refused = refused
  }

  /** The network of the client's address, which limits count. Once read, it can be read later, too. */
  get network(): string {
    this.#network ??= networkOf(this.#head.address)
    return this.#network
  }

  /** Whether the operator has named the network as their own. */
  get isInOwnNetwork(): boolean {
    const { ownNetworks } = this.#limits
    this.#isInOwnNetwork ??= ownNetworks !== undefined && isListed(ownNetworks, this.#head.address)
    return this.#isInOwnNetwork
  }

  /** Counts against a limit of the network; throws 429 if that is passed. */
  countNetwork(kind: LimitKind): void {
    this.#count(kind, this.network, this.#limits.perAddress)
  }

  /** The same, and refuses nothing. */
  takeNetwork(kind: LimitKind): RateStatus {
    return this.#take(kind, this.network, this.#limits.perAddress)
  }

  /** Throws 429 if a limit of the network is already used up; counts nothing otherwise. */
  refuseSpentNetwork(kind: LimitKind): void {
    if (this.#isSpent(kind, this.network, this.#limits.perAddress)) this.countNetwork(kind)
  }

  /** Counts against the user's limit; throws 429 if that is passed. */
  countUser(userId: UserId): void {
    this.#count('user', userId, this.#limits.perUser)
  }

  /** Counts a request of the company's provider of identities; throws 429 if its limit is passed. */
  countProvider(): void {
    this.#count('provider', 'scim', this.#limits.perUser * PROVIDER_FACTOR)
  }

  /** The same, and refuses nothing. */
  takeUser(userId: UserId): void {
    this.#take('user', userId, this.#limits.perUser)
  }

  /** Throws 429 if the user's limit is already used up; counts nothing otherwise. */
  refuseSpentUser(userId: UserId): void {
    if (this.#isSpent('user', userId, this.#limits.perUser)) this.countUser(userId)
  }

  /**
   * Counts a page. People who are logged in have a count of their own: all of an office load the client anew when there is
   * a release. The next answer needs what remains of the limit of operations, so this one does not say what remains of its
   * own.
   */
  countPage(userId: UserId | undefined): void {
    const limit = this.#limits.perAddress * PAGES_PER_REQUEST
    this.#count('pages', userId === undefined ? this.network : `user ${userId}`, limit)
    this.rate = undefined
  }

  /** Counts a log-in, which may be a guess. */
  countLogin(): void {
    const { network } = this
    const successes = successesOf(network)
    if (this.#isSpent('login', successes, this.#successesMax))
      this.#count('login', successes, this.#successesMax)
    this.#count('login', network, this.#limits.logins)
    const block = blockOf(network)
    for (const one of block === undefined ? [network] : [network, block])
      this.#loginKeys.push(keyOf('login', one))
  }

  /**
   * Counts a log-in to an account, existing or not, over all addresses: many addresses must not allow more guesses than
   * one. The operator's own networks have a count of their own, so that nobody elsewhere locks people out of them.
   */
  countAccount(name: string): void {
    const account = name.toLowerCase()
    const counted = this.isInOwnNetwork ? `${this.network} ${account}` : account
    this.#count('account', counted, this.#limits.logins)
    this.#loginKeys.push(keyOf('account', counted))
  }

  /** Counts a log-in less, once it has succeeded. */
  countSuccess(): void {
    for (const key of this.#loginKeys) this.#limiter.giveBack(key)
    if (this.#loginKeys.length > 0)
      this.#limiter.take(keyOf('login', successesOf(this.network)), this.#successesMax)
    this.#loginKeys = []
  }

  /** Counts a proof of a user's password as a log-in. */
  countPassword(userId: UserId): void {
    this.#count('password', userId, this.#limits.logins)
  }

  get #successesMax(): number {
    return this.#limitIn(this.network, this.#limits.logins) * SUCCESSES_PER_LOGIN
  }

  /** Counts, and throws if the limit is passed. */
  #count(kind: LimitKind, of: string | number, limit: number): void {
    const { retryAfterSeconds } = this.#take(kind, of, limit)
    if (retryAfterSeconds !== undefined) throw fail('RATE_LIMIT_HIT', { retryAfterSeconds })
  }

  /** A limit of a network, or of anything else. */
  #limitIn(of: string | number, limit: number): number {
    return typeof of === 'string' && of === this.network && this.isInOwnNetwork
      ? limit * OWN_NETWORK_FACTOR
      : limit
  }

  #isSpent(kind: LimitKind, of: string | number, limit: number): boolean {
    return this.#limiter.isSpent(keyOf(kind, of), this.#limitIn(of, limit))
  }

  #take(kind: LimitKind, of: string | number, limit: number): RateStatus {
    const limitHere = this.#limitIn(of, limit)
    this.rate = this.#limiter.take(keyOf(kind, of), limitHere)
    const block = typeof of === 'string' ? blockOf(of) : undefined
    if (block !== undefined && this.rate.retryAfterSeconds === undefined) {
      const wider = this.#limiter.take(keyOf(kind, block), limitHere * NETWORKS_PER_BLOCK)
      if (wider.retryAfterSeconds !== undefined) this.rate = wider
    }
    if (this.rate.retryAfterSeconds !== undefined) this.#refused[kind]++
    return this.rate
  }
}

/** The key of the log-ins of a network that succeeded. */
function successesOf(network: string): string {
  return `success ${network}`
}

function keyOf(kind: LimitKind, of: string | number): string {
  return `${kind}:${of}`
}

/**
 * The door: identifies the caller of a request, counts it, and refuses it, from its head alone. Every carrier (HTTP
 * operations, resumable uploads, streams, files, pictures, forms) comes in here, each by its policy.
 */

import type { SeenUsersRecorder } from '../actors/seen-users-recorder.ts'
import type { Clock } from '../domain/clock.ts'
import type { User } from '../domain/entities.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { authenticate } from './authenticate.ts'
import { isCrossSite, type Source } from './cross-site.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import type { RateLimiter, RateLimits, RateStatus } from './rate-limit.ts'
import { readTicket } from './tickets.ts'

/** What a head says that decides whether the request may come in. */
export interface Head extends Source {
  /** The `Authorization` header; empty where there is none. */
  readonly authorization: string
  /** The client's network address, as text. */
  readonly address: string
}

/** Who may come in by a carrier, and what that counts against. */
export interface Policy {
  /** Whether the caller needs an account. */
  readonly access: 'anyone' | 'user'
  /** Requests that wait rather than work are not counted; credentials that are wrong always are. */
  readonly isUncounted?: true
  /** Log-ins are counted apart, against guessing. */
  readonly isLogin?: true
  /** Counted by `countLater` if it brings less than it said; refused at once where nothing is left. */
  readonly isCountedLater?: boolean
  /** Bots that are incoming webhooks call nothing else. */
  readonly isForWebhooks?: true
  /** Whether it is there before the organization is made. */
  readonly needsNoOrganization?: true
  /** Whether an answer of 404 counts against the address, and as what: each look costs a query. */
  readonly misses?: 'address' | 'pictures'
}

/** What the door works with. */
export interface DoorContext {
  readonly state: OrganizationState
  readonly seenUsers: SeenUsersRecorder
  readonly clock: Clock
  readonly limiter: RateLimiter
  readonly limits: RateLimits
  /** The address under which clients reach the server. */
  readonly publicUrl: string
}

/** Files with an account, and by an address that is a secret; pictures, whose addresses are none. */
export const FILE_POLICY: Policy = { access: 'user', misses: 'address' }
export const SECRET_ADDRESS_POLICY: Policy = { access: 'anyone', isUncounted: true, misses: 'address' }
export const PICTURE_POLICY: Policy = {
  access: 'anyone',
  isUncounted: true,
  needsNoOrganization: true,
  misses: 'pictures',
}
/** A form that is looked at, and one that is sent: what it holds may be guessed. */
export const FORM_POLICY: Policy = { access: 'anyone' }
export const SENT_FORM_POLICY: Policy = { access: 'anyone', isLogin: true }
export const STREAM_POLICY: Policy = { access: 'user' }
/** What a browser asks of its own accord comes without credentials. */
export const DESCRIPTION_POLICY: Policy = { access: 'anyone', needsNoOrganization: true }

/** Lets requests in. */
export class Door {
  readonly context: DoorContext

  constructor(context: DoorContext) {
    this.context = context
  }

  /** A request before the door. */
  receive(head: Head): Visit {
    return new Visit(head, this.context)
  }
}

/** One request on its way in: its caller once that is known, and what its answer says of the rate. */
export class Visit {
  readonly #head: Head
  readonly #context: DoorContext
  #misses: Policy['misses']
  rate: RateStatus | undefined
  /** The caller; undefined until the request is in, and where it needs no account. */
  user: User | undefined

  constructor(head: Head, context: DoorContext) {
    this.#head = head
    this.#context = context
  }

  /** Lets the request in; throws the refusal, with 401, 403 or 429. */
  enter(policy: Policy): void {
    this.#misses = policy.misses
    this.#refuseCrossSite()
    if (policy.access === 'anyone') this.#enterAnyone(policy)
    else this.#enterUser(policy)
  }

  /**
   * Lets a stream in, by a ticket where it has one, since browsers may add credentials of their own accord. Answers the
   * ticket's id and whether its key holds still.
   */
  enterByTicket(text: string): Pick<ReturnType<typeof readTicket>, 'id' | 'isAllowed'> {
    this.#refuseCrossSite()
    const { state, clock } = this.#context
    const ticket = this.#charging(() => readTicket(text, state, clock.nowMs()))
    this.#admit(ticket.user)
    this.#countUser(ticket.user)
    return ticket
  }

  /** Counts what was let in uncounted. */
  countLater(): void {
    if (this.user && !this.rate) this.#take('user', this.user.id, this.#context.limits.perUser)
  }

  /** Counts a proof of the caller's password as a log-in. */
  countPassword(): void {
    if (this.user) this.#count('password', this.user.id, this.#context.limits.logins)
  }

  /** The network address that the request comes from. */
  get address(): string {
    return this.#head.address
  }

  /**
   * Counts a log-in to an account, whether or not there is one, over all addresses: guesses from many must not be
   * more than from one.
   */
  countAccount(name: string): void {
    this.#count('account', name.toLowerCase(), this.#context.limits.logins)
  }

  /** Counts a failure where the carrier counts misses; answers what to say, which is another once there were too many. */
  countMiss(error: ApiError): ApiError {
    const misses = this.#misses
    if (error.status !== 404 || misses === undefined) return error
    const { retryAfterSeconds } = this.#take(misses, this.#head.address, this.#context.limits.perAddress)
    // Of pictures the next look is refused instead.
    if (retryAfterSeconds === undefined || misses === 'pictures') return error
    return fail('RATE_LIMIT_HIT', { retryAfterSeconds })
  }

  #refuseCrossSite(): void {
    if (isCrossSite(this.#head, this.#context.publicUrl)) throw fail('CROSS_SITE_REFUSED')
  }

  #enterAnyone({ isLogin, isUncounted, needsNoOrganization, misses }: Policy): void {
    const { limits, state } = this.#context
    const { address } = this.#head
    if (isLogin) this.#count('login', address, limits.logins)
    else if (!isUncounted) this.#count('address', address, limits.perAddress)
    else if (misses === 'pictures' && this.#isSpent(misses, address, limits.perAddress))
      this.#count(misses, address, limits.perAddress)
    if (!needsNoOrganization && !state.organization) throw fail('ORGANIZATION_MISSING')
  }

  #enterUser({ isForWebhooks, isUncounted, isCountedLater }: Policy): void {
    const { state, limits } = this.#context
    const user = this.#charging(() => authenticate(this.#head.authorization, state, isForWebhooks))
    this.#admit(user)
    if (isUncounted) return
    if (!isCountedLater || this.#isSpent('user', user.id, limits.perUser)) this.#countUser(user)
  }

  #admit(user: User): void {
    this.#context.seenUsers.note(user.id)
    this.user = user
  }

  #countUser(user: User): void {
    this.#count('user', user.id, this.#context.limits.perUser)
  }

  /** Guessing keys counts against the address; a valid user's limit is left alone. */
  #charging<Result>(identify: () => Result): Result {
    try {
      return identify()
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        this.#count('address', this.#head.address, this.#context.limits.perAddress)
      throw error
    }
  }

  /** Counts, and throws where that was too much. */
  #count(kind: Kind, of: string | number, limit: number): void {
    const { retryAfterSeconds } = this.#take(kind, of, limit)
    if (retryAfterSeconds !== undefined) throw fail('RATE_LIMIT_HIT', { retryAfterSeconds })
  }

  #isSpent(kind: Kind, of: string | number, limit: number): boolean {
    return this.#context.limiter.isSpent(keyOf(kind, of), limit)
  }

  #take(kind: Kind, of: string | number, limit: number): RateStatus {
    this.rate = this.#context.limiter.take(keyOf(kind, of), limit)
    return this.rate
  }
}

/** What is counted apart. */
type Kind = 'user' | 'address' | 'login' | 'account' | 'password' | 'pictures'

function keyOf(kind: Kind, of: string | number): string {
  return `${kind}:${of}`
}

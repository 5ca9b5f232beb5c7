/**
 * The door: identifies the caller of a request, counts it, and refuses it, by its head alone. Every carrier (HTTP
 * operations, resumable uploads, streams, files, pictures, forms) uses it, each with its policy.
 */

import type { SeenUsersRecorder } from '../actors/seen-users-recorder.ts'
import type { Clock } from '../domain/clock.ts'
import type { User } from '../domain/entities.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { authenticate } from './authenticate.ts'
import { isCrossSite, type Source } from './cross-site.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import type { RateLimits } from '../domain/rate-limits.ts'
import type { RateLimiter, RateStatus } from './rate-limit.ts'
import { readTicket } from './tickets.ts'

/** The parts of a head that decide about admission. */
export interface Head extends Source {
  /** The `Authorization` header; empty if absent. */
  readonly authorization: string
  /** The client's network address, as text. */
  readonly address: string
}

/** The callers that a carrier admits, and the limits that count them. */
export interface Policy {
  /** Whether the caller needs an account. */
  readonly access: 'anyone' | 'user'
  /** Requests that wait rather than work are not counted; wrong credentials always are. */
  readonly isUncounted?: true
  /** Log-ins have a limit of their own, against guessing. */
  readonly isLogin?: true
  /** Counted by `countLater` if it sends less than it announced; refused at once if the limit is spent. */
  readonly isCountedLater?: boolean
  /** Incoming webhooks may call only these operations. */
  readonly isForWebhooks?: true
  /** Whether it works before the organization exists. */
  readonly needsNoOrganization?: true
  /** The limit that counts answers of 404: each lookup costs a query. */
  readonly misses?: 'address' | 'pictures'
}

/** The dependencies of the door. */
export interface DoorContext {
  readonly state: OrganizationState
  readonly seenUsers: SeenUsersRecorder
  readonly clock: Clock
  readonly limiter: RateLimiter
  readonly limits: RateLimits
  /** The address under which clients reach the server. */
  readonly publicUrl: string
}

/** Files for users, files by secret addresses, and pictures, whose addresses are public. */
export const FILE_POLICY: Policy = { access: 'user', misses: 'address' }
export const SECRET_ADDRESS_POLICY: Policy = { access: 'anyone', isUncounted: true, misses: 'address' }
export const PICTURE_POLICY: Policy = {
  access: 'anyone',
  isUncounted: true,
  needsNoOrganization: true,
  misses: 'pictures',
}
/** A form that is viewed, and a form that is submitted: its values may be guesses. */
export const FORM_POLICY: Policy = { access: 'anyone' }
export const SENT_FORM_POLICY: Policy = { access: 'anyone', isLogin: true }
export const STREAM_POLICY: Policy = { access: 'user' }
/** Browsers request these by themselves, without credentials. */
export const DESCRIPTION_POLICY: Policy = { access: 'anyone', needsNoOrganization: true }

/** Admits requests. */
export class Door {
  readonly context: DoorContext
  /** Requests that each limit refused. */
  readonly refused: Record<Kind, number> = {
    user: 0,
    address: 0,
    login: 0,
    account: 0,
    password: 0,
    pictures: 0,
  }

  constructor(context: DoorContext) {
    this.context = context
  }

  /** A request at the door. */
  receive(head: Head): Visit {
    return new Visit(head, this)
  }
}

/** One request at the door: its caller once identified, and its rate limit for the answer. */
export class Visit {
  readonly #head: Head
  readonly #context: DoorContext
  #misses: Policy['misses']
  rate: RateStatus | undefined
  /** The caller; undefined before admission, and for public access. */
  user: User | undefined

  readonly #refused: Door['refused']

  constructor(head: Head, { context, refused }: Door) {
    this.#head = head
    this.#context = context
    this.#refused = refused
  }

  /** Admits the request; throws an error with 401, 403 or 429. */
  enter(policy: Policy): void {
    this.#misses = policy.misses
    this.#refuseCrossSite()
    if (policy.access === 'anyone') this.#enterAnyone(policy)
    else this.#enterUser(policy)
  }

  /**
   * Admits a stream. A ticket wins over other credentials, since browsers may add those by themselves. Returns the
   * ticket's id and whether its key is still valid.
   */
  enterByTicket(text: string): Pick<ReturnType<typeof readTicket>, 'id' | 'isAllowed'> {
    this.#refuseCrossSite()
    const { state, clock } = this.#context
    const ticket = this.#charging(() => readTicket(text, state, clock.nowMs()))
    this.#admit(ticket.user)
    this.#countUser(ticket.user)
    return ticket
  }

  /** Counts a request that was admitted uncounted. */
  countLater(): void {
    if (this.user && !this.rate) this.#take('user', this.user.id, this.#context.limits.perUser)
  }

  /** Counts a proof of the caller's password as a log-in. */
  countPassword(): void {
    if (this.user) this.#count('password', this.user.id, this.#context.limits.logins)
  }

  /** The network address of the request. */
  get address(): string {
    return this.#head.address
  }

  /**
   * Counts a log-in to an account, existing or not, over all addresses: many addresses must not allow more guesses than
   * one.
   */
  countAccount(name: string): void {
    this.#count('account', name.toLowerCase(), this.#context.limits.logins)
  }

  /** Counts a failure if the carrier counts misses; returns the error for the answer, which changes after too many. */
  countMiss(error: ApiError): ApiError {
    const misses = this.#misses
    if (error.status !== 404 || misses === undefined) return error
    const { retryAfterSeconds } = this.#take(misses, this.#head.address, this.#context.limits.perAddress)
    // For pictures the next request is refused instead.
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

  /** Counts guessed keys against the address; leaves a valid user's limit alone. */
  #charging<Result>(identify: () => Result): Result {
    try {
      return identify()
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        this.#count('address', this.#head.address, this.#context.limits.perAddress)
      throw error
    }
  }

  /** Counts, and throws if the limit is passed. */
  #count(kind: Kind, of: string | number, limit: number): void {
    const { retryAfterSeconds } = this.#take(kind, of, limit)
    if (retryAfterSeconds !== undefined) throw fail('RATE_LIMIT_HIT', { retryAfterSeconds })
  }

  #isSpent(kind: Kind, of: string | number, limit: number): boolean {
    return this.#context.limiter.isSpent(keyOf(kind, of), limit)
  }

  #take(kind: Kind, of: string | number, limit: number): RateStatus {
    this.rate = this.#context.limiter.take(keyOf(kind, of), limit)
    if (this.rate.retryAfterSeconds !== undefined) this.#refused[kind]++
    return this.rate
  }
}

/** The kinds of limits. */
type Kind = 'user' | 'address' | 'login' | 'account' | 'password' | 'pictures'

function keyOf(kind: Kind, of: string | number): string {
  return `${kind}:${of}`
}

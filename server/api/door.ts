/**
 * The door: identifies the caller of a request, counts it, and refuses it, by its head alone. Every carrier (HTTP
 * operations, resumable uploads, streams, files, pictures, forms) uses it, each with its policy.
 */

import { type Policy, STREAM_POLICY } from './policies.ts'
import type { SeenUsersRecorder } from '../actors/seen-users-recorder.ts'
import type { SeenSessionsRecorder } from '../actors/seen-sessions-recorder.ts'
import type { StartedSession } from '../changes/users/login-sessions.ts'
import { type Clock, nowSeconds } from '../domain/clock.ts'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import type { FoundSession } from '../domain/accounts/login-sessions.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { authenticate, findClaimed } from './authenticate.ts'
import { blockOf, isListed, networkOf } from './client-network.ts'
import { type AnswerHeaders, CLEAR_CACHE } from './error-headers.ts'
import { isCrossSite, isFromElsewhere, SAFE_METHODS, type Source } from './cross-site.ts'
import { findSession } from './find-session.ts'
import { findFactorDeadline } from './factor-deadline.ts'
import { hasVisitors } from './has-visitors.ts'
import { type NotesRefusals, noteRefusedKey } from './note-refusal.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import type { RateLimits } from '../domain/settings/rate-limits.ts'
import type { RateLimiter, RateStatus } from './rate-limit.ts'
import {
  csrfCookie,
  csrfTokenOf,
  endedSessionCookies,
  isCsrfToken,
  readStepToken,
  readSessionToken,
  sessionCookies,
  type StepCookie,
  stepCookie,
} from './session-cookies.ts'
import { isTicket, type Ticket } from './tickets.ts'

/** The parts of a head that decide about admission. */
export interface Head extends Source {
  /** The `Authorization` header; empty if absent. */
  readonly authorization: string
  /** The client's network address, as text. */
  readonly address: string
  /** The `Cookie` header, of requests that may have a session; otherwise empty. */
  readonly cookie: string
  /** The `X-CSRFToken` header of requests with a cookie; empty if absent. */
  readonly csrfToken: string
  /** Whether a trusted proxy says that its client uses TLS. */
  readonly isForwardedSecurely: boolean
}

/** The dependencies of the door. */
export interface DoorContext {
  readonly state: OrganizationState
  readonly seenUsers: SeenUsersRecorder
  readonly seenSessions: SeenSessionsRecorder
  readonly clock: Clock
  readonly limiter: RateLimiter
  readonly limits: RateLimits
  readonly refusals: NotesRefusals['refusals']
  /** Whether the operator allows visitors; the organization decides, too. */
  readonly hasWebPublicChannels: boolean
  /** The address under which clients reach the server. */
  readonly publicUrl: string
}

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

/** Admits requests. */
export class Door {
  readonly context: DoorContext
  /** Requests that each limit refused. */
  readonly refused: Record<Kind, number> = {
    user: 0,
    address: 0,
    visitor: 0,
    login: 0,
    account: 0,
    password: 0,
    pictures: 0,
    pages: 0,
    documents: 0,
  }

  /** Whether browsers must reach this server by TLS alone. */
  readonly isTlsOnly: boolean

  constructor(context: DoorContext) {
    this.context = context
    this.isTlsOnly = context.publicUrl.startsWith('https:')
  }

  /** A request at the door. */
  receive(head: Head): Exchange {
    return new Exchange(head, this)
  }
}

/** One exchange at the door: a request with its caller once identified, and the headers of its answer. */
export class Exchange {
  readonly #head: Head
  readonly #context: DoorContext
  #misses: Policy['misses']
  rate: RateStatus | undefined
  /** The caller; undefined before admission, for public access, and for visitors. */
  user: User | undefined
  /** The account that a log-in names, for the audit log; undefined if there is none. */
  claimed: UserId | undefined
  /** The log-in session of an admitted caller; undefined for one with an API key. */
  session: FoundSession | undefined
  /** Further headers of the answer. */
  headers: AnswerHeaders | undefined
  /** The `Set-Cookie` headers of the answer, by name. */
  readonly #cookies = new Map<string, string>()

  #network: string | undefined
  /** Keys under which the request is counted as a log-in. */
  #loginKeys: string[] = []
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
    else if (policy.access === 'visitor' && this.#isVisitor(policy)) this.#enterVisitor()
    else this.#enterUser(policy)
  }

  /**
   * Lets a stream with a text that may be a ticket look it up. A ticket wins over other credentials, since browsers may
   * add those by themselves. Answers the network that a wrong one counts against, like a guessed key: after an upgrade the
   * request has none.
   */
  admitTicket(text: string): string {
    this.#refuseCrossSite()
    const { network } = this
    const limit = this.#context.limits.perAddress
    if (this.#isSpent('address', network, limit)) this.#count('address', network, limit)
    this.#charging(STREAM_POLICY, () => {
      if (!isTicket(text)) throw fail('TICKET_INVALID')
    })
    return network
  }

  /**
   * Admits the user of a ticket, with the session that it was made in. It is counted, but never refused: the ticket itself
   * was a request within the limit.
   */
  enterByTicket({ user, session }: Pick<Ticket, 'user' | 'session'>): void {
    this.session = session
    this.#admit(user)
    this.#take('user', user.id, this.#context.limits.perUser)
  }

  /** Counts a look-up of a ticket that was not valid. */
  countWrongTicket(network: string): void {
    this.#take('address', network, this.#context.limits.perAddress)
    const visit = { network, claimed: undefined }
    noteRefusedKey(this.#context, visit, 'TICKET_INVALID', STREAM_POLICY)
  }

  /** The session of the cookie that the request has, whether or not it is admitted by it. */
  findSession(): FoundSession | undefined {
    const { state, clock } = this.#context
    const token = this.#sessionToken
    return token === undefined ? undefined : findSession(token, state, nowSeconds(clock))
  }

  /** Whether the session of the admitted caller still lasts. */
  isInSession(): boolean {
    return this.session !== undefined && this.findSession()?.id === this.session.id
  }

  /** Whether the admitted caller has the second factor that the organization requires, or is not late yet. */
  hasFactor(): boolean {
    const { state, clock } = this.#context
    const deadline = this.user && findFactorDeadline(state, this.user, this.session)
    return deadline === undefined || nowSeconds(clock) < deadline
  }

  /** Whether a token is that of the request's session; for forms, which have it as a field. */
  checkToken(given: string): boolean {
    return this.findSession() !== undefined && isCsrfToken(given, this.#sessionToken ?? '')
  }

  /** The token that forms of the request's session need; empty without a session. */
  get formToken(): string {
    return this.findSession() === undefined ? '' : csrfTokenOf(this.#sessionToken ?? '')
  }

  /** Gives the client the cookies of a session. */
  openSession({ token }: StartedSession): void {
    this.#setCookies(sessionCookies(token, this.#isSecure))
  }

  /** Removes the cookies of a session from the client, and what its browser has cached. */
  closeSession(): void {
    this.headers = CLEAR_CACHE
    this.#setCookies(endedSessionCookies(this.#isSecure))
  }

  /** The token of a step of a log-in, from its cookie. */
  readStep(name: StepCookie): string | undefined {
    return readStepToken(this.#head.cookie, name, this.#isSecure)
  }

  /** Gives the client the cookie of a step. */
  openStep(name: StepCookie, token: string, seconds: number): void {
    this.#setCookies([stepCookie(name, token, this.#isSecure, seconds)])
  }

  /** Removes the cookie of a step from the client. */
  closeStep(name: StepCookie): void {
    this.#setCookies([stepCookie(name, '', this.#isSecure, 0)])
  }

  /** The `Set-Cookie` headers of the answer; undefined for none. */
  get cookies(): readonly string[] | undefined {
    return this.#cookies.size === 0 ? undefined : [...this.#cookies.values()]
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

  /** The network of that address, which limits count. */
  get network(): string {
    this.#network ??= networkOf(this.#head.address)
    return this.#network
  }

  /** Whether the operator has named the network as their own. */
  get isInOwnNetwork(): boolean {
    const { ownNetworks } = this.#context.limits
    return ownNetworks !== undefined && isListed(ownNetworks, this.#head.address)
  }

  /**
   * Counts a log-in to an account, existing or not, over all addresses: many addresses must not allow more guesses than
   * one. The operator's own networks have a count of their own, so that nobody elsewhere locks people out of them.
   */
  countAccount(name: string): void {
    const account = name.toLowerCase()
    const counted = this.isInOwnNetwork ? `${this.network} ${account}` : account
    this.#count('account', counted, this.#context.limits.logins)
    this.#loginKeys.push(keyOf('account', counted))
  }

  /** Counts a log-in less, once it has succeeded. */
  countSuccess(): void {
    const { limiter } = this.#context
    for (const key of this.#loginKeys) limiter.giveBack(key)
    if (this.#loginKeys.length > 0)
      limiter.take(keyOf('login', successesOf(this.network)), this.#successesMax)
    this.#loginKeys = []
  }

  get #successesMax(): number {
    return this.#limitIn(this.network, this.#context.limits.logins) * SUCCESSES_PER_LOGIN
  }

  /** Counts a failure if the carrier counts misses; returns the error for the answer, which changes after too many. */
  countMiss(error: ApiError): ApiError {
    const misses = this.#misses
    if (error.status !== 404 || misses === undefined) return error
    const { retryAfterSeconds } = this.#take(misses, this.network, this.#context.limits.perAddress)
    // For pictures the next request is refused instead.
    if (retryAfterSeconds === undefined || misses === 'pictures') return error
    return fail('RATE_LIMIT_HIT', { retryAfterSeconds })
  }

  #requireFactor(): void {
    if (!this.hasFactor()) throw fail('SECOND_FACTOR_SETUP_REQUIRED', this.#context)
  }

  #refuseCrossSite(): void {
    if (isCrossSite(this.#head, this.#context.publicUrl)) throw fail('CROSS_SITE_REFUSED')
  }

  #enterAnyone({ isLogin, counts, needsNoOrganization, misses }: Policy): void {
    const { limits, state } = this.#context
    const { network } = this
    if (misses === 'pictures' && this.#isSpent(misses, network, limits.perAddress))
      this.#count(misses, network, limits.perAddress)
    if (isLogin) this.#countLogin(network, limits.logins)
    else if (counts === 'pages') this.#countPage(network, limits.perAddress * PAGES_PER_REQUEST)
    else this.#count(counts ?? 'address', network, limits.perAddress)
    if (!needsNoOrganization && !state.organization) throw fail('ORGANIZATION_MISSING')
  }

  #countLogin(network: string, limit: number): void {
    const successes = successesOf(network)
    if (this.#isSpent('login', successes, this.#successesMax))
      this.#count('login', successes, this.#successesMax)
    this.#count('login', network, limit)
    const block = blockOf(network)
    for (const one of block === undefined ? [network] : [network, block])
      this.#loginKeys.push(keyOf('login', one))
  }

  /**
   * People who are logged in have a count of their own: all of an office load the client anew when there is a release.
   * The next answer needs what remains of the limit of operations, so this one does not say what remains of its own.
   */
  #countPage(network: string, limit: number): void {
    const userId = this.#head.cookie === '' ? undefined : this.findSession()?.userId
    this.#count('pages', userId === undefined ? network : `user ${userId}`, limit)
    this.rate = undefined
  }

  /**
   * Whether the request has no credentials at all, and needs none. Wrong and outdated ones are refused as elsewhere, except
   * for files: a browser sends the cookie of an ended session with each picture.
   */
  #isVisitor({ admitsLinks }: Policy): boolean {
    const { authorization, cookie } = this.#head
    const { state, hasWebPublicChannels } = this.#context
    if (authorization !== '' || !hasVisitors(state, hasWebPublicChannels)) return false
    if (cookie === '' || this.#sessionToken === undefined) return true
    return admitsLinks === true && this.findSession() === undefined
  }

  /** Visitors share the limit of their address, apart from that of wrong credentials. */
  #enterVisitor(): void {
    this.#count('visitor', this.network, this.#context.limits.perAddress)
  }

  #enterUser(policy: Policy): void {
    const { isForWebhooks, isUncounted, isCountedLater, needsNoFactor } = policy
    const { state, limits } = this.#context
    const { authorization } = this.#head
    const user = this.#charging(
      policy,
      () =>
        (authorization === '' && this.#findCaller(policy)) ||
        authenticate(authorization, state, isForWebhooks),
    )
    this.#admit(user)
    if (!needsNoFactor) this.#requireFactor()
    if (isUncounted) return
    if (!isCountedLater || this.#isSpent('user', user.id, limits.perUser)) this.#countUser(user)
  }

  /** The caller by their session; undefined without a cookie of one. */
  #findCaller({ needsNoToken, admitsLinks }: Policy): User | undefined {
    const head = this.#head
    const token = head.cookie === '' ? undefined : this.#sessionToken
    if (token === undefined) return undefined
    const session = this.findSession()
    if (!session) throw fail('SESSION_INVALID')
    if (!admitsLinks && isFromElsewhere(head)) throw fail('CROSS_SITE_REFUSED')
    if (!SAFE_METHODS.includes(head.method) && !needsNoToken && !isCsrfToken(head.csrfToken, token)) {
      // The browser of a session that an earlier release began has another one; pages of its own try again with this.
      this.#setCookies([csrfCookie(token, this.#isSecure)])
      throw fail('CSRF_TOKEN_WRONG')
    }
    this.session = session
    this.#context.seenSessions.note(session.id)
    return this.#context.state.getUser(session.userId)
  }

  /** The token of a session in the request's cookie, valid or not. */
  get #sessionToken(): string | undefined {
    return readSessionToken(this.#head.cookie, this.#isSecure)
  }

  /** Whether the client reached the server by TLS. */
  get #isSecure(): boolean {
    return this.#head.isForwardedSecurely || this.#context.publicUrl.startsWith('https:')
  }

  /** A later cookie replaces an earlier one of its name. */
  #setCookies(cookies: readonly string[]): void {
    for (const cookie of cookies) this.#cookies.set(cookie.slice(0, cookie.indexOf('=')), cookie)
  }

  #admit(user: User): void {
    this.#context.seenUsers.note(user.id)
    this.user = user
  }

  #countUser(user: User): void {
    this.#count('user', user.id, this.#context.limits.perUser)
  }

  /** Counts guessed keys against the address, and notes them; leaves a valid user's limit alone. */
  #charging<Result>({ method, path }: Pick<Policy, 'method' | 'path'>, identify: () => Result): Result {
    try {
      return identify()
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        this.#count('address', this.network, this.#context.limits.perAddress)
        const claimed = findClaimed(this.#head.authorization, this.#context.state)?.id
        const operation = method === undefined || path === undefined ? undefined : { method, path }
        noteRefusedKey(this.#context, { network: this.network, claimed }, error.errorName, operation)
      }
      throw error
    }
  }

  /** Counts, and throws if the limit is passed. */
  #count(kind: Kind, of: string | number, limit: number): void {
    const { retryAfterSeconds } = this.#take(kind, of, limit)
    if (retryAfterSeconds !== undefined) throw fail('RATE_LIMIT_HIT', { retryAfterSeconds })
  }

  /** A limit of a network, or of anything else. */
  #limitIn(of: string | number, limit: number): number {
    return typeof of === 'string' && of === this.network && this.isInOwnNetwork
      ? limit * OWN_NETWORK_FACTOR
      : limit
  }

  #isSpent(kind: Kind, of: string | number, limit: number): boolean {
    return this.#context.limiter.isSpent(keyOf(kind, of), this.#limitIn(of, limit))
  }

  #take(kind: Kind, of: string | number, limit: number): RateStatus {
    const { limiter } = this.#context
    const limitHere = this.#limitIn(of, limit)
    this.rate = limiter.take(keyOf(kind, of), limitHere)
    const block = typeof of === 'string' ? blockOf(of) : undefined
    if (block !== undefined && this.rate.retryAfterSeconds === undefined) {
      const wider = limiter.take(keyOf(kind, block), limitHere * NETWORKS_PER_BLOCK)
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

/** The kinds of limits. */
type Kind =
  | 'user'
  | 'address'
  | 'visitor'
  | 'login'
  | 'account'
  | 'password'
  | 'pictures'
  | 'pages'
  | 'documents'

function keyOf(kind: Kind, of: string | number): string {
  return `${kind}:${of}`
}

/** One exchange at the door: identifies the caller of a request, and admits or refuses it by its head alone. */

import type { FoundNamedKey } from '../../domain/accounts/named-keys.ts'
import type { SeenSessionsRecorder } from '../../actors/seen-sessions-recorder.ts'
import type { SeenUsersRecorder } from '../../actors/seen-users-recorder.ts'
import type { FoundSession } from '../../domain/accounts/login-sessions.ts'
import { type Clock, nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import {
  authenticate,
  authenticateBearer,
  authenticateBot,
  authenticateProvider,
  findClaimed,
  type KeyHolder,
} from './authenticate.ts'
import { isCrossSite, isForeign, isFromElsewhere, SAFE_METHODS, type Source } from './cross-site.ts'
import { isWithin, opens } from './key-scopes.ts'
import { findFactorDeadline } from './factor-deadline.ts'
import { hasVisitors } from './has-visitors.ts'
import { type NotesRefusals, noteRefusedKey } from './note-refusal.ts'
import { type Policy, SCIM_OPERATION, STREAM_POLICY } from './policies.ts'
import { type CookieHead, RequestCookies } from './request-cookies.ts'
import { type AddressHead, type LimitsContext, type RefusedCounts, RequestLimits } from './request-limits.ts'
import { isTicket, type Ticket } from './tickets.ts'

/** The parts of a head that decide about admission. */
export interface Head extends Source, CookieHead, AddressHead {
  /** The `Authorization` header; empty if absent. */
  readonly authorization: string
  /** The `X-CSRFToken` header of requests with a cookie; empty if absent. */
  readonly csrfToken: string
  /** The parameter `api_key` of the address of a webhook; empty if it is absent, and for other requests. */
  readonly keyInAddress: string
}

/** The dependencies of the door. */
export interface DoorContext extends LimitsContext {
  readonly state: OrganizationState
  readonly seenUsers: SeenUsersRecorder
  readonly seenSessions: SeenSessionsRecorder
  /** The same for named keys. */
  readonly seenKeys: SeenSessionsRecorder
  readonly clock: Clock
  readonly refusals: NotesRefusals['refusals']
  /** Whether the operator allows visitors; the organization decides, too. */
  readonly hasWebPublicChannels: boolean
  /** The address under which clients reach the server. */
  readonly publicUrl: string
}

/** A request with its caller once identified, its limits and its cookies. */
export class Exchange {
  /** The limits that it counts against. */
  readonly limits: RequestLimits
  /** The cookies of the request and of its answer. */
  readonly cookies: RequestCookies
  /** The caller; undefined before admission, for public access, and for visitors. */
  user: User | undefined
  /** The account that a log-in names, for the audit log; undefined if there is none. */
  claimed: UserId | undefined
  /** The log-in session of an admitted caller; undefined for one with an API key. */
  session: FoundSession | undefined
  /** The named key of an admitted caller; undefined for the others. */
  key: FoundNamedKey | undefined
  readonly #head: Head
  readonly #context: DoorContext
  #misses: Policy['misses']
  /** Whether its caller has a bearer token. */
  #hasBearer = false

  constructor(head: Head, context: DoorContext, refused: RefusedCounts) {
    this.#head = head
    this.#context = context
    this.limits = new RequestLimits(head, context, refused)
    this.cookies = new RequestCookies(head, context)
  }

  /** The network address of the request. */
  get address(): string {
    return this.#head.address
  }

  /**
   * Admits the request; throws an error with 401, 403 or 429. A request that carries several operations enters for each:
   * the caller is the one that its credentials name at that time.
   */
  enter(policy: Policy): void {
    this.#misses = policy.misses
    this.#hasBearer ||= policy.takesBearer === true
    if (!policy.isFromPartner) this.#refuseCrossSite()
    if (policy.access === 'anyone') this.#enterAnyone(policy)
    // Visitors share the limit of their address, apart from that of wrong credentials.
    else if (policy.access === 'visitor' && this.#isVisitor(policy)) this.limits.countNetwork('visitor')
    else this.#enterUser(policy)
  }

  /**
   * Lets a stream with a text that may be a ticket look it up. A ticket wins over other credentials, since browsers may
   * add those by themselves. A wrong one counts against the network, like a guessed key.
   */
  admitTicket(text: string): void {
    this.#refuseCrossSite()
    this.limits.refuseSpentNetwork('address')
    this.#countingGuesses(STREAM_POLICY, () => {
      if (!isTicket(text)) throw fail('TICKET_INVALID')
    })
  }

  /**
   * Admits the user of a ticket, with the session that it was made in. It is counted, but never refused: the ticket itself
   * was a request within the limit.
   */
  enterByTicket({ user, session }: Pick<Ticket, 'user' | 'session'>): void {
    this.session = session
    this.#admit(user)
    this.limits.takeUser(user.id)
  }

  /** Counts a look-up of a ticket that was not valid. */
  countWrongTicket(): void {
    this.limits.takeNetwork('address')
    noteRefusedKey(
      this.#context,
      { limits: this.limits, claimed: undefined },
      'TICKET_INVALID',
      STREAM_POLICY,
    )
  }

  /** Admits the company's provider of identities by its token; it has no user, and a limit of its own. */
  enterProvider(): void {
    this.#hasBearer = true
    this.#refuseCrossSite()
    this.#countingGuesses(SCIM_OPERATION, () =>
      authenticateProvider(this.#head.authorization, this.#context.state),
    )
    this.limits.countProvider()
  }

  /** Throws if the admitted caller has a named key that does not open this call of the operation. */
  checkCall(operation: Policy, params: Readonly<Record<string, unknown>>): void {
    if (this.key && !isWithin(this.key, operation, params, this.#context.state))
      throw fail('KEY_SCOPE_EXCEEDED')
  }

  /** Whether the session of the admitted caller still lasts. */
  isInSession(): boolean {
    return this.session !== undefined && this.cookies.findSession()?.id === this.session.id
  }

  /** Whether the admitted caller has the second factor that the organization requires, or is not late yet. */
  hasFactor(): boolean {
    const { state, clock } = this.#context
    const deadline = this.user && findFactorDeadline(state, this.user, this.session)
    return deadline === undefined || nowSeconds(clock) < deadline
  }

  /** Counts a request that was admitted uncounted. */
  countLater(): void {
    if (this.user && !this.limits.rate) this.limits.takeUser(this.user.id)
  }

  /** Counts a failure if the carrier counts misses; returns the error for the answer, which changes after too many. */
  countMiss(error: ApiError): ApiError {
    const misses = this.#misses
    if (error.status !== 404 || misses === undefined) return error
    const { retryAfterSeconds } = this.limits.takeNetwork(misses)
    // For pictures the next request is refused instead.
    if (retryAfterSeconds === undefined || misses === 'pictures') return error
    return fail('RATE_LIMIT_HIT', { retryAfterSeconds })
  }

  #refuseCrossSite(): void {
    const { publicUrl } = this.#context
    const isRefused = this.#hasBearer ? isForeign(this.#head, publicUrl) : isCrossSite(this.#head, publicUrl)
    if (isRefused) throw fail('CROSS_SITE_REFUSED')
  }

  #enterAnyone({ isLogin, counts, needsNoOrganization, misses }: Policy): void {
    if (misses === 'pictures') this.limits.refuseSpentNetwork(misses)
    if (isLogin) this.limits.countLogin()
    else if (counts === 'pages') this.limits.countPage(this.cookies.findSession()?.userId)
    else this.limits.countNetwork(counts ?? 'address')
    if (!needsNoOrganization && !this.#context.state.organization) throw fail('ORGANIZATION_MISSING')
  }

  /**
   * Whether the request has no credentials at all, and needs none. Wrong and outdated ones are refused as elsewhere, except
   * for files: a browser sends the cookie of an ended session with each picture.
   */
  #isVisitor({ admitsLinks }: Policy): boolean {
    const { state, hasWebPublicChannels } = this.#context
    if (this.#head.authorization !== '' || !hasVisitors(state, hasWebPublicChannels)) return false
    if (!this.cookies.hasSession) return true
    return admitsLinks === true && this.cookies.findSession() === undefined
  }

  #enterUser(policy: Policy): void {
    const { isForWebhooks, takesWebhook, isUncounted, isCountedLater, needsNoFactor } = policy
    const { authorization, keyInAddress } = this.#head
    const { state } = this.#context
    const now = nowSeconds(this.#context.clock)
    const { user, key } = this.#countingGuesses(policy, () =>
      this.#hasBearer
        ? authenticateBearer(authorization, state, now)
        : takesWebhook
          ? authenticateBot(keyInAddress, state, now)
          : (authorization === '' && this.#findCaller(policy)) ||
            authenticate(authorization, state, now, isForWebhooks),
    )
    this.#admit(user)
    if (key) this.#admitKey(key, policy)
    if (!needsNoFactor && !this.hasFactor()) throw fail('SECOND_FACTOR_SETUP_REQUIRED', this.#context)
    if (isUncounted) return
    if (isCountedLater) this.limits.refuseSpentUser(user.id)
    else this.limits.countUser(user.id)
  }

  /** The caller by their session; undefined without a cookie of one. */
  #findCaller({ needsNoToken, admitsLinks }: Policy): KeyHolder | undefined {
    const head = this.#head
    if (!this.cookies.hasSession) return undefined
    const session = this.cookies.findSession()
    if (!session) throw fail('SESSION_INVALID')
    if (!admitsLinks && isFromElsewhere(head)) throw fail('CROSS_SITE_REFUSED')
    if (!SAFE_METHODS.includes(head.method) && !needsNoToken && !this.cookies.hasToken(head.csrfToken)) {
      // The browser of a session that an earlier release began has another one; pages of its own try again with this.
      this.cookies.renewToken()
      throw fail('CSRF_TOKEN_WRONG')
    }
    this.session = session
    this.#context.seenSessions.note(session.id)
    return { user: this.#context.state.getUser(session.userId), key: undefined }
  }

  /** Admits a named key to what it is for; other requests count all the same. */
  #admitKey(key: FoundNamedKey, policy: Policy): void {
    this.key = key
    this.#context.seenKeys.note(key.id)
    if (opens(key, policy)) return
    this.limits.countUser(key.userId)
    throw fail('KEY_SCOPE_EXCEEDED')
  }

  #admit(user: User): void {
    this.#context.seenUsers.note(user.id)
    this.user = user
  }

  /** Counts guessed keys against the address, and notes them; leaves a valid user's limit alone. */
  #countingGuesses<Result>(
    { method, path, takesWebhook }: Pick<Policy, 'method' | 'path' | 'takesWebhook'>,
    identify: () => Result,
  ): Result {
    try {
      return identify()
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || takesWebhook)) {
        this.limits.countNetwork('address')
        const claimed = findClaimed(this.#head.authorization, this.#context.state)?.id
        const operation = method === undefined || path === undefined ? undefined : { method, path }
        noteRefusedKey(this.#context, { limits: this.limits, claimed }, error.errorName, operation)
      }
      throw error
    }
  }
}

/** The cookies of one request and of its answer: those of a browser's session, and of the steps of a log-in. */

import { type StartedSession, hashSessionToken } from '../../changes/users/login-sessions.ts'
import { type FoundSession, isYoungSession } from '../../domain/accounts/login-sessions.ts'
import { type Clock, nowSeconds } from '../../domain/clock.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { type AnswerHeaders, CLEAR_CACHE } from '../error-headers.ts'
import {
  csrfCookie,
  csrfTokenOf,
  endedSessionCookies,
  isCsrfToken,
  readSessionToken,
  readStepToken,
  sessionCookies,
  type StepCookie,
  stepCookie,
} from './session-cookies.ts'
import { timingSafeEqual } from 'node:crypto'
import type { UserId } from '../../domain/ids.ts'

const TOKEN = /^([1-9][0-9]{0,9})\.[A-Za-z0-9_-]{43}$/

/** The parts of a head that concern cookies. */
export interface CookieHead {
  /** The `Cookie` header, of requests that may have a session; otherwise empty. */
  readonly cookie: string
  /** Whether a trusted proxy says that its client uses TLS. */
  readonly isForwardedSecurely: boolean
}

interface CookiesContext {
  readonly state: OrganizationState
  readonly clock: Clock
  /** The address under which clients reach the server. */
  readonly publicUrl: string
}

/** The cookies of a request and of its answer. */
export class RequestCookies {
  /** Headers of the answer that go with its cookies. */
  headers: AnswerHeaders | undefined
  readonly #header: string
  /** Whether the client reached the server by TLS. */
  readonly #isSecure: boolean
  readonly #state: OrganizationState
  readonly #clock: Clock
  /** The `Set-Cookie` headers of the answer, by name. */
  #set: Map<string, string> | undefined

  constructor({ cookie, isForwardedSecurely }: CookieHead, { state, clock, publicUrl }: CookiesContext) {
    this.#header = cookie
    this.#isSecure = isForwardedSecurely || publicUrl.startsWith('https:')
    this.#state = state
    this.#clock = clock
  }

  /** Whether the request has the cookie of a session, valid or not. */
  get hasSession(): boolean {
    return this.#token !== undefined
  }

  /** The session of the request's cookie, whether or not the request is admitted by it. */
  findSession(): FoundSession | undefined {
    const token = this.#token
    return token === undefined ? undefined : findSession(token, this.#state, nowSeconds(this.#clock))
  }

  /** Whether a token against cross-site requests belongs to the session's cookie, valid or not. */
  hasToken(given: string): boolean {
    return isCsrfToken(given, this.#token ?? '')
  }

  /** Whether a token is that of a session that has not ended; for forms, which have it as a field. */
  checkToken(given: string): boolean {
    return this.findSession() !== undefined && this.hasToken(given)
  }

  /** The token that forms of the request's session need; empty without a session. */
  get formToken(): string {
    return this.findSession() === undefined ? '' : csrfTokenOf(this.#token ?? '')
  }

  /** Gives the client the cookies of a session. */
  openSession({ token }: StartedSession): void {
    this.#add(sessionCookies(token, this.#isSecure))
  }

  /** Gives the client the token against cross-site requests of its session again. */
  renewToken(): void {
    if (this.#token !== undefined) this.#add([csrfCookie(this.#token, this.#isSecure)])
  }

  /** Removes the cookies of a session from the client, and what its browser has cached. */
  closeSession(): void {
    this.headers = CLEAR_CACHE
    this.#add(endedSessionCookies(this.#isSecure))
  }

  /** The token of a step of a log-in. */
  readStep(name: StepCookie): string | undefined {
    return readStepToken(this.#header, name, this.#isSecure)
  }

  /** Gives the client the cookie of a step. */
  openStep(name: StepCookie, token: string, seconds: number): void {
    this.#add([stepCookie(name, token, this.#isSecure, seconds)])
  }

  /** Removes the cookie of a step from the client. */
  closeStep(name: StepCookie): void {
    this.#add([stepCookie(name, '', this.#isSecure, 0)])
  }

  /** The `Set-Cookie` headers of the answer; undefined for none. */
  get setCookies(): readonly string[] | undefined {
    return this.#set && [...this.#set.values()]
  }

  /** The token of a session, valid or not. */
  get #token(): string | undefined {
    return this.#header === '' ? undefined : readSessionToken(this.#header, this.#isSecure)
  }

  /** A later cookie replaces an earlier one of its name. */
  #add(cookies: readonly string[]): void {
    this.#set ??= new Map()
    for (const cookie of cookies) this.#set.set(cookie.slice(0, cookie.indexOf('=')), cookie)
  }
}

/**
 * The session of a token; undefined if it is unknown, has ended or is too old. The state is all that it asks, so a
 * session ends in a process with the event that ends it.
 */
function findSession(token: string, state: OrganizationState, nowSeconds: number): FoundSession | undefined {
  const userId = Number(TOKEN.exec(token)?.[1]) as UserId
  const user = state.users.get(userId)
  if (!user?.isActive) return undefined
  const given = Buffer.from(hashSessionToken(token))
  const found = state.loginSessions
    .get(userId)
    ?.find(({ tokenHash }) => timingSafeEqual(given, Buffer.from(tokenHash)))
  return found && isYoungSession(found, nowSeconds) ? { ...found, userId } : undefined
}

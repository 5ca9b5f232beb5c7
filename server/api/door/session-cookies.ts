/**
 * The cookies of log-ins: the session's token, which scripts cannot read, the token against cross-site requests, which
 * they must read, and those of the steps of a log-in.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { SESSION_AGE_SECONDS_MAX } from '../../domain/accounts/login-sessions.ts'

const SESSION_NAME = 'sessionid'
/** Characters of a session's token: longer ones are not ours. */
const TOKEN_LENGTH_MAX = 100
/**
 * The cookies that bind a step of a log-in to its browser, and by which its log-ins are recognized. A person returns from
 * a provider by a link of another site, so three of them are sent then; that of the step at a provider has all that the
 * return needs, within what browsers take.
 */
const STEPS = {
  loginstep: { sameSite: 'Lax', lengthMax: TOKEN_LENGTH_MAX },
  loginpasskey: { sameSite: 'Strict', lengthMax: TOKEN_LENGTH_MAX },
  logindevice: { sameSite: 'Lax', lengthMax: TOKEN_LENGTH_MAX },
  providerstep: { sameSite: 'Lax', lengthMax: 4_096 },
} as const
export type StepCookie = keyof typeof STEPS
const CSRF_NAME = 'csrftoken'
/** Browsers accept a cookie with this prefix only over TLS, for this host alone: no neighbour can set it. */
const HOST_PREFIX = '__Host-'
/** Characters of all cookies together; a browser may have cookies of other programs on this host. */
const COOKIES_LENGTH_MAX = 16 * 1024

/** Whether a path is a page for log-ins, which a session reaches whatever credentials a browser adds. */
export function isPeoplesPath(path: string): boolean {
  return path.startsWith('/accounts/')
}

/**
 * The session's token in a `Cookie` header; undefined without one. A second, different one may come from a neighbour of
 * this host, so then none counts.
 */
export function readSessionToken(header: string, isSecure: boolean): string | undefined {
  return readCookie(header, SESSION_NAME, TOKEN_LENGTH_MAX, isSecure)
}

/** The same for the token of a step. */
export function readStepToken(header: string, name: StepCookie, isSecure: boolean): string | undefined {
  return readCookie(header, name, STEPS[name].lengthMax, isSecure)
}

function readCookie(header: string, name: string, lengthMax: number, isSecure: boolean): string | undefined {
  if (header.length > COOKIES_LENGTH_MAX) return undefined
  const start = `${nameOf(name, isSecure)}=`
  let token: string | undefined
  for (const part of header.split(';')) {
    const cookie = part.trim()
    if (!cookie.startsWith(start)) continue
    const value = cookie.slice(start.length)
    if (value === '' || value.length > lengthMax) return undefined
    if (token !== undefined && token !== value) return undefined
    token = value
  }
  return token
}

/** The cookies of a session. */
export function sessionCookies(token: string, isSecure: boolean): readonly string[] {
  const lasting = { isSecure, seconds: SESSION_AGE_SECONDS_MAX }
  return [cookie(SESSION_NAME, token, { ...lasting, isHidden: true }), csrfCookie(token, isSecure)]
}

/** The cookie with the token against cross-site requests of a session. */
export function csrfCookie(sessionToken: string, isSecure: boolean): string {
  return cookie(CSRF_NAME, csrfTokenOf(sessionToken), { isSecure, seconds: SESSION_AGE_SECONDS_MAX })
}

/** The cookie of a step. */
export function stepCookie(name: StepCookie, token: string, isSecure: boolean, seconds: number): string {
  const { sameSite } = STEPS[name]
  return cookie(name, token, { isSecure, seconds, isHidden: true, sameSite })
}

/** Cookies that remove those of a session. */
export function endedSessionCookies(isSecure: boolean): readonly string[] {
  const over = { isSecure, seconds: 0 }
  return [cookie(SESSION_NAME, '', { ...over, isHidden: true }), cookie(CSRF_NAME, '', over)]
}

/**
 * The token against cross-site requests: it follows from the session's, so a token of another session is wrong. It does not
 * follow from the stored hash of that, so a reader of the database has neither.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('cross-site requests').digest('base64url')
}

/** Whether a given token is that of the session; takes as long for every wrong one of the right length. */
export function isCsrfToken(given: string, sessionToken: string): boolean {
  const expected = Buffer.from(csrfTokenOf(sessionToken))
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

function nameOf(name: string, isSecure: boolean): string {
  return isSecure ? HOST_PREFIX + name : name
}

interface CookieOptions {
  readonly isSecure: boolean
  readonly seconds: number
  /** Whether scripts cannot read it. */
  readonly isHidden?: boolean
  readonly sameSite?: 'Lax' | 'Strict'
}

function cookie(
  name: string,
  value: string,
  { isSecure, seconds, isHidden, sameSite = 'Lax' }: CookieOptions,
): string {
  const attributes = `Path=/; Max-Age=${seconds}; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
  return `${nameOf(name, isSecure)}=${value}; ${attributes}${isHidden ? '; HttpOnly' : ''}`
}

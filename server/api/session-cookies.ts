/**
 * The cookies of a log-in session: the session's token, which scripts cannot read, and the token against cross-site
 * requests, which they must read.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { SESSION_AGE_SECONDS_MAX } from '../domain/login-sessions.ts'

const SESSION_NAME = 'sessionid'
const CSRF_NAME = 'csrftoken'
/** Browsers accept a cookie with this prefix only over TLS, for this host alone: no neighbour can set it. */
const HOST_PREFIX = '__Host-'
/** Characters of all cookies together; a browser may have cookies of other programs on this host. */
const COOKIES_LENGTH_MAX = 16 * 1024
/** Characters of a session's token: longer ones are not ours. */
const TOKEN_LENGTH_MAX = 100

/** Whether a path is a page for log-ins, which a session reaches whatever credentials a browser adds. */
export function isPeoplesPath(path: string): boolean {
  return path.startsWith('/accounts/')
}

/**
 * The session's token in a `Cookie` header; undefined without one. A second, different one may come from a neighbour of
 * this host, so then none counts.
 */
export function readSessionToken(header: string, isSecure: boolean): string | undefined {
  if (header.length > COOKIES_LENGTH_MAX) return undefined
  const start = `${nameOf(SESSION_NAME, isSecure)}=`
  let token: string | undefined
  for (const part of header.split(';')) {
    const cookie = part.trim()
    if (!cookie.startsWith(start)) continue
    const value = cookie.slice(start.length)
    if (value === '' || value.length > TOKEN_LENGTH_MAX) return undefined
    if (token !== undefined && token !== value) return undefined
    token = value
  }
  return token
}

/** The cookies of a session. */
export function sessionCookies(token: string, tokenHash: string, isSecure: boolean): readonly string[] {
  return [
    cookie(SESSION_NAME, token, isSecure, SESSION_AGE_SECONDS_MAX, true),
    cookie(CSRF_NAME, csrfTokenOf(tokenHash), isSecure, SESSION_AGE_SECONDS_MAX, false),
  ]
}

/** Cookies that remove those of a session. */
export function endedSessionCookies(isSecure: boolean): readonly string[] {
  return [cookie(SESSION_NAME, '', isSecure, 0, true), cookie(CSRF_NAME, '', isSecure, 0, false)]
}

/** The token against cross-site requests: it follows from the session's, so a token of another session is wrong. */
export function csrfTokenOf(tokenHash: string): string {
  return createHmac('sha256', tokenHash).update('cross-site requests').digest('base64url')
}

/** Whether a given token is that of the session; takes as long for every wrong one of the right length. */
export function isCsrfToken(given: string, tokenHash: string): boolean {
  const expected = Buffer.from(csrfTokenOf(tokenHash))
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

function nameOf(name: string, isSecure: boolean): string {
  return isSecure ? HOST_PREFIX + name : name
}

function cookie(name: string, value: string, isSecure: boolean, seconds: number, isHidden: boolean): string {
  const attributes = `Path=/; Max-Age=${seconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${nameOf(name, isSecure)}=${value}; ${attributes}${isHidden ? '; HttpOnly' : ''}`
}

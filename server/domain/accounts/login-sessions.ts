/** Log-in sessions: the log-ins of browsers, which a cookie continues. */

import type { UserId } from '../ids.ts'

const DAY_SECONDS = 24 * 3600

/** A log-in session, as every process needs it. */
export interface LoginSession {
  readonly id: string
  /** The SHA-256 hash, in hex, of the token in the cookie. */
  readonly tokenHash: string
  /** UNIX seconds of the log-in. */
  readonly createdAt: number
  /** Whether it began by a passkey, which counts as both factors; left out otherwise. */
  readonly isByPasskey?: true
}

/** A log-in session with its user. */
export interface FoundSession extends LoginSession {
  readonly userId: UserId
}

/** The credentials that a log-in has proved. They must still be valid when it is committed. */
export type LoginProof =
  | {
      readonly kind: 'password'
      /** Undefined if the user has none, and logs in by a provider. */
      readonly passwordHash: string | undefined
      /** The secret of the authenticator app; undefined if there was none. */
      readonly totpSecret: string | undefined
    }
  | { readonly kind: 'passkey'; readonly id: string }

/** The browser of a log-in session, for the list that its user sees. */
export interface SessionDevice {
  /** The start of its User-Agent. */
  readonly client: string
  /** The network address of the log-in. */
  readonly address: string
}

/** Sessions of a user: a dozen devices with a few browsers each; another log-in ends the oldest. */
export const SESSIONS_PER_USER_MAX = 30
/** A copied cookie must become worthless some day, even if it is used; people accept two log-ins a year. */
export const SESSION_AGE_SECONDS_MAX = 180 * DAY_SECONDS
/** A browser that nobody has used for longer than a long holiday may be someone else's by now. */
export const SESSION_IDLE_SECONDS_MAX = 30 * DAY_SECONDS
/** The precision of the time of last use: one write for many requests. */
export const SESSION_SEEN_SECONDS = 600
/** Characters of a User-Agent: browsers name themselves within these. */
export const SESSION_CLIENT_LENGTH_MAX = 300

/** Whether a session is young enough at a time, in UNIX seconds. */
export function isYoungSession({ createdAt }: LoginSession, nowSeconds: number): boolean {
  return nowSeconds - createdAt < SESSION_AGE_SECONDS_MAX
}

/** The oldest first; the same order in the state and in the tables. */
export function bySessionAge(a: LoginSession, b: LoginSession): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
}

/** Second factors: what a log-in needs besides a password. */

import type { NewPasskey } from './passkeys.ts'
import type { Secret } from '../secret.ts'
import type { UserId } from '../ids.ts'

/** An authenticator app of a user, whose codes log-ins ask for. */
export interface Totp {
  /** In base32. */
  readonly secret: string
}

/** A change of the rows of second factors. */
export type FactorWrite =
  | {
      readonly kind: 'totp_on'
      readonly secret: string
      /** The time step of the code that proved the app. */
      readonly step: number
      readonly enabledAt: number
      readonly codeHashes: readonly string[]
    }
  | { readonly kind: 'totp_off' }
  | { readonly kind: 'codes_renewed'; readonly codeHashes: readonly string[] }
  | { readonly kind: 'passkey_added'; readonly passkey: NewPasskey }
  | { readonly kind: 'passkey_removed'; readonly id: string }
  | { readonly kind: 'reset' }

/** The kinds of changes, which the audit log has. */
export const FACTOR_CHANGES = [
  'totp_on',
  'totp_off',
  'codes_renewed',
  'passkey_added',
  'passkey_removed',
  'reset',
] as const satisfies readonly FactorWrite['kind'][]
export type FactorChange = (typeof FACTOR_CHANGES)[number]

/** A user's second factors changed. */
export interface SecondFactorsChanged {
  readonly type: 'second_factors_changed'
  readonly userId: UserId
  readonly change: FactorChange
  readonly secrets: Secret<FactorWrite>
}

/** Seconds of a code's time step, as all apps have them. */
export const TOTP_STEP_SECONDS = 30
/** Steps before and after the present one: clocks of phones differ, and people type slowly. */
export const TOTP_WINDOW_STEPS = 1
/** Seconds in which an app must prove its secret: the page with the secret may stay open on a screen. */
export const TOTP_START_SECONDS_MAX = 900
/** Recovery codes of a user: some to lose, and few enough to write down. */
export const RECOVERY_CODES_COUNT = 10
/**
 * Wrong codes of a user in an hour, over all addresses and processes. Three codes of a million are right at a time: a
 * thief of the password who uses up each hour needs some 1,000 days for an even chance.
 */
export const FACTOR_TRIES_MAX = 10
export const FACTOR_TRIES_SECONDS = 3_600
/** Seconds between the password and the code of a log-in: enough to find the phone. */
export const HALF_LOGIN_SECONDS = 600
/** Seconds for which a new session proves who its user is: the changes of second factors follow a log-in. */
export const FRESH_SESSION_SECONDS = 600
/** Characters of a code with its spaces and hyphens. */
export const CODE_LENGTH_MAX = 40

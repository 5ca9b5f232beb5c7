/** Authenticator apps: their secrets, and their codes by RFC 6238 with the values that all apps take. */

import { Secret, TOTP } from 'otpauth'
import { TOTP_STEP_SECONDS, TOTP_WINDOW_STEPS, type Totp } from '../../domain/accounts/second-factors.ts'

/** Bytes of a secret: as long as the hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Digits of a code. */
const DIGITS = 6

/** A new secret. */
export function newTotp(): Totp {
  return { secret: new Secret({ size: SECRET_BYTES }).base32 }
}

/** The address that brings a secret into an app; the names are what the app shows. */
export function totpUrl({ secret }: Totp, issuer: string, label: string): string {
  // A colon separates the two names.
  return totpOf(secret, issuer.replaceAll(':', ' '), label.replaceAll(':', ' ')).toString()
}

/** The time step of which a text is the code, near a time in milliseconds; undefined for none. */
export function findStep({ secret }: Totp, code: string, nowMs: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: TOTP_WINDOW_STEPS })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / TOTP_STEP_SECONDS) + delta
}

/** Whether a text may be the code of an app. */
export function isTotpCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text)
}

function totpOf(secret: string, issuer = '', label = 'account'): TOTP {
  const period = TOTP_STEP_SECONDS
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), digits: DIGITS, period })
}

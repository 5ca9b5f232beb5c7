/** Recovery codes: each replaces a code of the authenticator app once. */

import { randomInt } from 'node:crypto'
import { RECOVERY_CODES_COUNT } from '../../domain/accounts/second-factors.ts'
import { hashApiKey } from '../passwords.ts'

/** Digits and letters that people do not take for one another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits: nobody guesses it, even with its hash. */
const LENGTH = 16
const GROUP = /.{4}(?=.)/g

/** New codes, as their user sees them. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES_COUNT }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
      .join('')
      .replace(GROUP, '$&-'),
  )
}

/** The stored form of a code, however it is typed: it is random, like an API key. */
export function hashRecoveryCode(typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return hashApiKey(code)
}

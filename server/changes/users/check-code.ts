/** Checks the code of a second factor: of the authenticator app, or a recovery code. */

import type { Sql } from '../../../db/connection/connect.ts'
import {
  acceptStep,
  clearFactorTries,
  spendRecoveryCode,
  takeFactorTry,
} from '../../../db/accounts/second-factors.ts'
import { type Clock, nowSeconds } from '../../domain/clock.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Totp } from '../../domain/accounts/second-factors.ts'
import { fail } from '../../errors/api-error.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { findStep, isTotpCode } from './totp.ts'

/** The services that check codes. */
export interface CodeChecking {
  readonly sql: Sql
  readonly clock: Clock
}

/**
 * Whether a text is a valid code of a user, which is used up then. Throws `RATE_LIMIT_HIT` after too many wrong codes of
 * the app, wherever they are from. Recovery codes are too long to guess: a thief of the password who uses up the tries
 * does not lock the user out.
 */
export async function spendCode(
  services: CodeChecking,
  userId: UserId,
  totp: Totp,
  typed: string,
): Promise<boolean> {
  const { sql } = services
  const code = typed.replaceAll(/\s/g, '')
  if (!isTotpCode(code)) return spendRecoveryCode(sql, userId, hashRecoveryCode(code))
  const step = await tryCode(services, userId, totp, code)
  if (step === undefined || !(await acceptStep(sql, userId, totp, step))) return false
  await clearFactorTries(sql, userId)
  return true
}

/** The time step of a code of the app, which counts as a try. Throws `RATE_LIMIT_HIT` after too many. */
export async function tryCode(
  { sql, clock }: CodeChecking,
  userId: UserId,
  totp: Totp,
  code: string,
): Promise<number | undefined> {
  const now = nowSeconds(clock)
  const nextAt = await takeFactorTry(sql, userId, now)
  if (nextAt !== undefined) throw fail('RATE_LIMIT_HIT', { retryAfterSeconds: Math.max(1, nextAt - now) })
  return findStep(totp, code, clock.nowMs())
}

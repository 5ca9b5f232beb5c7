/** Changes of a user's second factors, by their user or the operator. */

import type { Sql } from '../../../db/connection/connect.ts'
import { findTotpStart, StaleFactorError, storeTotpStart } from '../../../db/accounts/second-factors.ts'
import { done } from '../../decisions/decision.ts'
import { resetFactors } from '../../decisions/users/reset-second-factors.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { Secret } from '../../domain/secret.ts'
import type { NewPasskey } from '../../domain/accounts/passkeys.ts'
import { type FactorWrite, TOTP_START_SECONDS_MAX, type Totp } from '../../domain/accounts/second-factors.ts'
import type { ApiError, Fail } from '../../errors/api-error.ts'
import { submitForServer, type Writer } from '../submit.ts'
import { tryCode } from './check-code.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { newTotp } from './totp.ts'

type FactorWriter = Writer & { readonly sql: Sql }

/** Makes a secret for the app of a user, which counts once a code has proved it. */
export async function startTotp(
  { sql, clock }: FactorWriter,
  { id }: User,
  fail: Fail<'TOTP_ENABLED'>,
): Promise<Totp> {
  const totp = newTotp()
  if (!(await storeTotpStart(sql, id, totp.secret, nowSeconds(clock)))) throw fail('TOTP_ENABLED')
  return totp
}

/** Enables the app whose code this is; answers the recovery codes. */
export async function enableTotp(
  writer: FactorWriter,
  { id }: User,
  typed: string,
  fail: Fail<'TOTP_MISSING' | 'OWN_CODE_WRONG'>,
): Promise<readonly string[]> {
  const { sql, clock } = writer
  const enabledAt = nowSeconds(clock)
  const totp = await findTotpStart(sql, id, enabledAt - TOTP_START_SECONDS_MAX)
  if (!totp) throw fail('TOTP_MISSING')
  const step = await tryCode(writer, id, totp, typed.replaceAll(/\s/g, ''))
  if (step === undefined) throw fail('OWN_CODE_WRONG')
  const codes = newRecoveryCodes()
  const codeHashes = codes.map(hashRecoveryCode)
  const { secret } = totp
  await submitFactors(writer, id, { kind: 'totp_on', secret, step, enabledAt, codeHashes }, () =>
    fail('TOTP_MISSING'),
  )
  return codes
}

/** Disables the app of a user, with the recovery codes. */
export async function disableTotp(
  writer: FactorWriter,
  { id }: User,
  fail: Fail<'TOTP_MISSING'>,
): Promise<void> {
  await submitFactors(writer, id, { kind: 'totp_off' }, () => fail('TOTP_MISSING'))
}

/** Replaces the recovery codes of a user; answers the new ones. */
export async function renewRecoveryCodes(
  writer: FactorWriter,
  { id }: User,
  fail: Fail<'TOTP_MISSING'>,
): Promise<readonly string[]> {
  const codes = newRecoveryCodes()
  await submitFactors(writer, id, { kind: 'codes_renewed', codeHashes: codes.map(hashRecoveryCode) }, () =>
    fail('TOTP_MISSING'),
  )
  return codes
}

/** Removes all second factors of a user, and ends their sessions, by the operator. */
export async function resetFactorsByOperator(writer: Writer, userId: UserId): Promise<void> {
  await submitForServer(writer, (scope) => done(resetFactors(scope, userId)))
}

/** Adds a passkey that was checked. */
export async function addPasskey(
  writer: Writer,
  { id }: User,
  passkey: NewPasskey,
  fail: Fail<'PASSKEY_NOT_ADDED'>,
): Promise<void> {
  await submitFactors(writer, id, { kind: 'passkey_added', passkey }, () => fail('PASSKEY_NOT_ADDED'))
}

/** Removes a passkey of a user. */
export async function removeOwnPasskey(
  writer: Writer,
  { id }: User,
  passkeyId: string,
  fail: Fail<'PASSKEY_UNKNOWN'>,
): Promise<void> {
  await submitFactors(writer, id, { kind: 'passkey_removed', id: passkeyId }, () => fail('PASSKEY_UNKNOWN'))
}

/** Commits a change. It fails with the refusal if another change came first. */
async function submitFactors(
  writer: Writer,
  userId: UserId,
  write: FactorWrite,
  refusal: () => ApiError,
): Promise<void> {
  const secrets = new Secret(write)
  const change = write.kind
  try {
    await submitForServer(writer, () => done([{ type: 'second_factors_changed', userId, change, secrets }]), {
      actorId: userId,
    })
  } catch (error) {
    if (error instanceof StaleFactorError) throw refusal()
    throw error
  }
}

/** The identity of a person on its way from the answer of a provider by SAML to our own page, sealed in its address. */

import { readAddressSecret } from '../../db/accounts/signing-secrets.ts'
import type { Identity } from '../changes/sign-on/apply-identity.ts'
import { openSeal, seal } from './seal.ts'
import type { Services } from './services.ts'

/** Milliseconds for that way, which the browser goes by itself. */
const WAY_MS_MAX = 60_000
const PURPOSE = 'identities by SAML'

/** The log-in that an identity is for. */
interface LoginOfIdentity {
  readonly provider: string
  readonly state: string
}

interface SealedIdentity extends LoginOfIdentity {
  readonly identity: Identity
  readonly expiresAtMs: number
}

type SealServices = Pick<Services, 'sql' | 'clock'>

export async function sealIdentity(
  { sql, clock }: SealServices,
  login: LoginOfIdentity,
  identity: Identity,
): Promise<string> {
  const sealed: SealedIdentity = { ...login, identity, expiresAtMs: clock.nowMs() + WAY_MS_MAX }
  return seal(await readAddressSecret(sql), PURPOSE, sealed)
}

/** The identity for a log-in; undefined if it is for another one, too old, or not sealed here. */
export async function openIdentity(
  { sql, clock }: SealServices,
  { provider, state }: LoginOfIdentity,
  text: string,
): Promise<Identity | undefined> {
  const sealed = openSeal(await readAddressSecret(sql), PURPOSE, text) as SealedIdentity | undefined
  const isRight =
    sealed?.provider === provider && sealed.state === state && clock.nowMs() <= sealed.expiresAtMs
  return isRight ? sealed.identity : undefined
}

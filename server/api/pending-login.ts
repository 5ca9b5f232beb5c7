/**
 * Log-ins that wait for a person to return from a provider. The browser has everything in a sealed cookie, so only the
 * browser that began can return; a ticket lets it return once.
 */

import { randomBytes } from 'node:crypto'
import { readAddressSecret } from '../../db/accounts/signing-secrets.ts'
import type { LoginSecrets } from '../changes/sign-on/login-provider.ts'
import type { WaitingApp } from '../domain/accounts/waiting-apps.ts'
import type { Exchange } from './door/exchange.ts'
import type { Services } from './services.ts'
import { openSeal, seal } from './seal.ts'
import { createTicket, redeemOpenTicket, type TicketUse } from './door/tickets.ts'

/** A log-in with a second factor, or with a new account at the provider, takes some minutes. */
const PENDING_SECONDS = 600
const TICKET: TicketUse = { name: 'log-in by provider', seconds: PENDING_SECONDS }
const COOKIE = 'providerstep'
/** Characters of a sealed log-in: browsers have 4096 for a cookie. */
const SEALED_LENGTH_MAX = 3_900
const PURPOSE = 'pending log-ins'
const SECRET_BYTES = 32

/** The purpose of a log-in, as its start gave it. */
export interface LoginAim {
  readonly provider: string
  /** The address within this server that follows. */
  readonly next?: string | undefined
  /** The app that waits for the log-in. */
  readonly app?: WaitingApp | undefined
  readonly invitationKey?: string | undefined
}

/** A log-in that waits. */
export interface PendingLogin extends LoginAim {
  readonly secrets: LoginSecrets
  readonly expiresAtMs: number
}

type CookieExchange = Pick<Exchange, 'cookies'>
type PendingServices = Pick<Services, 'sql' | 'clock'>

/** Begins a log-in, in place of another of the same browser. */
export async function beginLogin(
  { sql, clock }: PendingServices,
  exchange: CookieExchange,
  aim: LoginAim,
): Promise<LoginSecrets> {
  const expiresAtMs = clock.nowMs() + PENDING_SECONDS * 1000
  const [nonce, verifier] = [randomSecret(), randomSecret()]
  const secrets = { state: await createTicket({ sql, clock }, TICKET), nonce, verifier }
  const key = await readAddressSecret(sql)
  let sealed = seal(key, PURPOSE, { ...aim, secrets, expiresAtMs })
  // An address of all foreign letters is too long when it is encoded: the log-in is worth more than it.
  if (sealed.length > SEALED_LENGTH_MAX)
    sealed = seal(key, PURPOSE, { ...aim, next: undefined, secrets, expiresAtMs })
  exchange.cookies.openStep(COOKIE, sealed, PENDING_SECONDS)
  return secrets
}

/**
 * The log-in that a browser returns from, once; undefined if the browser did not begin it, or at another provider, or
 * if it is used or too old.
 */
export async function endLogin(
  { sql, clock }: PendingServices,
  exchange: CookieExchange,
  provider: string,
  state: string,
): Promise<PendingLogin | undefined> {
  const sealed = exchange.cookies.readStep(COOKIE)
  const pending =
    sealed === undefined
      ? undefined
      : (openSeal(await readAddressSecret(sql), PURPOSE, sealed) as PendingLogin | undefined)
  if (pending?.provider !== provider || pending.secrets.state !== state) return undefined
  exchange.cookies.closeStep(COOKIE)
  const isFirst = await redeemOpenTicket({ sql, clock }, state, TICKET)
  return isFirst && clock.nowMs() <= pending.expiresAtMs ? pending : undefined
}

function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/**
 * Tickets open a stream for clients that cannot set headers, such as browsers. They also let a browser without a session
 * return as its user.
 *
 * A ticket is a random text. Its row has its hash, its user and the hash of the API key or session that made it: no stored
 * value makes a ticket, and no ticket outlives what it was made with (`db/accounts/tickets.ts`).
 */

import { randomBytes } from 'node:crypto'
import type { Sql } from '../../../db/connection/connect.ts'
import { findTicket, storeTicket, takeTicket, type TicketHolder } from '../../../db/accounts/tickets.ts'
import { hashApiKey } from '../../changes/passwords.ts'
import type { Clock } from '../../domain/clock.ts'
import type { FoundSession } from '../../domain/accounts/login-sessions.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** The purpose of a ticket, and its lifetime; no other use accepts it. */
export interface TicketUse {
  readonly name: string
  readonly seconds: number
}

/** The lifetime of a ticket for a stream: for the one request that follows, over a slow line. */
export const TICKET_SECONDS = 30
export const STREAM_TICKET: TicketUse = { name: 'stream', seconds: TICKET_SECONDS }

/** Bytes of randomness in a ticket: nobody guesses it. */
const TICKET_BYTES = 32
const TICKET = /^[A-Za-z0-9_-]{43}$/

/** A valid ticket. */
export interface Ticket {
  readonly user: User
  /** The log-in session that it was made in; undefined for one that was made with an API key. */
  readonly session: FoundSession | undefined
  /** Whether its user still has the key or session that it was made with. */
  readonly isAllowed: () => boolean
}

/** The services of tickets. */
export interface TicketServices {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly clock: Clock
}

/** Whether a text could be a ticket. */
export function isTicket(text: string): boolean {
  return TICKET.test(text)
}

/** Makes a ticket for a caller, or one that names no user; answers its text, which is safe in an address. */
export async function createTicket(
  { sql, clock }: Pick<TicketServices, 'sql' | 'clock'>,
  { name, seconds }: TicketUse,
  holder?: TicketHolder,
): Promise<string> {
  const text = randomBytes(TICKET_BYTES).toString('base64url')
  const nowMs = clock.nowMs()
  const ticket = { hash: hashApiKey(text), use: name, holder, expiresAtMs: nowMs + seconds * 1000 }
  await storeTicket(sql, ticket, nowMs)
  return text
}

/** A ticket that stays valid; undefined for every defect. */
export async function readTicket(
  services: TicketServices,
  text: string,
  use: TicketUse,
): Promise<Ticket | undefined> {
  return checkHolder(services, await within(findTicket, services, text, use))
}

/** Uses a ticket, which is possible once among all processes; undefined for every defect. */
export async function redeemTicket(
  services: TicketServices,
  text: string,
  use: TicketUse,
): Promise<Ticket | undefined> {
  return checkHolder(services, await within(takeTicket, services, text, use))
}

/** Uses a ticket that names no user; false for every defect. */
export async function redeemOpenTicket(
  services: Pick<TicketServices, 'sql' | 'clock'>,
  text: string,
  use: TicketUse,
): Promise<boolean> {
  return (await within(takeTicket, services, text, use)) === null
}

function within(
  look: typeof takeTicket,
  { sql, clock }: Pick<TicketServices, 'sql' | 'clock'>,
  text: string,
  { name }: TicketUse,
) {
  return isTicket(text) ? look(sql, { hash: hashApiKey(text), use: name }, clock.nowMs()) : undefined
}

function checkHolder({ state }: TicketServices, holder: TicketHolder | null | undefined): Ticket | undefined {
  if (!holder) return undefined
  const { userId, keyHash } = holder
  const isAllowed = () => hasKey(state, userId, keyHash)
  if (!isAllowed()) return undefined
  const session = state.loginSessions.get(userId)?.find(({ tokenHash }) => tokenHash === keyHash)
  return { user: state.getUser(userId), session: session && { ...session, userId }, isAllowed }
}

function hasKey(state: OrganizationState, userId: UserId, keyHash: string): boolean {
  return state.users.get(userId)?.isActive === true && state.credentialHashesOf(userId).includes(keyHash)
}

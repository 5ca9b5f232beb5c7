/**
 * Tickets open a WebSocket for clients that cannot set headers, such as browsers. They also let a browser without a
 * session return as its user.
 *
 * A ticket has a user and an expiry time, and is signed with the hash of the API key that it was made with. All
 * processes have that hash, no client gets it, and it disappears with the key. So any process can verify a ticket, and
 * no ticket outlives its key. Its row ensures that it is used once (`db/tickets.ts`).
 */

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { fail } from '../errors/api-error.ts'

/** The lifetime of a ticket: for the one request that follows, over a slow line. */
export const TICKET_SECONDS = 30

/** The purpose of a ticket; no other use accepts it. */
export interface TicketUse {
  readonly name: string
  readonly seconds: number
}

const STREAM: TicketUse = { name: 'ticket', seconds: TICKET_SECONDS }

/** A new ticket. */
export interface NewTicket {
  readonly id: string
  readonly expiresAtMs: number
  /** The text for its client, safe in an address. */
  readonly text: string
}

/** A genuine ticket; it may have been used. */
export interface Ticket {
  readonly id: string
  readonly user: User
  /** Whether its user still has the key that it was made with. */
  readonly isAllowed: () => boolean
}

/** Creates a ticket for a user who called with the key of that hash. */
export function createTicket(userId: UserId, keyHash: string, nowMs: number, use = STREAM): NewTicket {
  const id = randomUUID()
  const expiresAtMs = nowMs + use.seconds * 1000
  const said = `${userId}.${expiresAtMs}.${id}`
  return { id, expiresAtMs, text: `${said}.${sign(said, keyHash, use).toString('base64url')}` }
}

/** Reads a ticket; throws the same error for every defect. */
export function readTicket(text: string, state: OrganizationState, nowMs: number, use = STREAM): Ticket {
  const [, said, userId, expiresAtMs, id, signature] = TICKET.exec(text) ?? []
  if (said === undefined || id === undefined || signature === undefined) throw fail('TICKET_INVALID')
  const user = state.users.get(Number(userId) as UserId)
  if (!user?.isActive || nowMs > Number(expiresAtMs)) throw fail('TICKET_INVALID')
  const given = Buffer.from(signature, 'base64url')
  const hashes = () => state.credentialHashesOf(user.id)
  const keyHash = hashes().find((hash) => timingSafeEqual(given, sign(said, hash, use)))
  if (keyHash === undefined) throw fail('TICKET_INVALID')
  return {
    id,
    user,
    isAllowed: () => state.getUser(user.id).isActive && hashes().includes(keyHash),
  }
}

const TICKET = /^(([0-9]{1,10})\.([0-9]{1,15})\.([0-9a-f-]{36}))\.([A-Za-z0-9_-]{43})$/

function sign(said: string, keyHash: string, { name }: TicketUse): Buffer {
  return createHmac('sha256', keyHash).update(`${name} ${said}`).digest()
}

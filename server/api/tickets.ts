/**
 * Tickets: what opens a WebSocket where a client can set no headers, as in a browser; or lets a browser that has no
 * session come back in the name of its user.
 *
 * A ticket says whose it is and until when, and is signed with the hash of the API key that it was made
 * with. All processes know that hash, no client is told it, and it goes with the key: so any process
 * knows a ticket at once, and none outlives its key. That it is used once is up to its row (`db/tickets.ts`).
 */

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { fail } from '../errors/api-error.ts'

/** How long a ticket is good: for the one request that follows, over a slow line. */
export const TICKET_SECONDS = 30

/** What a ticket is good for, which no other is. */
export interface TicketUse {
  readonly name: string
  readonly seconds: number
}

const STREAM: TicketUse = { name: 'ticket', seconds: TICKET_SECONDS }

/** A ticket as it was given out. */
export interface NewTicket {
  readonly id: string
  readonly expiresAtMs: number
  /** What its client is given, fit for an address. */
  readonly text: string
}

/** A ticket that is genuine; whether it was used is not known yet. */
export interface Ticket {
  readonly id: string
  readonly user: User
  /** Whether the key it was made with is still one of its user's. */
  readonly isAllowed: () => boolean
}

/** Makes a ticket for a user who called with the key of that hash. */
export function createTicket(userId: UserId, keyHash: string, nowMs: number, use = STREAM): NewTicket {
  const id = randomUUID()
  const expiresAtMs = nowMs + use.seconds * 1000
  const said = `${userId}.${expiresAtMs}.${id}`
  return { id, expiresAtMs, text: `${said}.${sign(said, keyHash, use).toString('base64url')}` }
}

/** Reads a ticket; throws the same failure whatever is wrong with it. */
export function readTicket(text: string, state: OrganizationState, nowMs: number, use = STREAM): Ticket {
  const [, said, userId, expiresAtMs, id, signature] = TICKET.exec(text) ?? []
  if (said === undefined || id === undefined || signature === undefined) throw fail('TICKET_INVALID')
  const user = state.users.get(Number(userId) as UserId)
  if (!user?.isActive || nowMs > Number(expiresAtMs)) throw fail('TICKET_INVALID')
  const given = Buffer.from(signature, 'base64url')
  const hashes = () => state.apiKeyHashes.get(user.id) ?? []
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

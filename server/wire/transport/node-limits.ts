/** How long the transport on `node:http` waits for clients; tests wait for less. */

import { DROP_MS_MAX } from './transport.ts'

/** Milliseconds each. */
export interface NodeLimits {
  /** For a head to arrive, and between requests. */
  readonly headMs: number
  /** How often Node looks for heads that are overdue. */
  readonly headLookMs: number
  /** For the next 160 KiB of a body to arrive. */
  readonly bodyMs: number
  /** For a client that reads nothing of an answer. */
  readonly stalledMs: number
  /** For a client to read the last answer, and for the rest of its request to arrive, before its connection is closed. */
  readonly lingerMs: number
  /** For the answer to a close frame. */
  readonly closeMs: number
}

/** As long as uWebSockets.js waits, if it does. */
export const NODE_LIMITS: NodeLimits = {
  headMs: 10_000,
  headLookMs: 2_000,
  bodyMs: 10_000,
  stalledMs: 10_000,
  lingerMs: DROP_MS_MAX,
  closeMs: 10_000,
}

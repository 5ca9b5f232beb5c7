/** The audit log: who changed what, and when. The table of events says which facts it has, and what it stores of each. */

import type { Fact } from '../events.ts'
import type { EventId, UserId } from '../ids.ts'

/** The server itself or its operator, as an actor. */
export const SERVER_ACTOR = 0
/** The actor of entries by releases that did not store it. */
export const UNKNOWN_ACTOR = -1
/** The company's provider of identities, by SCIM. */
export const SCIM_ACTOR = -2
export type ActorId = UserId | typeof SERVER_ACTOR | typeof UNKNOWN_ACTOR | typeof SCIM_ACTOR

/** An entry of the audit log. */
export interface AuditEntry {
  /** The number of its event. */
  readonly id: EventId
  /** UNIX seconds. */
  readonly at: number
  readonly actorId: ActorId
  readonly kind: Fact['type']
  /** The part of the fact that is stored. */
  readonly part: object
}

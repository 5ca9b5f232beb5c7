/** What a registration's parts are made of. */

import type { PresenceFilter } from '../../actors/presence.ts'
import type { QueueOptions } from '../../actors/session.ts'
import type { User } from '../../domain/entities.ts'
import type { EventId } from '../../domain/ids.ts'
import type { Services } from '../operation.ts'

/** Whom a registration is for, and how they want things told. */
export interface RegistrationContext {
  readonly user: User
  readonly services: Services
  readonly options: QueueOptions
  /** Who is there, and in which form. */
  readonly presence: PresenceFilter
  /** The state is told as of this event. */
  readonly asOf: EventId
}

/** Fields of the reply. */
export type Fields = Record<string, unknown>

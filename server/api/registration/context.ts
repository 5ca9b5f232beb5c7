/** The context of a registration's parts. */

import type { PresenceFilter } from '../../actors/presence.ts'
import type { QueueOptions } from '../../actors/session.ts'
import type { User } from '../../domain/entities.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { EventId, UserId } from '../../domain/ids.ts'
import type { OwnList } from '../../domain/personal/own-lists.ts'
import type { Services } from '../services.ts'

/** The user of a registration, and the forms that the client chose. */
export interface RegistrationContext {
  readonly user: User
  readonly services: Services
  readonly options: QueueOptions
  /** The requested presence entries, and their form. */
  readonly presence: PresenceFilter
  /** The state is as of this event. */
  readonly asOf: EventId
}

/** A list of the user's own from the database, as of the registration's event; most users have none. */
export async function readOwnList<Entry>(
  { user, services: { sql, state }, asOf }: RegistrationContext,
  list: OwnList,
  read: (sql: Sql, userId: UserId, asOf: EventId) => Promise<Entry[]>,
): Promise<Entry[]> {
  return state.listOwners.has(list, user.id) ? read(sql, user.id, asOf) : []
}

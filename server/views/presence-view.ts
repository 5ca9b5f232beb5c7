/** Presence for clients: by user id, or for older clients by email address and client. */

import type { User } from '../domain/entities.ts'
import { type Presence, presenceStatus, presenceTime } from '../domain/users/presence.ts'
import { anyOf, BOOLEAN, INTEGER, mapOf, oneOf, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** Schema of `viewPresence`. */
export const PRESENCE = record({ active_timestamp: INTEGER, idle_timestamp: INTEGER })

const CLIENT_PRESENCE_FIELDS = { client: STRING, status: oneOf('active', 'idle'), timestamp: INTEGER }

/** Schema of `viewLegacyClient`. */
export const CLIENT_PRESENCE = record({ ...CLIENT_PRESENCE_FIELDS, pushable: BOOLEAN })

/** Schema of `viewLegacyPresence`, by email address. */
export const PRESENCES = mapOf(
  record({ website: CLIENT_PRESENCE, aggregated: record(CLIENT_PRESENCE_FIELDS) }),
)

/** Schema of presences in the form that the client asked for: by email address, or by user id. */
export const EITHER_PRESENCES = anyOf(PRESENCES, mapOf(PRESENCE))

const LAST_SEEN = record({ status: oneOf('active', 'idle', 'offline'), timestamp: INTEGER })

/** Schema of `viewPresence` and, per client, of `viewLegacyPresence`. */
export const USER_PRESENCE = record({
  active_timestamp: INTEGER,
  idle_timestamp: INTEGER,
  aggregated: LAST_SEEN,
  website: LAST_SEEN,
})

/** A presence for clients that compute the status; a user without activity counts as idle since they joined. */
export function viewPresence({ activeAt, idleAt }: Presence, { joinedAt }: User): ValueOf<typeof PRESENCE> {
  return { active_timestamp: activeAt === 0 ? joinedAt : activeAt, idle_timestamp: idleAt }
}

/** The one client that older clients see for a user. */
export function viewLegacyClient(presence: Presence): ValueOf<typeof CLIENT_PRESENCE> {
  return {
    client: 'website',
    status: presenceStatus(presence),
    timestamp: presenceTime(presence),
    pushable: false,
  }
}

/** A presence entry. */
export function viewLegacyPresence(presence: Presence): ValueOf<typeof PRESENCES>[string] {
  const { pushable: _, ...aggregated } = viewLegacyClient(presence)
  return { website: viewLegacyClient(presence), aggregated }
}

/** An entry of the object by user id, as JSON. */
export function encodePresence(presence: Presence, user: User): string {
  return `"${user.id}":${JSON.stringify(viewPresence(presence, user))}`
}

/** An entry of the object by email address, as JSON. */
export function encodeLegacyPresence(presence: Presence, email: string): string {
  return `${JSON.stringify(email)}:${JSON.stringify(viewLegacyPresence(presence))}`
}

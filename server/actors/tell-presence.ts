/** The events by which clients are told of those who come, go idle or return. */

import type { NewEvent } from '../domain/events.ts'
import { PRESENCE_EVENT_USERS_MAX, type Presence } from '../domain/presence.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Decision } from '../decisions/decision.ts'

/** All in one event, and for clients of old each in one of its own. */
export function decideTelling(
  state: OrganizationState,
  changed: readonly Presence[],
  toldAt: number,
): Decision<void> {
  const users = state.rights.activeUsers
  const presences = changed.filter(({ userId }) => users.has(userId))
  const reply = () => undefined
  const isTold = !state.settings.presenceDisabled && users.size <= PRESENCE_EVENT_USERS_MAX
  if (presences.length === 0 || !isTold) return { events: [], reply }
  const audience = { kind: 'users', users } as const
  const single = presences.map((presence): NewEvent => {
    return {
      event: { type: 'presence/single', presence, toldAt, clients: 'without_simplified_presence' },
      audience,
    }
  })
  const together: NewEvent = {
    event: { type: 'presence', presences, clients: 'with_simplified_presence' },
    audience,
  }
  return { events: [together, ...single], reply }
}

/** The events that notify clients of users who become active, idle or offline. */

import type { NewEvent } from '../domain/events.ts'
import { PRESENCE_EVENT_USERS_MAX, type Presence } from '../domain/users/presence.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Decision } from '../decisions/decision.ts'

/** All users in one event and, for legacy clients, one event per user. */
export function decidePresenceEvents(
  state: OrganizationState,
  changed: readonly Presence[],
  toldAt: number,
): Decision<void> {
  const users = state.rights.activeUsers
  const presences = changed.filter(({ userId }) => users.has(userId))
  const reply = () => undefined
  const isVisible = !state.settings.presenceDisabled && users.size <= PRESENCE_EVENT_USERS_MAX
  if (presences.length === 0 || !isVisible) return { events: [], reply }
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

/** Changes of the lists that administrators keep. */

import type { NewEvent } from '../../domain/events.ts'
import type { Linkifier, Playground } from '../../domain/organization-lists.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** Tells everyone which linkifiers there are now. */
export function tellLinkifiers(state: OrganizationState, linkifiers: readonly Linkifier[]): NewEvent {
  return {
    event: { type: 'realm_linkifiers', linkifiers, clients: 'with_linkifier_templates' },
    audience: { kind: 'users', users: state.rights.activeUsers },
  }
}

/** Tells everyone which playgrounds there are now. */
export function tellPlaygrounds(state: OrganizationState, playgrounds: readonly Playground[]): NewEvent {
  return {
    event: { type: 'realm_playgrounds', playgrounds },
    audience: { kind: 'users', users: state.rights.activeUsers },
  }
}

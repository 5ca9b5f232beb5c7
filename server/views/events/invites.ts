/** What is told of invitations: that others are there now. */

import type { InviteEvent } from '../../domain/events/invites.ts'
import type { EventViews } from './event-context.ts'

export const INVITE_EVENT_VIEWS: EventViews<InviteEvent> = {
  invites_changed: ({ type }) => ({ type }),
}

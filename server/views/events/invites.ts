/** The events of invitations: clients learn that the list has changed. */

import type { InviteEvent } from '../../domain/events/invites.ts'
import { eventOf, type EventSchemas, type EventViews } from './event-context.ts'

/** The events of invitations. */
export const INVITE_EVENTS = {
  invites_changed: eventOf('invites_changed', 'The invitations changed; fetch them again.', {}),
} satisfies EventSchemas<InviteEvent>

export const INVITE_EVENT_VIEWS: EventViews<InviteEvent, typeof INVITE_EVENTS> = {
  invites_changed: ({ type }) => ({ type }),
}

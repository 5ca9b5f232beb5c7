/** The events of video calls, as users get them. */

import type { CallEvent } from '../../domain/events/calls.ts'
import { eventOf, type EventSchemas, type EventViews } from './event-context.ts'
import { BOOLEAN } from '../../domain/json-schema.ts'

/** The events of video calls. */
export const CALL_EVENTS = {
  has_provider_token: eventOf(
    'has_provider_token',
    'The user allowed calls at the provider, or the provider no longer accepts the token.',
    { value: BOOLEAN },
  ),
} satisfies EventSchemas<CallEvent>

export const CALL_EVENT_VIEWS: EventViews<CallEvent, typeof CALL_EVENTS> = {
  has_provider_token: ({ type, value }, { options }) => ({
    // The name that the client asked for; the reference has only the neutral one.
    type: (options.typeAliases?.[type] ?? type) as typeof type,
    value,
  }),
}

/** What users are told of what they may do at the provider of video calls. */

import type { CallEvent } from '../../domain/events/calls.ts'
import type { EventViews } from './event-context.ts'

export const CALL_EVENT_VIEWS: EventViews<CallEvent> = {
  has_provider_token: ({ type, value }, { options }) => ({
    type: options.typeAliases?.[type] ?? type,
    value,
  }),
}

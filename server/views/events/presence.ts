/** The events of presence, statuses and typing, as clients get them. */

import type { PresenceEvent } from '../../domain/events/presence.ts'
import type { EventId } from '../../domain/ids.ts'
import type { Presence } from '../../domain/users/presence.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { CLIENT_PRESENCE, encodePresence, PRESENCE, viewLegacyClient } from '../presence-view.ts'
import { USER_STATUS_FIELDS, viewStatusChange } from '../status-view.ts'
import {
  EDIT_TYPING_FIELDS,
  TYPING_FIELDS,
  TYPING_PLACE_FIELDS,
  viewEditTyping,
  viewTyping,
} from '../typing-view.ts'
import { eventOf, type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import { INTEGER, mapOf, NUMBER, record, STRING } from '../../domain/json-schema.ts'

/** The events of presence, statuses and typing. */
export const PRESENCE_EVENTS = {
  user_status: eventOf(
    'user_status',
    'The status of a user changed.',
    { user_id: INTEGER },
    USER_STATUS_FIELDS,
  ),
  presence: eventOf('presence', 'The presence of users changed.', { presences: mapOf(PRESENCE) }),
  'presence/single': eventOf(
    'presence',
    'The presence of one user changed; for clients without `simplified_presence_events`.',
    {
      user_id: INTEGER,
      email: STRING,
      server_timestamp: NUMBER,
      presence: record({ website: CLIENT_PRESENCE }),
    },
  ),
  'typing/start': opEventOf(
    'typing/start',
    'A user started typing a message.',
    TYPING_FIELDS,
    TYPING_PLACE_FIELDS,
  ),
  'typing/stop': opEventOf(
    'typing/stop',
    'A user stopped typing a message.',
    TYPING_FIELDS,
    TYPING_PLACE_FIELDS,
  ),
  'typing_edit_message/start': opEventOf(
    'typing_edit_message/start',
    'A user started editing a message.',
    EDIT_TYPING_FIELDS,
  ),
  'typing_edit_message/stop': opEventOf(
    'typing_edit_message/stop',
    'A user stopped editing a message.',
    EDIT_TYPING_FIELDS,
  ),
} satisfies EventSchemas<PresenceEvent>

/** The changed presence, as JSON text. */
export function encodePresenceEvent(
  id: EventId,
  presences: readonly Presence[],
  state: OrganizationState,
): string {
  const encoded = presences.map((one) => encodePresence(one, state.getUser(one.userId)))
  return `{"id":${id},"type":"presence","presences":{${encoded.join(',')}}}`
}

/** The views of presence, statuses and typing. */
export const PRESENCE_EVENT_VIEWS: EventViews<PresenceEvent, typeof PRESENCE_EVENTS> = {
  user_status: ({ userId, changes, ...shown }, { options }) => {
    const isAway = 'isAway' in shown ? { isAway: shown.isAway } : {}
    const status = viewStatusChange({ ...changes, ...isAway }, options.readsOriginalTypes)
    return { type: 'user_status', user_id: userId, ...status }
  },
  'presence/single': ({ presence, toldAt }, { state, recipient }) => ({
    type: 'presence',
    user_id: presence.userId,
    email: state.apiEmailFor(recipient.userId, state.getUser(presence.userId)),
    server_timestamp: toldAt,
    presence: { website: viewLegacyClient(presence) },
  }),
  'typing/start': (event, { state, options }) => ({
    type: 'typing',
    op: 'start',
    ...viewTyping(event, state, options),
  }),
  'typing/stop': (event, { state, options }) => ({
    type: 'typing',
    op: 'stop',
    ...viewTyping(event, state, options),
  }),
  'typing_edit_message/start': (event, { options }) => ({
    type: 'typing_edit_message',
    op: 'start',
    ...viewEditTyping(event, options),
  }),
  'typing_edit_message/stop': (event, { options }) => ({
    type: 'typing_edit_message',
    op: 'stop',
    ...viewEditTyping(event, options),
  }),
}

/** What clients are told of who is there, how they are and what they are doing. */

import type { EditTypingEvent, PresenceEvent, TypingEvent } from '../../domain/events/presence.ts'
import type { EventId } from '../../domain/ids.ts'
import type { Presence } from '../../domain/presence.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { encodePresence, viewLegacyClient } from '../presence-view.ts'
import { viewStatusChange } from '../status-view.ts'
import { viewEditTyping, viewTyping } from '../typing-view.ts'
import { type EventContext, type EventViews, opOf } from './event-context.ts'

/** Whose presence changed, as JSON text. */
export function encodePresenceEvent(
  id: EventId,
  presences: readonly Presence[],
  state: OrganizationState,
): string {
  const encoded = presences.map((one) => encodePresence(one, state.getUser(one.userId)))
  return `{"id":${id},"type":"presence","presences":{${encoded.join(',')}}}`
}

function viewTypingEvent(event: TypingEvent, { state, options }: EventContext): object {
  return { type: 'typing', op: opOf(event.type), ...viewTyping(event, state, options) }
}

function viewEditTypingEvent(event: EditTypingEvent, { options }: EventContext): object {
  return { type: 'typing_edit_message', op: opOf(event.type), ...viewEditTyping(event, options) }
}

/** The views of how somebody is. */
export const PRESENCE_EVENT_VIEWS: EventViews<PresenceEvent> = {
  user_status: ({ type, userId, changes, isAway }) => {
    const isAwayToo = isAway === undefined ? {} : { isAway }
    return { type, user_id: userId, ...viewStatusChange({ ...changes, ...isAwayToo }) }
  },
  'presence/single': ({ presence, toldAt }, { state, recipient }) => ({
    type: 'presence',
    user_id: presence.userId,
    email: state.apiEmailFor(recipient.userId, state.getUser(presence.userId)),
    server_timestamp: toldAt,
    presence: { website: viewLegacyClient(presence) },
  }),
  'typing/start': viewTypingEvent,
  'typing/stop': viewTypingEvent,
  'typing_edit_message/start': viewEditTypingEvent,
  'typing_edit_message/stop': viewEditTypingEvent,
}

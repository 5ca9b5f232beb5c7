/** Encodes events for clients: JSON text, one variant for each form that clients choose. */

import { shownTypeOf } from '../domain/event-traits.ts'
import type { LogEntry, LogEvent } from '../domain/events.ts'
import type { ChannelId } from '../domain/ids.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { EventViewOptions } from './event-view-options.ts'
import { CALL_EVENT_VIEWS, CALL_EVENTS } from './events/calls.ts'
import { ATTACHMENT_EVENT_VIEWS, ATTACHMENT_EVENTS } from './events/attachments.ts'
import { CHANNEL_EVENT_VIEWS, CHANNEL_EVENTS } from './events/channels.ts'
import { DEVICE_EVENT_VIEWS, DEVICE_EVENTS } from './events/devices.ts'
import type { EventContext, EventSchemas, EventViews, RecipientView } from './events/event-context.ts'
import { GROUP_EVENT_VIEWS, GROUP_EVENTS } from './events/groups.ts'
import { INVITE_EVENT_VIEWS, INVITE_EVENTS } from './events/invites.ts'
import { encodeMessageEvent, MESSAGE_EVENT_VIEWS, MESSAGE_EVENTS } from './events/messages.ts'
import { ORGANIZATION_EVENT_VIEWS, ORGANIZATION_EVENTS } from './events/organization.ts'
import { PERSONAL_EVENT_VIEWS, PERSONAL_EVENTS } from './events/personal.ts'
import { encodePresenceEvent, PRESENCE_EVENT_VIEWS, PRESENCE_EVENTS } from './events/presence.ts'
import { SCHEDULED_EVENT_VIEWS, SCHEDULED_EVENTS } from './events/scheduled-messages.ts'
import { USER_EVENT_VIEWS, USER_EVENTS } from './events/users.ts'

/** The schema of each kind of event that clients get, without its id. */
export const EVENT_SCHEMAS = {
  ...MESSAGE_EVENTS,
  ...USER_EVENTS,
  ...CHANNEL_EVENTS,
  ...GROUP_EVENTS,
  ...ORGANIZATION_EVENTS,
  ...PRESENCE_EVENTS,
  ...PERSONAL_EVENTS,
  ...SCHEDULED_EVENTS,
  ...DEVICE_EVENTS,
  ...ATTACHMENT_EVENTS,
  ...CALL_EVENTS,
  ...INVITE_EVENTS,
} satisfies EventSchemas<LogEvent>

/** The function that builds each form. */
const VIEWS: EventViews<LogEvent, typeof EVENT_SCHEMAS> = {
  ...MESSAGE_EVENT_VIEWS,
  ...USER_EVENT_VIEWS,
  ...CHANNEL_EVENT_VIEWS,
  ...GROUP_EVENT_VIEWS,
  ...ORGANIZATION_EVENT_VIEWS,
  ...PRESENCE_EVENT_VIEWS,
  ...PERSONAL_EVENT_VIEWS,
  ...SCHEDULED_EVENT_VIEWS,
  ...DEVICE_EVENT_VIEWS,
  ...ATTACHMENT_EVENT_VIEWS,
  ...CALL_EVENT_VIEWS,
  ...INVITE_EVENT_VIEWS,
}

/** The type of an event on the wire; undefined if no client gets it. */
export function wireType(event: LogEvent): string | undefined {
  return shownTypeOf(event)?.split('/', 1)[0]
}

/** A log entry with the past state that its form needs: the subscribers of the channels that it reveals. */
export interface ViewedEntry extends LogEntry {
  readonly subscribersAtEvent?: ReadonlyMap<ChannelId, UserSet> | undefined
  /** The name of a message's channel at the time of the event. */
  readonly channelNameAtEvent?: string | undefined
}

/** A recipient, and the form in which they get events. */
export interface EventReader extends RecipientView {
  readonly options: EventViewOptions
}

/** The event as JSON text. */
export function encodeEvent(
  { id, event, subscribersAtEvent, channelNameAtEvent }: ViewedEntry,
  state: OrganizationState,
  nowSeconds: number,
  recipient: EventReader,
): string {
  const { options } = recipient
  const context: EventContext = { id, state, nowSeconds, options, recipient, subscribersAtEvent }
  if (event.type === 'message') return encodeMessageEvent(event, context, channelNameAtEvent)
  if (event.type === 'presence') return encodePresenceEvent(id, event.presences, state)
  const view = (VIEWS as Views)[shownTypeOf(event) ?? '']
  if (!view) throw new Error(`no client gets ${event.type}`)
  // The id is inserted after the brace, since copying the view is slower.
  return `{"id":${id},${JSON.stringify(view(event, context)).slice(1)}`
}

/** The table with event types that are known only at run time. */
type Views = Readonly<Record<string, ((event: LogEvent, context: EventContext) => object) | undefined>>

/**
 * The events of the log. Each is a fact or a notice, and at most one event for any client:
 * the tables, the state in memory and the events of clients all derive from it.
 */

import type { CallEvent } from './events/calls.ts'
import type { AttachmentEvent } from './events/attachments.ts'
import type { ChannelEvent } from './events/channels.ts'
import type { DeviceEvent } from './events/devices.ts'
import type { GroupEvent } from './events/groups.ts'
import type { InviteEvent } from './events/invites.ts'
import type { MessageEvent } from './events/messages.ts'
import type { OrganizationEvent } from './events/organization.ts'
import type { PersonalEvent } from './events/personal.ts'
import type { PresenceEvent } from './events/presence.ts'
import type { ScheduledEvent } from './events/scheduled-messages.ts'
import type { UserEvent } from './events/users.ts'
import type { ChannelId, EventId } from './ids.ts'
import type { UserSet } from './users/user-set.ts'

/** The events of all families. */
export type LogEvent =
  | MessageEvent
  | UserEvent
  | ChannelEvent
  | GroupEvent
  | OrganizationEvent
  | PresenceEvent
  | PersonalEvent
  | ScheduledEvent
  | DeviceEvent
  | AttachmentEvent
  | CallEvent
  | InviteEvent

export type LogEventType = LogEvent['type']

/** The event of a type, in a family or in all families. */
export type EventOf<Type extends LogEventType, Family extends LogEvent = LogEvent> = Family extends unknown
  ? Type extends Family['type']
    ? Family
    : never
  : never

/**
 * The recipients of an event, as of the event's number.
 * - `subscribers`: the channel's subscribers at that number; of messages only, as the log does not store it.
 * - `users`: these users.
 * - `nobody`: no recipients; the event only changes the state.
 */
export type Audience =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'subscribers'; readonly channelId: ChannelId }
  | { readonly kind: 'users'; readonly users: UserSet }

/** An event before its commit, which gives it a number. */
export interface NewEvent {
  readonly event: LogEvent
  readonly audience: Audience
}

/** An event with its place in the log. */
export interface LogEntry extends NewEvent {
  readonly id: EventId
}

/**
 * The events of the log. Each is a fact or a notice, and at most one event for any client:
 * the tables, the state in memory and the events of clients all derive from it.
 */

import type { AttachmentFact } from './events/attachments.ts'
import type { BotFact, BotNotice } from './events/bots.ts'
import type { CallFact } from './events/calls.ts'
import type { ChannelFact, ChannelNotice } from './events/channels.ts'
import type { CredentialFact } from './events/credentials.ts'
import type { DeviceFact } from './events/devices.ts'
import type { GroupFact, GroupNotice } from './events/groups.ts'
import type { HoldFact } from './events/holds.ts'
import type { InviteFact } from './events/invites.ts'
import type { MessageFact, MessageNotice } from './events/messages.ts'
import type { OrganizationFact, OrganizationNotice } from './events/organization.ts'
import type { PersonalFact, PersonalNotice } from './events/personal.ts'
import type { PinFact, PinNotice } from './events/pins.ts'
import type { PresenceFact, PresenceNotice } from './events/presence.ts'
import type { ScheduledFact } from './events/scheduled-messages.ts'
import type { SubscriptionFact, SubscriptionNotice } from './events/subscriptions.ts'
import type { UserFact, UserNotice } from './events/users.ts'
import type { ChannelId, EventId } from './ids.ts'
import type { UserSet } from './users/user-set.ts'

/** Decisions answer facts: these change the state or the tables. */
export type Fact =
  | MessageFact
  | OrganizationFact
  | UserFact
  | BotFact
  | CredentialFact
  | ChannelFact
  | PinFact
  | SubscriptionFact
  | GroupFact
  | HoldFact
  | InviteFact
  | PresenceFact
  | PersonalFact
  | ScheduledFact
  | DeviceFact
  | AttachmentFact
  | CallFact

/** Notices tell clients, in addition, the results of facts; `server/audience` makes them. */
export type Notice =
  | MessageNotice
  | OrganizationNotice
  | UserNotice
  | BotNotice
  | ChannelNotice
  | PinNotice
  | SubscriptionNotice
  | GroupNotice
  | PresenceNotice
  | PersonalNotice

export type LogEvent = Fact | Notice

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

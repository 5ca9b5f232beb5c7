/** One registered client: its cursor into the log, its filters, and its parked poll or stream. */

import { EXTRA_REACTION_TYPE } from '../domain/entities.ts'
import { EMAIL_VISIBILITIES } from '../domain/users/email-addresses.ts'
import { matchesEventNarrow, type EventNarrowTerm } from '../domain/messages/event-narrow.ts'
import type { LogEvent } from '../domain/events.ts'
import type { ClientKind } from '../domain/events/client-kind.ts'
import type { MessageSent } from '../domain/events/messages.ts'
import type { ChannelId, EventId, QueueId, UserId } from '../domain/ids.ts'
import {
  flagNames,
  isReadAtSending,
  MESSAGE_FLAGS,
  mentionFlagsOf,
} from '../domain/messages/message-flags.ts'
import { ROLES } from '../../packages/rules/roles.ts'
import { canAdministerUser } from '../../packages/rules/accounts.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { namesChannels } from '../views/bot-view.ts'
import {
  type EventViewOptions,
  ORIGINAL_TYPES_VARIANT,
  VARIANT_BITS,
  variantOf,
} from '../views/event-view-options.ts'
import { encodeEvent } from '../events/encode-event.ts'
import { isUselessIfUnknown, subjectsOf } from '../events/table.ts'
import { updateFlagsOf } from '../views/message-update-view.ts'
import type { HeldReply } from './held-reply.ts'
import type { TimelineEntry } from './timeline.ts'

/** The named key that registered a queue. */
export interface QueueKey {
  readonly id: string
  /** The only channel whose messages the queue has; null for all events that the key's user gets. */
  readonly channelId: ChannelId | null
}

/** Events that no queue of a named key has: those about bots tell the tokens of outgoing webhooks. */
export const KEPT_FROM_KEYS: readonly string[] = ['realm_bot']

/** The options of a registration. */
export interface QueueOptions extends EventViewOptions {
  /** Undefined for a queue of an API key or a session. */
  readonly key?: QueueKey | undefined
  /** Null for all. */
  readonly eventTypes: readonly string[] | null
  readonly narrow: readonly EventNarrowTerm[]
  /** Also messages of public channels to which the user is not subscribed. */
  readonly allPublicChannels: boolean
  /** Whether the client handles archived channels; others see them as deleted. */
  readonly hasArchivedChannels: boolean
  /** Whether the client handles deactivated groups; others see them as deleted. */
  readonly hasDeactivatedGroups: boolean
  /** Whether the client gets many deletions in one event; others get one event each. */
  readonly hasBulkDeletion: boolean
  /** Whether the client gets typing notifications of channels, besides those of direct messages. */
  readonly hasChannelTyping: boolean
  /** Whether the client gets settings as one object; others get the legacy events. */
  readonly hasSettingsObject: boolean
  /** Whether the client gets the presence of many users in one event; others get one event each. */
  readonly hasSimplifiedPresence: boolean
  /** Whether the client handles linkifiers with templates; others get none. */
  readonly hasLinkifierTemplates: boolean
}

/** A session's WebSocket, or its stream of server-sent events. */
export interface SessionSocket {
  /** Encodes events as one frame. */
  frame(events: readonly string[]): string
  /** Sends one frame; a socket that cannot keep up closes itself. */
  send(frame: string): void
  /** Resolves when little waits to be sent, or the socket is closed. */
  drained(): Promise<void>
  /** Whether its credentials are still valid. */
  isAllowed(): boolean
  close(code: number, reason: string): void
}

/** The state of a session's wait; each field exists only where it has a meaning. */
export type SessionPhase =
  | { readonly kind: 'idle'; readonly sinceMs: number }
  /** The client's missed events are being collected, for a socket or a poll. */
  | { readonly kind: 'replaying'; readonly socket: SessionSocket | undefined }
  | { readonly kind: 'parked'; readonly deadlineMs: number; readonly reply: HeldReply }
  | { readonly kind: 'streaming'; readonly deadlineMs: number; readonly socket: SessionSocket }

/** The position and options that a session begins with. */
export interface SessionStart {
  readonly queueId: QueueId
  readonly userId: UserId
  readonly options: QueueOptions
  readonly acknowledgedId: EventId
  readonly idleTimeoutMs: number
  /** When it was last used. */
  readonly sinceMs: number
}

/** A cursor with options: a few hundred bytes, however many events wait. */
export class Session {
  readonly queueId: QueueId
  readonly userId: UserId
  readonly options: QueueOptions
  readonly variant: number
  readonly idleTimeoutMs: number
  phase: SessionPhase
  /** The last id that the client acknowledged. */
  acknowledgedId: EventId
  /** The last event id that was sent. */
  sentId: EventId
  /** Everything up to this id was checked, and the client's events were sent. */
  scannedId: EventId
  /** Events of the batch in delivery. */
  pending: TimelineEntry[] | undefined
  /** When this process last claimed the queue, by its own count; -1 if it has not. */
  claim = -1

  constructor({ queueId, userId, options, acknowledgedId, idleTimeoutMs, sinceMs }: SessionStart) {
    this.queueId = queueId
    this.userId = userId
    this.options = options
    this.variant = variantOf(options)
    this.idleTimeoutMs = idleTimeoutMs
    this.acknowledgedId = acknowledgedId
    this.sentId = acknowledgedId
    this.scannedId = acknowledgedId
    this.phase = { kind: 'idle', sinceMs }
  }

  /** Whether this client gets an entry. */
  wants(entry: TimelineEntry, state: OrganizationState): boolean {
    const { eventTypes, narrow } = this.options
    if (entry.wireType === undefined) return false
    if (!entry.recipients.has(this.userId) && !(entry.isPublicMessage && this.#hearsPublic(state)))
      return false
    if (eventTypes !== null && !eventTypes.includes(entry.wireType)) return false
    const { event } = entry
    if (this.options.key && !this.#isForKey(this.options.key, entry)) return false
    if ('clients' in event && event.clients !== undefined && !this.#isOfKind(event.clients)) return false
    // The viewer knew the user then; a later event says that they no longer do.
    if (isUselessIfUnknown(event) && this.#isAboutUnknown(event, state)) return false
    // The event has the bot's current state, which a former manager may not see.
    if (event.type === 'realm_bot/add' && !this.#manages(event.botId, state)) return false
    if (event.type !== 'message' || narrow.length === 0) return true
    return matchesEventNarrow(narrow, event, flagNames(this.#flags(entry)), {
      channelName: () => entry.channelNameAtEvent,
      senderEmail: ({ senderId }) => state.apiEmailFor(this.userId, state.getUser(senderId)),
      isMuted: ({ channelId, topic }) =>
        channelId !== null && state.isTopicMuted(this.userId, channelId, topic),
    })
  }

  /** The entry as JSON in this client's form. */
  encode(entry: TimelineEntry, state: OrganizationState, nowSeconds: number): string {
    const { event } = entry
    const flags = this.#flags(entry)
    const recipient = { userId: this.userId, flags, localId: null, options: this.options }
    if (event.type === 'message' && event.localId !== null && this.#isSender(event)) {
      return encodeEvent(entry, state, nowSeconds, { ...recipient, localId: event.localId })
    }
    if (
      (event.type === 'subscription/add' || event.type === 'subscription/reveal') &&
      event.channels.some(({ id }) => hasOwnSettings(id, this.userId, state))
    ) {
      return encodeEvent(entry, state, nowSeconds, recipient)
    }
    if (isEmailHiddenFromSome(event, state) || this.#isAboutUnknown(event, state)) {
      return encodeEvent(entry, state, nowSeconds, recipient)
    }
    if (event.type === 'has_provider_token' || namesChannels(event, state)) {
      return encodeEvent(entry, state, nowSeconds, recipient)
    }
    const spelling = this.options.readsOriginalTypes && hasExtraEmoji(event) ? ORIGINAL_TYPES_VARIANT : 0
    const variant = this.variant | spelling | (flags << VARIANT_BITS)
    const known = entry.encodings.get(variant)
    if (known !== undefined) return known
    const encoded = encodeEvent(entry, state, nowSeconds, recipient)
    entry.encodings.set(variant, encoded)
    return encoded
  }

  /** A member who registered for all public channels may be a guest now. */
  #hearsPublic(state: OrganizationState): boolean {
    return this.options.allPublicChannels && state.getUser(this.userId).role !== ROLES.guest
  }

  #isForKey({ channelId }: QueueKey, { event, wireType }: TimelineEntry): boolean {
    if (channelId !== null) return event.type === 'message' && event.channelId === channelId
    return wireType === undefined || !KEPT_FROM_KEYS.includes(wireType)
  }

  #isOfKind(kind: ClientKind): boolean {
    const { hasArchivedChannels, hasDeactivatedGroups, hasBulkDeletion, hasSettingsObject } = this.options
    const { hasSimplifiedPresence } = this.options
    switch (kind) {
      case 'with_archived_channels':
        return hasArchivedChannels
      case 'without_archived_channels':
        return !hasArchivedChannels
      case 'with_deactivated_groups':
        return hasDeactivatedGroups
      case 'without_deactivated_groups':
        return !hasDeactivatedGroups
      case 'with_bulk_deletion':
        return hasBulkDeletion
      case 'without_bulk_deletion':
        return !hasBulkDeletion
      case 'with_channel_typing':
        return this.options.hasChannelTyping
      case 'without_settings_object':
        return !hasSettingsObject
      case 'with_linkifier_templates':
        return this.options.hasLinkifierTemplates
      case 'with_simplified_presence':
        return hasSimplifiedPresence
      case 'without_simplified_presence':
        return !hasSimplifiedPresence
      case 'without_incomplete_users':
        return !this.options.hasIncompleteUsers
    }
  }

  /** Whether the viewer does not know an event's user now, so that the event needs another form. */
  #isAboutUnknown(event: LogEvent, state: OrganizationState): boolean {
    const known = state.userVisibility.of(this.userId)
    if (!known) return false
    if (event.type === 'message') return !known.has(event.senderId)
    if (event.type === 'reaction/add' || event.type === 'reaction/remove') return !known.has(event.userId)
    return subjectsOf(event).some((id) => !known.has(id))
  }

  #manages(botId: UserId, state: OrganizationState): boolean {
    return canAdministerUser(state.getUser(this.userId), state.getUser(botId))
  }

  /** Whether this queue sent a message; users may send any queue's id. */
  #isSender({ queueId, senderId }: MessageSent): boolean {
    return queueId === this.queueId && senderId === this.userId
  }

  /** The flags of an event's message for this user. */
  #flags({ event, recipients, mutersAtEvent }: TimelineEntry): number {
    if (event.type === 'update_message' || event.type === 'update_message/rendering')
      return updateFlagsOf(event, this.userId)
    if (event.type !== 'message') return 0
    const { mentions, isForAll } = event
    const isRead =
      isReadAtSending(event, this.userId) || mutersAtEvent?.has(this.userId) ? MESSAGE_FLAGS.read : 0
    if ((mentions === undefined && isForAll === undefined) || !recipients.has(this.userId)) return isRead
    return isRead | mentionFlagsOf({ mentions: mentions ?? [], isForAll: isForAll ?? false }, this.userId)
  }
}

/** Whether a user has own settings for a channel, so that the encoding cannot be shared. */
function hasOwnSettings(channelId: ChannelId, userId: UserId, state: OrganizationState): boolean {
  return state.getChannel(channelId).settings.has(userId)
}

/** Whether some viewers may not see the address of an event's user, so that the encoding cannot be shared. */
function isEmailHiddenFromSome(event: LogEvent, state: OrganizationState): boolean {
  const user =
    event.type === 'realm_user/add'
      ? event.user
      : event.type === 'realm_user/reveal' || event.type === 'realm_user/delivery_email'
        ? state.getUser(event.userId)
        : undefined
  return user !== undefined && state.emailVisibilityOf(user) !== EMAIL_VISIBILITIES.everyone
}

/** Whether an event has the reaction type that clients spell differently. */
function hasExtraEmoji(event: LogEvent): boolean {
  switch (event.type) {
    case 'reaction/add':
    case 'reaction/remove':
      return event.reactionType === EXTRA_REACTION_TYPE
    case 'user_status':
      return event.changes.emoji?.reactionType === EXTRA_REACTION_TYPE
    default:
      return false
  }
}

/** The reply of a poll. */
export function pollReply(queueId: QueueId, events: readonly string[]): string {
  return `{"result":"success","msg":"","events":[${events.join(',')}],"queue_id":"${queueId}"}`
}

/** Characters in one frame, unless a single event is longer: this bounds the buffer of a slow client. */
const FRAME_LENGTH_MAX = 256 * 1024

/** The frames of a stream for some events; mostly one. */
export function socketFrames(socket: SessionSocket, events: readonly string[]): string[] {
  const frames: string[] = []
  let start = 0
  let length = 0
  for (const [index, event] of events.entries()) {
    if (length > 0 && length + event.length > FRAME_LENGTH_MAX) {
      frames.push(socket.frame(events.slice(start, index)))
      start = index
      length = 0
    }
    length += event.length
  }
  if (length > 0) frames.push(socket.frame(start === 0 ? events : events.slice(start)))
  return frames
}

/** The event that keeps an idle connection open; its id moves the cursor past other clients' events. */
export function heartbeat(id: EventId): string {
  return `{"id":${id},"type":"heartbeat"}`
}

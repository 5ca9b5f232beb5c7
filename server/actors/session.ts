/** One registered client: its cursor into the log, its filters, and its parked poll or its WebSocket. */

import { EMAIL_VISIBILITIES } from '../domain/email-addresses.ts'
import { matchesEventNarrow, type EventNarrowTerm } from '../domain/event-narrow.ts'
import { isMootIfUnknown, subjectsOf } from '../domain/event-traits.ts'
import type { LogEvent } from '../domain/events.ts'
import type { ClientKind } from '../domain/events/client-kind.ts'
import type { MessageSent } from '../domain/events/messages.ts'
import type { ChannelId, EventId, QueueId, UserId } from '../domain/ids.ts'
import { flagNames, isReadAtSending, MESSAGE_FLAGS, mentionFlagsOf } from '../domain/message-flags.ts'
import { ROLES } from '../domain/roles.ts'
import { canAdministerUser } from '../domain/user-access.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { namesChannels } from '../views/bot-view.ts'
import { type EventViewOptions, VARIANT_BITS, variantOf } from '../views/event-view-options.ts'
import { encodeEvent } from '../views/event-view.ts'
import { updateFlagsOf } from '../views/message-update-view.ts'
import type { HeldReply } from './held-reply.ts'
import type { TimelineEntry } from './timeline.ts'

/** What a client registered with. */
export interface QueueOptions extends EventViewOptions {
  /** Null for all. */
  readonly eventTypes: readonly string[] | null
  readonly narrow: readonly EventNarrowTerm[]
  /** Messages of public channels that the user is not subscribed to, too. */
  readonly allPublicChannels: boolean
  /** Whether it knows of archived channels; to others they are as deleted. */
  readonly hasArchivedChannels: boolean
  /** Whether it knows of deactivated groups; to others they are as deleted. */
  readonly hasDeactivatedGroups: boolean
  /** Whether it is told of many deleted messages at once; others of each. */
  readonly hasBulkDeletion: boolean
  /** Whether it is told who types in channels, beside who types to its user alone. */
  readonly hasChannelTyping: boolean
  /** Whether it is told of its user's settings as of one object; others by the events of old. */
  readonly hasSettingsObject: boolean
  /** Whether it is told of many who came or went at once; others of each. */
  readonly hasSimplifiedPresence: boolean
  /** Whether it knows linkifiers with templates; to others there are none. */
  readonly hasLinkifierTemplates: boolean
}

/** How a session reaches its WebSocket, or its stream of server-sent events. */
export interface SessionSocket {
  /** Events as one piece of what is sent. */
  frame(events: readonly string[]): string
  /** Sends one frame; a socket that cannot keep up closes itself. */
  send(frame: string): void
  /** Resolves when little waits to be sent, or the socket is closed. */
  drained(): Promise<void>
  /** Whether the credentials it was opened with still hold. */
  isAllowed(): boolean
  close(code: number, reason: string): void
}

/** What a session waits for; each field exists only where it means something. */
export type SessionPhase =
  | { readonly kind: 'idle'; readonly sinceMs: number }
  /** What the client has missed is being collected, for a socket or for a poll. */
  | { readonly kind: 'replaying'; readonly socket: SessionSocket | undefined }
  | { readonly kind: 'parked'; readonly deadlineMs: number; readonly reply: HeldReply }
  | { readonly kind: 'streaming'; readonly deadlineMs: number; readonly socket: SessionSocket }

/** A cursor with options: a few hundred bytes, however many events wait. */
export class Session {
  readonly queueId: QueueId
  readonly userId: UserId
  readonly options: QueueOptions
  readonly variant: number
  readonly idleTimeoutMs: number
  phase: SessionPhase
  /** The client has everything up to here, by its own word. */
  acknowledgedId: EventId
  /** The last event id it was sent. */
  sentId: EventId
  /** Everything up to here was looked at; what of it was for this client is sent. */
  scannedId: EventId
  /** Found in the batch that is being delivered. */
  pending: TimelineEntry[] | undefined
  /** When this process last told the others that the queue is used here, by its own count; -1 where it is not. */
  claim = -1

  constructor(
    queueId: QueueId,
    userId: UserId,
    options: QueueOptions,
    acknowledgedId: EventId,
    idleTimeoutMs: number,
    sinceMs: number,
  ) {
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

  /** Whether this client is told of an entry. */
  wants(entry: TimelineEntry, state: OrganizationState): boolean {
    const { eventTypes, narrow } = this.options
    if (entry.wireType === undefined) return false
    if (!entry.recipients.has(this.userId) && !(entry.isPublicMessage && this.#hearsPublic(state)))
      return false
    if (eventTypes !== null && !eventTypes.includes(entry.wireType)) return false
    const { event } = entry
    if ('clients' in event && event.clients !== undefined && !this.#isOfKind(event.clients)) return false
    // They knew its subject then; an event that follows tells them that they no longer do.
    if (isMootIfUnknown(event) && this.#isAboutUnknown(event, state)) return false
    // The bot is told of as it is now, which who manages it no longer is not to know.
    if (event.type === 'realm_bot/add' && !this.#manages(event.botId, state)) return false
    if (event.type !== 'message' || narrow.length === 0) return true
    return matchesEventNarrow(narrow, event, flagNames(this.#flags(entry)), {
      channelName: () => entry.channelNameAtEvent,
      senderEmail: ({ senderId }) => state.apiEmailFor(this.userId, state.getUser(senderId)),
      isMuted: ({ channelId, topic }) =>
        channelId !== null && state.isTopicMuted(this.userId, channelId, topic),
    })
  }

  /** The entry as this client gets it, as JSON text. */
  encode(entry: TimelineEntry, state: OrganizationState, nowSeconds: number): string {
    const { event } = entry
    const flags = this.#flags(entry)
    const recipient = { userId: this.userId, flags, localId: null }
    if (event.type === 'message' && event.localId !== null && this.#isSender(event)) {
      return encodeEvent(entry, state, nowSeconds, this.options, { ...recipient, localId: event.localId })
    }
    if (
      (event.type === 'subscription/add' || event.type === 'subscription/reveal') &&
      event.channels.some(({ id }) => hasOwnSettings(id, this.userId, state))
    ) {
      return encodeEvent(entry, state, nowSeconds, this.options, recipient)
    }
    if (isEmailHiddenFromSome(event, state) || this.#isAboutUnknown(event, state)) {
      return encodeEvent(entry, state, nowSeconds, this.options, recipient)
    }
    if (event.type === 'has_provider_token' || namesChannels(event, state)) {
      return encodeEvent(entry, state, nowSeconds, this.options, recipient)
    }
    const variant = this.variant | (flags << VARIANT_BITS)
    const known = entry.encodings.get(variant)
    if (known !== undefined) return known
    const encoded = encodeEvent(entry, state, nowSeconds, this.options, recipient)
    entry.encodings.set(variant, encoded)
    return encoded
  }

  /** A member who registered for all public channels may have become a guest since. */
  #hearsPublic(state: OrganizationState): boolean {
    return this.options.allPublicChannels && state.getUser(this.userId).role !== ROLES.guest
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

  /** Whether an event tells of a user whom this one does not know now, so that they are told in words of their own. */
  #isAboutUnknown(event: LogEvent, state: OrganizationState): boolean {
    const known = state.sight.of(this.userId)
    if (!known) return false
    if (event.type === 'message') return !known.has(event.senderId)
    if (event.type === 'reaction/add' || event.type === 'reaction/remove') return !known.has(event.userId)
    return subjectsOf(event).some((id) => !known.has(id))
  }

  #manages(botId: UserId, state: OrganizationState): boolean {
    return canAdministerUser(state.getUser(this.userId), state.getUser(botId))
  }

  /** Whether this queue sent a message; anyone may give any queue's id. */
  #isSender({ queueId, senderId }: MessageSent): boolean {
    return queueId === this.queueId && senderId === this.userId
  }

  /** The flags that the message of an event has for this user. */
  #flags({ event, recipients, mutersAtEvent }: TimelineEntry): number {
    if (event.type === 'update_message') return updateFlagsOf(event, this.userId)
    if (event.type !== 'message') return 0
    const { mentions, isForAll } = event
    const isRead =
      isReadAtSending(event, this.userId) || mutersAtEvent?.has(this.userId) ? MESSAGE_FLAGS.read : 0
    if ((mentions === undefined && isForAll === undefined) || !recipients.has(this.userId)) return isRead
    return isRead | mentionFlagsOf({ mentions: mentions ?? [], isForAll: isForAll ?? false }, this.userId)
  }
}

/** Whether a user has set something for a channel, so that no one else is told of it in the same words. */
function hasOwnSettings(channelId: ChannelId, userId: UserId, state: OrganizationState): boolean {
  return state.getChannel(channelId).settings.has(userId)
}

/** Whether not all may see the address of the user of whom they are told, so that not everyone is told in the same words. */
function isEmailHiddenFromSome(event: LogEvent, state: OrganizationState): boolean {
  const user =
    event.type === 'realm_user/add'
      ? event.user
      : event.type === 'realm_user/reveal' || event.type === 'realm_user/delivery_email'
        ? state.getUser(event.userId)
        : undefined
  return user !== undefined && state.emailVisibilityOf(user) !== EMAIL_VISIBILITIES.everyone
}

/** The reply of a poll. */
export function pollReply(queueId: QueueId, events: readonly string[]): string {
  return `{"result":"success","msg":"","events":[${events.join(',')}],"queue_id":"${queueId}"}`
}

/** Characters in one frame, unless a lone event is longer: what waits for a slow client is bounded by it. */
const FRAME_LENGTH_MAX = 256 * 1024

/** The frames of a stream for some events: one as a rule. */
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

/** The event that keeps a silent connection open; its id moves the cursor past what was not for this client. */
export function heartbeat(id: EventId): string {
  return `{"id":${id},"type":"heartbeat"}`
}

/** Notifies other users that a user types, if the user's settings allow it. */

import type { SingleMessage } from '../../../db/messages/single-message.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { EditTypingEvent, TypingEvent, TypingPlace } from '../../domain/events/presence.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { TYPING_SUBSCRIBERS_MAX } from '../../../packages/rules/limits.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { type Decision, done } from '../decision.ts'
import { checkContentEdit, EDIT_ERRORS } from '../messages/check-update.ts'
import { checkOpenMessage, listenersOf } from '../messages/message-access.ts'
import { checkPosting } from '../messages/channel-target.ts'
import { checkRecipients, needsKnownConversation, TARGET_ERRORS } from '../messages/recipients.ts'
import type { Scope, ServerScope } from '../scope.ts'

const TYPING_DISABLED_ERRORS = ['DIRECT_TYPING_DISABLED', 'CHANNEL_TYPING_DISABLED'] as const

/** How a typing notification can fail. */
export const TYPING_ERRORS = [...TARGET_ERRORS, ...TYPING_DISABLED_ERRORS] as const

/** How a typing notification for an edit can fail. */
export const EDIT_TYPING_ERRORS = ['MESSAGE_UNKNOWN', ...EDIT_ERRORS, ...TYPING_DISABLED_ERRORS] as const

/** The caller begins or stops typing a message. */
export interface TypingRequest {
  readonly op: 'start' | 'stop'
  readonly place:
    | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
    | {
        readonly kind: 'direct'
        /** Ascending, the caller included. */
        readonly userIds: readonly UserId[]
        /** Whether their conversation has messages, if that matters. */
        readonly isKnown: boolean
      }
}

/** Notifies the recipients of the message. */
export function decideTyping(
  scope: Scope<(typeof TYPING_ERRORS)[number]>,
  { op, place }: TypingRequest,
): Decision<void> {
  const { state, caller, fail } = scope
  checkTypingIsSent(scope, place.kind)
  const typing = { type: `typing/${op}`, senderId: caller.id } as const
  if (place.kind === 'channel') {
    const channel = state.findReadableChannel(caller, place.channelId)
    if (!channel) throw fail('CHANNEL_ID_UNKNOWN', { id: place.channelId })
    checkPosting(scope, channel)
    return done(typingEvents(scope, { ...typing, place }, channel.subscribers))
  }
  const { userIds, isKnown } = place
  const partners = userIds.map((id) => {
    const partner = state.users.get(id)
    if (!partner) throw fail('RECIPIENT_ID_UNKNOWN', { id })
    return partner
  })
  checkRecipients(scope, partners)
  if (!isKnown && needsKnownConversation(scope, partners)) throw fail('NEW_CONVERSATION_FORBIDDEN')
  return done(typingEvents(scope, { ...typing, place: { kind: 'direct', userIds } }, UserSet.of(userIds)))
}

/** The caller begins or stops editing a message. */
export interface EditTypingRequest {
  readonly op: 'start' | 'stop'
  readonly found: SingleMessage
  /** The recipients of the message, if it is in a channel. */
  readonly receiverIds: readonly UserId[] | undefined
}

/** Notifies the readers of the message. */
export function decideEditTyping(
  scope: Scope<(typeof EDIT_TYPING_ERRORS)[number]>,
  { op, found, receiverIds }: EditTypingRequest,
): Decision<void> {
  checkOpenMessage(scope, found)
  checkContentEdit(scope, found.message)
  const { id: messageId, senderId, destination } = found.message
  const place: TypingPlace =
    destination.kind === 'direct' ? { kind: 'direct', userIds: destination.userIds } : destination
  checkTypingIsSent(scope, place.kind)
  const event = { type: `typing_edit_message/${op}`, senderId, messageId, place } as const
  return done(typingEvents(scope, event, listenersOf(scope, found, receiverIds)))
}

/** Throws if the caller's settings forbid typing notifications in places of this kind. */
function checkTypingIsSent(
  { state, caller, fail }: Scope<(typeof TYPING_DISABLED_ERRORS)[number]>,
  kind: TypingPlace['kind'],
): void {
  const { sendsDirectTyping, sendsChannelTyping } = state.settingsOf(caller.id)
  if (kind === 'direct' && !sendsDirectTyping) throw fail('DIRECT_TYPING_DISABLED')
  if (kind === 'channel' && !sendsChannelTyping) throw fail('CHANNEL_TYPING_DISABLED')
}

/**
 * The event for users who want it; none in a channel with many users. Each costs the log an entry, so the limit of
 * requests also limits these.
 */
function typingEvents(
  { state }: ServerScope,
  event: TypingEvent | EditTypingEvent,
  users: UserSet,
): NewEvent[] {
  const { place } = event
  const { activeUsers } = state.rights
  if (place.kind === 'channel') {
    const { subscribers } = state.getChannel(place.channelId)
    if (subscribers.intersection(activeUsers).size > TYPING_SUBSCRIBERS_MAX) return []
  }
  const listening = users
    .intersection(activeUsers)
    .toArray()
    .filter((id) => state.settingsOf(id).receivesTyping)
  if (listening.length === 0) return []
  const sent = place.kind === 'channel' ? { ...event, clients: 'with_channel_typing' as const } : event
  return [{ event: sent, audience: { kind: 'users', users: UserSet.of(listening) } }]
}

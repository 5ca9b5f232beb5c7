/** Edits a message, and moves it with others of its topic. */

import type { FlagHolders } from '../../../db/unread/flag-holders.ts'
import type { MovePlan } from '../../../db/messages/message-moves.ts'
import type { SingleMessage } from '../../../db/messages/single-message.ts'
import { readableHistory } from '../../../packages/rules/channels.ts'
import type { Destination, Message } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ContentEdit, MessagesUpdated } from '../../domain/events/messages.ts'
import type { UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { pinsOfMoved } from '../channels/change-pins.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { checkContentEdit, checkMove, type UPDATE_ERRORS, type WantedUpdate } from './check-update.ts'
import { type ComposedMessage, linksOf } from './composed-message.ts'
import { encodeHolders } from './encode-holders.ts'
import { findMentions, type MENTION_ERRORS } from './find-mentions.ts'
import { pendingOfEdit } from './find-notified.ts'
import { checkOpenMessage, listenersOf } from './message-access.ts'
import { channelMoveEvents } from './move-messages.ts'

type InChannel = Extract<Destination, { kind: 'channel' }>

/** An update of a message, with the data it needs. */
export interface UpdateRequest {
  readonly found: SingleMessage
  /** The message of the event. If others move before the requested one, it is the first of them. */
  readonly head: SingleMessage
  readonly wanted: WantedUpdate
  readonly composed: ComposedMessage | undefined
  readonly plan: MovePlan | undefined
  readonly isTopicKnown: boolean
  readonly holders: FlagHolders
  /** The recipients of the head, if the channel's history is not shared. */
  readonly receiverIds: readonly UserId[] | undefined
}

/** Applies an update of a message, or one part of a long move. */
export function decideUpdate(
  scope: Scope<(typeof UPDATE_ERRORS)[number] | (typeof MENTION_ERRORS)[number]>,
  { found, head, wanted, composed, plan, isTopicKnown, holders, receiverIds }: UpdateRequest,
): Decision<void> {
  const { state, caller, now } = scope
  const { message } = found
  const { destination } = message
  const messageId = head.message.id
  const { move } = wanted
  checkOpenMessage(scope, found)
  if (composed) checkContentEdit(scope, message)
  if (move) checkMove(scope, { message, wanted: move, plan, isTopicKnown })
  const isEdited = composed !== undefined && wanted.content !== message.content
  if (!isEdited && !move) return done([])
  const hearing = (ids: readonly UserId[] | undefined) =>
    listenersOf(scope, head, ids)
      .union(UserSet.of([caller.id]))
      .intersection(state.rights.activeUsers)
  const listeners = hearing(receiverIds)
  const event: MessagesUpdated = {
    type: 'update_message',
    messageId,
    messageIds: [messageId],
    ...placeOf(message, state),
    userId: caller.id,
    editedAt: now,
    holders: encodeHolders(holders),
    ...(isEdited
      ? {
          ...findMentions(scope, composed, listeners),
          ...linksOf(composed),
          ...(composed.pictureIds ? { pictureIds: composed.pictureIds } : {}),
        }
      : mentionsOf(head.message)),
  }
  const pending = isEdited ? pendingFor(scope, message, { wanted, event, composed }) : {}
  const content = isEdited
    ? { content: editOf(message, wanted.content ?? '', composed.rendered), ...pending }
    : {}
  if (!move || !plan || destination.kind === 'direct')
    return done([eventFor({ ...event, ...content }, listeners)])
  const moved: MessagesUpdated = {
    ...event,
    messageIds: plan.part.map(({ id }) => id),
    move: {
      previousTopic: destination.topic,
      topic: move.topic,
      mode: move.mode,
      ...(plan.toChannel ? { toChannel: plan.toChannel } : {}),
    },
  }
  const movers = hearing(receiverIds && plan.receiverIds)
  return done([
    ...moveEvents(scope, { moved, content, plan, destination, listeners, movers }),
    ...(moved.move ? pinsOfMoved(state, destination.channelId, moved.move, moved.messageIds) : []),
  ])
}

interface DecidedMove {
  readonly moved: MessagesUpdated
  /** The new content of one of the messages, if it changes too. */
  readonly content: Pick<MessagesUpdated, 'content' | 'pending'>
  readonly plan: MovePlan
  readonly destination: InChannel
  /** Users who get the changes of the message. */
  readonly listeners: UserSet
  /** Users who get the changes of one of the moved messages. */
  readonly movers: UserSet
}

function moveEvents(
  scope: ServerScope,
  { moved, content, plan, destination, listeners, movers }: DecidedMove,
): NewEvent[] {
  if (plan.toChannel) {
    const { state } = scope
    const from = state.getChannel(destination.channelId)
    const markers = plan.markerIds.filter(
      (id) => readableHistory(state.getUser(id), from, state.rights) === 'all',
    )
    return channelMoveEvents(scope, {
      event: moved,
      move: plan.toChannel,
      from: destination,
      listeners: movers.with(markers),
    })
  }
  if (!content.content || movers.size === listeners.size) return [eventFor({ ...moved, ...content }, movers)]
  // Some readers of the moved messages may not read the edited one.
  const { move: _, ...edited } = { ...moved, messageIds: [moved.messageId], ...content }
  return [eventFor(edited, listeners), eventFor(moved, movers)]
}

/** The notifications that the new content causes, at the place where the message is afterwards. */
function pendingFor(
  scope: ServerScope,
  { destination, senderId, readById, unreadFor, ...message }: Message,
  update: {
    readonly wanted: WantedUpdate
    readonly event: Pick<MessagesUpdated, 'mentions' | 'isForAll'>
    readonly composed: ComposedMessage
  },
): Pick<MessagesUpdated, 'pending'> {
  if (destination.kind === 'direct') return {} // Its readers were notified when it was sent.
  const { channelId, topic } = { ...destination, ...update.wanted.move }
  const sent = { userIds: null, senderId, readById, ...(unreadFor ? { unreadFor } : {}) }
  const before = {
    ...sent,
    channelId: destination.channelId,
    topic: destination.topic,
    ...mentionsOf(message),
  }
  const { mentions, isForAll } = update.event
  const after = {
    ...sent,
    channelId,
    topic,
    ...(mentions ? { mentions } : {}),
    ...(isForAll ? { isForAll } : {}),
  }
  return pendingOfEdit(scope, { before, after, named: update.composed })
}

function eventFor(event: MessagesUpdated, users: UserSet): NewEvent {
  return { event, audience: { kind: 'users', users } }
}

function placeOf({ destination }: Message, state: OrganizationState) {
  if (destination.kind === 'direct') return { channelId: null, channelName: null }
  const { channelId } = destination
  return { channelId, channelName: state.getChannel(channelId).channel.name }
}

function mentionsOf({
  mentions,
  isForAll,
}: Pick<Message, 'mentions' | 'isForAll'>): Pick<MessagesUpdated, 'mentions' | 'isForAll'> {
  return { ...(mentions.length > 0 ? { mentions } : {}), ...(isForAll ? { isForAll } : {}) }
}

function editOf(message: Message, content: string, rendered: string): ContentEdit {
  return { previous: message.content, previousRendered: message.rendered, content, rendered }
}

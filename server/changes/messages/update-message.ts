/** Changing what a message says, and moving it with others of its topic; again where something came between. */

import { findFlagHolders, type FlagHolders } from '../../../db/flag-holders.ts'
import { type MovedMessage, type MovePlan, planMove } from '../../../db/message-moves.ts'
import { findUnlinked, findUploadsOf } from '../../../db/message-uploads.ts'
import { readReceivers, type SingleMessage } from '../../../db/single-message.ts'
import { StaleMessageError } from '../../../db/stale-message.ts'
import { hasTopic } from '../../../db/topics.ts'
import type { LinkedUpload } from '../../../db/uploads.ts'
import type { Decision } from '../../decisions/decision.ts'
import { readableHistory } from '../../domain/channel-access.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { Destination, Message, User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ContentEdit, MessagesUpdated } from '../../domain/events/messages.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { MESSAGES_MOVED_MAX, MESSAGES_MOVED_PER_CHANGE_MAX } from '../../domain/limits.ts'
import { UPLOADS_BASE } from '../../domain/uploads.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { composeMessage } from './compose-message.ts'
import { findMessage } from './find-message.ts'
import { findTopicReader } from '../../decisions/topics/find-topic-reader.ts'
import { type ComposedMessage, linksOf } from '../../decisions/messages/composed-message.ts'
import { decideMentions } from '../../decisions/messages/decide-mentions.ts'
import { canReadMessage, isClosed, listenersOf } from '../../decisions/messages/message-access.ts'
import type { Sending } from '../sending.ts'
import { needsKnownTopic } from '../../decisions/messages/send-target.ts'
import {
  type AskedUpdate,
  checkContentEdit,
  checkMove,
  readUpdate,
  type UpdateFail,
  type WantedUpdate,
} from '../../decisions/messages/check-update.ts'
import { decideChannelMove } from '../../decisions/messages/move-messages.ts'
import { readSeenUploads, type SeenUploads, tellChanged } from '../uploads/tell-uploads.ts'

type InChannel = Extract<Destination, { kind: 'channel' }>
type WantedMove = NonNullable<WantedUpdate['move']>

/** What was done, for notices. */
export interface Updated {
  readonly message: Message
  readonly move: (MovePlan & WantedMove) | undefined
  /** Files of whoever changed it that no message links any more since. */
  readonly detached: readonly LinkedUpload[]
}

/** Who changes messages, where, and how it fails. */
interface UpdateCall {
  readonly user: User
  readonly services: Sending
  readonly fail: UpdateFail
}

/** All that was looked up before it is decided. */
interface Prepared {
  readonly found: SingleMessage
  /** The message that the event is about: where others move ahead of the one that was asked for, the first of them. */
  readonly head: SingleMessage
  readonly wanted: WantedUpdate
  readonly composed: ComposedMessage | undefined
  readonly plan: MovePlan | undefined
  readonly isTopicKnown: boolean
  readonly holders: FlagHolders
  /** Who was there when the head came, where the past is closed. */
  readonly receiverIds: readonly UserId[] | undefined
  readonly editedAt: number
  /** What it links and is to link. */
  readonly uploads: SeenUploads
}

/** Commits what is asked of a message. */
export async function updateMessage(
  messageId: MessageId,
  asked: AskedUpdate,
  call: UpdateCall,
): Promise<Updated> {
  const { user, services, fail } = call
  const { turns } = services.committer
  const ahead: MovedMessage[] = []
  const prepared = await turns.change(`message ${messageId}`, StaleMessageError, async () => {
    for (;;) {
      const decided = await prepare(messageId, asked, call)
      await services.committer.submit({
        kind: 'structure',
        decide: (now) => decideUpdate(decided, now.getUser(user.id), now, fail),
      })
      if (isLastPart(decided.plan)) return decided
      ahead.push(...(decided.plan?.part ?? []))
    }
  })
  const { found, wanted, plan, uploads } = prepared
  if (uploads.size > 0) await tellChanged(uploads, services)
  return {
    message: found.message,
    move: wanted.move && plan && { ...plan, ...wanted.move, messages: [...ahead, ...plan.messages] },
    detached: uploads.size > 0 ? await findDetached(uploads, user, services) : NOTHING,
  }
}

/** Whether nothing is left to move after this change. */
function isLastPart(plan: MovePlan | undefined): boolean {
  return !plan || plan.part.length === plan.messages.length
}

/** Looks up what the decision needs; throws a `StaleMessageError` where something came between. */
async function prepare(
  messageId: MessageId,
  asked: AskedUpdate,
  { user, services, fail }: UpdateCall,
): Promise<Prepared> {
  const { sql, state, clock } = services
  const found = await findMessage(messageId, user, services)
  if (!found || isClosed(found, state)) throw fail('MESSAGE_UNKNOWN')
  const { message } = found
  const { destination } = message
  const wanted = readUpdate(asked, message, fail)
  const { content, move } = wanted
  const editedAt = nowSeconds(clock)
  if (content !== undefined) checkContentEdit(user, message, state, editedAt, fail)
  let isTopicKnown = true
  if (move) {
    checkMove(user, { message, wanted: move, plan: undefined, isTopicKnown }, state, editedAt, fail)
    const needsKnown = needsKnownTopic(user, state.getChannel(move.channelId), state)
    isTopicKnown = !needsKnown || (await hasTopic(sql, move.channelId, move.topic))
  }
  const plan =
    move && destination.kind === 'channel'
      ? await planFor(message, destination, move, user, services)
      : undefined
  if (plan === 'too_many') throw fail('TOO_MANY_MESSAGES_MOVED', { countMax: MESSAGES_MOVED_MAX })
  if (move) {
    if (!plan) throw new StaleMessageError()
    checkMove(user, { message, wanted: move, plan, isTopicKnown }, state, editedAt, fail)
  }
  const isLast = isLastPart(plan)
  const headId = (isLast ? undefined : plan?.part[0]?.id) ?? messageId
  const head = isLast ? found : await findMessage(headId, user, services)
  if (!head) throw new StaleMessageError()
  const audience =
    destination.kind === 'direct' ? destination : { ...destination, topic: move?.topic ?? destination.topic }
  const composed =
    content === undefined || !isLast ? undefined : await composeMessage(content, user, audience, services)
  return {
    found,
    head,
    wanted,
    composed,
    uploads: await uploadsBefore(message, composed, services),
    plan,
    isTopicKnown,
    holders: await findFlagHolders(sql, headId),
    receiverIds:
      destination.kind === 'channel' && !state.getChannel(destination.channelId).channel.isHistoryPublic
        ? await readReceivers(sql, destination.channelId, headId)
        : undefined,
    editedAt,
  }
}

/** What a message links, and what it is to link, as it is before. */
async function uploadsBefore(
  { id, content }: Message,
  composed: ComposedMessage | undefined,
  services: Sending,
): Promise<SeenUploads> {
  if (!composed) return new Map()
  const linked = content.includes(UPLOADS_BASE) ? await findUploadsOf(services.sql, [id]) : []
  return readSeenUploads([...new Set([...linked.map((one) => one.id), ...composed.uploadIds])], services)
}

async function findDetached(
  uploads: SeenUploads,
  user: User,
  { sql }: Sending,
): Promise<readonly LinkedUpload[]> {
  const own = [...uploads.values()].filter(({ ownerId }) => ownerId === user.id)
  const unlinked = await findUnlinked(
    sql,
    own.map(({ id }) => id),
  )
  return own.filter(({ id }) => unlinked.includes(id)).map((upload) => ({ ...upload, messages: [] }))
}

const NOTHING: readonly LinkedUpload[] = []

function planFor(
  message: Message,
  { channelId, topic }: InChannel,
  move: WantedMove,
  user: User,
  { sql, state }: Sending,
): Promise<MovePlan | 'too_many' | undefined> {
  const reader = findTopicReader(channelId, user, state)
  if (!reader) throw new StaleMessageError() // It could be read a moment ago.
  const toChannelId = move.channelId === channelId ? undefined : move.channelId
  const wanted = { messageId: message.id, topic, newTopic: move.topic, mode: move.mode, toChannelId }
  return planMove(sql, reader, wanted, {
    countMax: MESSAGES_MOVED_MAX,
    perChangeMax: MESSAGES_MOVED_PER_CHANGE_MAX,
  })
}

function decideUpdate(
  { found, head, wanted, composed, plan, isTopicKnown, holders, receiverIds, editedAt }: Prepared,
  user: User,
  state: OrganizationState,
  fail: UpdateFail,
): Decision<undefined> {
  const { message } = found
  const { destination } = message
  const messageId = head.message.id
  const { move } = wanted
  if (!canReadMessage(user, found, state) || isClosed(found, state)) throw fail('MESSAGE_UNKNOWN')
  if (composed) checkContentEdit(user, message, state, editedAt, fail)
  if (move) checkMove(user, { message, wanted: move, plan, isTopicKnown }, state, editedAt, fail)
  const isEdited = composed !== undefined && wanted.content !== message.content
  if (!isEdited && !move) return { events: [], reply: () => undefined }
  const hearing = (ids: readonly UserId[] | undefined) =>
    listenersOf(head, ids, state)
      .union(UserSet.of([user.id]))
      .intersection(state.rights.activeUsers)
  const listeners = hearing(receiverIds)
  const event: MessagesUpdated = {
    type: 'update_message',
    messageId,
    messageIds: [messageId],
    ...placeOf(message, state),
    userId: user.id,
    editedAt,
    holders: {
      unread: UserSet.of(holders.unreadUserIds).encode(),
      starred: UserSet.of(holders.starredUserIds).encode(),
      collapsed: UserSet.of(holders.collapsedUserIds).encode(),
      ...(holders.historicalUserIds.length > 0
        ? { historical: UserSet.of(holders.historicalUserIds).encode() }
        : {}),
    },
    ...(isEdited
      ? { ...decideMentions(composed, user, listeners, state), ...linksOf(composed) }
      : mentionsOf(head.message)),
  }
  const content = isEdited ? { content: editOf(message, wanted.content ?? '', composed.rendered) } : {}
  if (!move || !plan || destination.kind === 'direct') {
    return { events: [tell({ ...event, ...content }, listeners)], reply: () => undefined }
  }
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
  return {
    events: eventsOf(moved, content, { plan, listeners, movers, destination }, state),
    reply: () => undefined,
  }
}

interface Hearing {
  readonly plan: MovePlan
  readonly destination: InChannel
  /** Who hears of the message. */
  readonly listeners: UserSet
  /** Who hears of one of those that are moved. */
  readonly movers: UserSet
}

function eventsOf(
  moved: MessagesUpdated,
  content: Pick<MessagesUpdated, 'content'>,
  { plan, destination, listeners, movers }: Hearing,
  state: OrganizationState,
): NewEvent[] {
  if (plan.toChannel) {
    const from = state.getChannel(destination.channelId)
    const markers = plan.markerIds.filter(
      (id) => readableHistory(state.getUser(id), from, state.rights) === 'all',
    )
    return decideChannelMove(moved, plan.toChannel, destination, movers.with(markers), state)
  }
  if (!content.content || movers.size === listeners.size) return [tell({ ...moved, ...content }, movers)]
  // Not all who may read what goes along may read what is edited.
  const { move: _, ...edited } = { ...moved, messageIds: [moved.messageId], ...content }
  return [tell(edited, listeners), tell(moved, movers)]
}

function tell(event: MessagesUpdated, users: UserSet): NewEvent {
  return { event, audience: { kind: 'users', users } }
}

function placeOf({ destination }: Message, state: OrganizationState) {
  if (destination.kind === 'direct') return { channelId: null, channelName: null }
  const { channelId } = destination
  return { channelId, channelName: state.getChannel(channelId).channel.name }
}

function mentionsOf({ mentions, isForAll }: Message): Pick<MessagesUpdated, 'mentions' | 'isForAll'> {
  return { ...(mentions.length > 0 ? { mentions } : {}), ...(isForAll ? { isForAll } : {}) }
}

function editOf(message: Message, content: string, rendered: string): ContentEdit {
  return { previous: message.content, previousRendered: message.rendered, content, rendered }
}

/** Checks whether the caller may edit or move a message. */

import { createHash } from 'node:crypto'
import { canResolveTopics } from '../../../packages/rules/channels.ts'
import {
  canMoveOutOfChannel,
  canMoveWithinChannel,
  findEditRefusal,
  isLate,
} from '../../../packages/rules/messages.ts'
import type { MovePlan } from '../../../db/messages/message-moves.ts'
import type { Message } from '../../domain/entities.ts'
import type { PropagateMode } from '../../domain/events/messages.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { isModerator } from '../../../packages/rules/roles.ts'
import { findResolution } from '../../../packages/rules/topics.ts'
import type { ErrorName } from '../../errors/api-error.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { Scope } from '../scope.ts'
import { checkPosting, checkTopic, checkTopicName } from './channel-target.ts'

/** The failures of an edit or a move. */
export const UPDATE_ERRORS = [
  'MESSAGE_UNKNOWN',
  'NOTHING_TO_CHANGE',
  'DIRECT_MESSAGE_MOVED',
  'DIRECT_MESSAGE_TOPIC',
  'PROPAGATION_WITHOUT_MOVE',
  'CONTENT_AND_CHANNEL',
  'WIDGET_EDITED',
  'CONTENT_MISMATCH',
  'EDITING_DISABLED',
  'EDITING_FORBIDDEN',
  'EDITING_TOO_LATE',
  'MOVING_FORBIDDEN',
  'TOPIC_MOVE_TOO_LATE',
  'CHANNEL_MOVE_TOO_LATE',
  'PROPAGATION_TOO_LATE',
  'RESOLVING_FORBIDDEN',
  'TOPIC_REQUIRED',
  'TOPIC_CHARACTER',
  'TOO_MANY_MESSAGES_MOVED',
  'CHANNEL_UNKNOWN',
  'CHANNEL_CLOSED',
  'POSTING_FORBIDDEN',
  'EMPTY_TOPIC_FORBIDDEN',
  'EMPTY_TOPIC_REQUIRED',
  'NEW_TOPIC_FORBIDDEN',
] as const satisfies readonly ErrorName[]
type UpdateScope = Scope<(typeof UPDATE_ERRORS)[number]>

/** An update, as the client sends it. */
export interface AskedUpdate {
  readonly content: string | undefined
  readonly contentHash: string | undefined
  readonly topic: string | undefined
  readonly channelId: ChannelId | undefined
  readonly mode: PropagateMode
}

/** The parts of an update that would change the message. */
export interface WantedUpdate {
  readonly content: string | undefined
  readonly move:
    | { readonly topic: string; readonly channelId: ChannelId; readonly mode: PropagateMode }
    | undefined
}

/** The parts of an update, if it is valid for such a message. */
export function readUpdate(
  { fail }: Pick<UpdateScope, 'fail'>,
  asked: AskedUpdate,
  message: Message,
): WantedUpdate {
  const { content, contentHash, mode } = asked
  const { destination } = message
  if (destination.kind === 'direct') {
    if (asked.channelId !== undefined) throw fail('DIRECT_MESSAGE_MOVED')
    if (asked.topic !== undefined) throw fail('DIRECT_MESSAGE_TOPIC')
  }
  const place =
    destination.kind === 'direct'
      ? undefined
      : { topic: asked.topic ?? destination.topic, channelId: asked.channelId ?? destination.channelId }
  const isMoved =
    destination.kind === 'channel' &&
    (place?.topic !== destination.topic || place.channelId !== destination.channelId)
  const move = place && isMoved ? { ...place, mode } : undefined
  const isRenamed = destination.kind === 'channel' && place?.topic !== destination.topic
  if (move && isRenamed) checkTopicName({ fail }, move.topic)
  if (content === undefined && !move) throw fail('NOTHING_TO_CHANGE')
  if (mode !== 'change_one' && !move) throw fail('PROPAGATION_WITHOUT_MOVE')
  if (content === undefined) return { content, move }
  if (destination.kind === 'channel' && place?.channelId !== destination.channelId)
    throw fail('CONTENT_AND_CHANNEL')
  // Its submessages refer to its content.
  if (message.submessages.length > 0) throw fail('WIDGET_EDITED')
  if (contentHash !== undefined && contentHash.toLowerCase() !== hashOf(message.content))
    throw fail('CONTENT_MISMATCH')
  return { content, move }
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** How editing a message can fail. */
export const EDIT_ERRORS = ['EDITING_FORBIDDEN', 'EDITING_DISABLED', 'EDITING_TOO_LATE'] as const

/** Throws if the caller may not edit the message. */
export function checkContentEdit(
  { state, caller, now, fail }: Scope<(typeof EDIT_ERRORS)[number]>,
  message: Message,
): void {
  const refusal = findEditRefusal(caller, message, state.settings, now)
  if (refusal) throw fail(EDIT_FAILURES[refusal])
}

const EDIT_FAILURES = {
  forbidden: 'EDITING_FORBIDDEN',
  disabled: 'EDITING_DISABLED',
  late: 'EDITING_TOO_LATE',
} as const

/** A move, as its checks need it. */
export interface CheckedMove {
  readonly message: Message
  readonly wanted: NonNullable<WantedUpdate['move']>
  /** Undefined until the messages of the move are known. */
  readonly plan: MovePlan | undefined
  /** Whether the new topic exists, if that matters. */
  readonly isTopicKnown: boolean
}

/** Throws if the caller may not move the message, or the others of the move. */
export function checkMove(scope: UpdateScope, { message, wanted, plan, isTopicKnown }: CheckedMove): void {
  const { state, caller, now, fail } = scope
  const { destination, senderId } = message
  if (destination.kind === 'direct') throw new Error('a direct message has no topic')
  const { settings } = state
  const from = state.getChannel(destination.channelId)
  const { topic, channelId } = wanted
  const isLeaving = channelId !== destination.channelId
  const isResolved = !isLeaving && findResolution(destination.topic, topic) !== undefined
  if (isResolved) {
    if (!canResolveTopics(caller, from, state)) throw fail('RESOLVING_FORBIDDEN')
    return
  }
  const target = isLeaving ? findTarget(scope, channelId) : from
  if (isLeaving) {
    if (!canMoveOutOfChannel(caller, from, state)) throw fail('MOVING_FORBIDDEN')
  } else if (!canMoveWithinChannel(caller, from, state)) {
    // A sender may move their own message, but not the messages of others.
    const isOwn = plan?.messages.every((one) => one.senderId === caller.id) ?? senderId === caller.id
    if (!isOwn) throw fail('EDITING_FORBIDDEN')
  }
  const { topicsPolicy } = target.channel
  if (topic === '' && topicsPolicy === 'inherit' && settings.topicsPolicy === 'disable_empty_topic')
    throw fail('TOPIC_REQUIRED')
  checkTopic(scope, target, { topic, isKnown: isTopicKnown })
  if (isModerator(caller)) return
  const topicLimit = topic === destination.topic ? null : settings.topicMoveLimitSeconds
  const channelLimit = isLeaving ? settings.channelMoveLimitSeconds : null
  if (isLate(message, channelLimit, now)) throw fail('CHANNEL_MOVE_TOO_LATE')
  if (!isLeaving && isLate(message, topicLimit, now)) throw fail('TOPIC_MOVE_TOO_LATE')
  const limit = isLeaving ? channelLimit : topicLimit
  const early = plan?.messages.filter((one) => !isLate(one, limit, now)) ?? []
  if (plan && early.length < plan.messages.length) {
    throw fail('PROPAGATION_TOO_LATE', {
      firstId: early[0]?.id ?? message.id,
      count: plan.messages.length,
      countMax: early.length,
    })
  }
}

function findTarget(scope: UpdateScope, channelId: ChannelId): ChannelState {
  const channel = scope.state.findReadableChannel(scope.caller, channelId)
  if (!channel) throw scope.fail('CHANNEL_UNKNOWN')
  checkPosting(scope, channel)
  return channel
}

/** The channels and topics to which a sender may send. */

import { canReadChannel } from '../../../packages/rules/channels.ts'
import { canCreateTopic, canSendToChannel } from '../../../packages/rules/messages.ts'
import { topicRule } from '../../../packages/rules/messages.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { findUnseenCharacter } from '../../domain/text/unseen-characters.ts'
import type { ErrorName } from '../../errors/api-error.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { Scope } from '../scope.ts'

/** A sender, and the organization in which they send. */
export type SenderScope<Names extends ErrorName = never> = Pick<Scope<Names>, 'state' | 'caller' | 'fail'>

/** The errors of a channel that a request names by its id. */
export const CHANNEL_TARGET_ERRORS = ['CHANNEL_ID_UNKNOWN', 'CHANNEL_CLOSED', 'POSTING_FORBIDDEN'] as const

/** The errors of a topic that a user sends to. */
export const TOPIC_ERRORS = ['EMPTY_TOPIC_FORBIDDEN', 'EMPTY_TOPIC_REQUIRED', 'NEW_TOPIC_FORBIDDEN'] as const

type ChannelTargetError = (typeof CHANNEL_TARGET_ERRORS)[number]

/** The errors of a channel that a request names by its id or its name. */
export const NAMED_CHANNEL_ERRORS = [
  ...CHANNEL_TARGET_ERRORS,
  'CHANNEL_NAMED_UNKNOWN',
  'SINGLE_CHANNEL_EXPECTED',
] as const

/** The one channel that is named by id or name, if the sender may send there; absent and forbidden look alike. */
export function findNamedChannel(
  scope: SenderScope<(typeof NAMED_CHANNEL_ERRORS)[number]>,
  to: readonly (string | number)[],
): ChannelState {
  const { state, caller, fail } = scope
  const [target] = to
  if (target === undefined || to.length > 1) throw fail('SINGLE_CHANNEL_EXPECTED')
  if (typeof target === 'number') return findTargetChannel(scope, target as ChannelId)
  const name = target.trim()
  const channel = state.findChannelByName(name)
  if (!channel || !canReadChannel(caller, channel, state.rights))
    throw fail('CHANNEL_NAMED_UNKNOWN', { name })
  checkPosting(scope, channel)
  return channel
}

/** The channel of an id, if the sender may send there; absent and forbidden look alike. */
export function findTargetChannel(scope: SenderScope<ChannelTargetError>, id: ChannelId): ChannelState {
  const { state, caller, fail } = scope
  const channel = state.channels.get(id)
  if (!channel || !canReadChannel(caller, channel, state.rights)) throw fail('CHANNEL_ID_UNKNOWN', { id })
  checkPosting(scope, channel)
  return channel
}

/** Throws if a sender who can read a channel may not send there. */
export function checkPosting(
  { state, caller, fail }: SenderScope<'CHANNEL_CLOSED' | 'POSTING_FORBIDDEN'>,
  channel: ChannelState,
): void {
  if (channel.channel.isArchived) throw fail('CHANNEL_CLOSED', { name: channel.channel.name })
  if (!canSendToChannel(caller, channel, state.rights)) throw fail('POSTING_FORBIDDEN')
}

/** Whether the sender may only use topics that exist. */
export function needsKnownTopic(
  { state, caller }: Pick<Scope, 'state' | 'caller'>,
  channel: ChannelState,
): boolean {
  return !canCreateTopic(caller, channel, state.rights)
}

/** Throws if a topic has invisible characters; topics that exist keep their names. */
export function checkTopicName({ fail }: Pick<Scope<'TOPIC_CHARACTER'>, 'fail'>, topic: string): void {
  const position = findUnseenCharacter(topic)
  if (position !== undefined) throw fail('TOPIC_CHARACTER', { position })
}

/** A topic, and whether it exists, if that matters. */
export interface TopicToWriteIn {
  readonly topic: string
  readonly isKnown: boolean
}

/** Throws if the sender may not send to this topic. */
export function checkTopic(
  scope: SenderScope<(typeof TOPIC_ERRORS)[number]>,
  channel: ChannelState,
  { topic, isKnown }: TopicToWriteIn,
): void {
  const { state, fail } = scope
  const rule = topicRule(channel.channel, state)
  if (topic === '' && rule === 'needed') throw fail('EMPTY_TOPIC_FORBIDDEN')
  if (topic !== '' && rule === 'none') throw fail('EMPTY_TOPIC_REQUIRED')
  if (!isKnown && needsKnownTopic(scope, channel)) throw fail('NEW_TOPIC_FORBIDDEN')
}

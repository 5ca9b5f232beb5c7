/** Mutes topics for older clients: it fails if the topic already is in the requested state. */

import { TOPIC_VISIBILITIES } from '../../../packages/rules/topics.ts'
import { canReadChannel } from '../../../packages/rules/channels.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { changeOwnTopic } from './change-user-topic.ts'

/** A topic to mute or unmute. */
export interface MuteTopicRequest {
  /** By id or by name. */
  readonly channel: ChannelId | string
  readonly topic: string
  readonly isMuted: boolean
}

/** How muting a topic can fail. */
export const MUTE_TOPIC_ERRORS = [
  'CHANNEL_UNKNOWN',
  'CHANNEL_NAME_UNKNOWN',
  'TOPIC_MUTED_ALREADY',
  'TOPIC_NOT_MUTED',
  'TOO_MANY_USER_TOPICS',
] as const

/** Mutes a topic for the caller, or unmutes it. */
export function decideTopicMute(
  scope: Scope<(typeof MUTE_TOPIC_ERRORS)[number]>,
  { channel, topic, isMuted }: MuteTopicRequest,
): Decision<void> {
  const { state, caller, fail } = scope
  const readable = findReadable(scope, channel)
  // Users who may no longer read a channel may still unmute its topics, by the channel's id.
  const channelId = readable?.channel.id ?? (typeof channel === 'number' ? channel : undefined)
  const wasMuted = channelId !== undefined && state.topicVisibility(caller.id, channelId, topic) === 1
  if (!isMuted) {
    if (!wasMuted) throw fail('TOPIC_NOT_MUTED')
    return done(changeOwnTopic(scope, { channelId, topic, visibility: 0 }))
  }
  if (!readable) {
    throw typeof channel === 'string'
      ? fail('CHANNEL_NAME_UNKNOWN', { name: channel })
      : fail('CHANNEL_UNKNOWN')
  }
  if (wasMuted) throw fail('TOPIC_MUTED_ALREADY')
  return done(
    changeOwnTopic(scope, { channelId: readable.channel.id, topic, visibility: TOPIC_VISIBILITIES.muted }),
  )
}

function findReadable({ state, caller }: Scope, channel: ChannelId | string): ChannelState | undefined {
  if (typeof channel !== 'string') return state.findReadableChannel(caller, channel)
  const named = state.findChannelByName(channel)
  return named && canReadChannel(caller, named, state.rights) ? named : undefined
}

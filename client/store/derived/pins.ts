/** The pins of channels. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { State } from '../apply.ts'

type Pin = NonNullable<State['channel_pins']>[number]['pins'][number]

const NONE: readonly Pin[] = []

/** The pins of a channel that the user is subscribed to, the oldest first. */
export function pinsOf(state: State, channelId: number): readonly Pin[] {
  return state.channel_pins?.find(({ stream_id }) => stream_id === channelId)?.pins ?? NONE
}

/** The pinned topics of a channel, the oldest pin first. */
export function pinnedTopics(state: State, channelId: number): readonly string[] {
  return pinsOf(state, channelId).flatMap(({ topic }) => (topic === null ? [] : [topic]))
}

export function pinOfTopic(state: State, channelId: number, topic: string): Pin | undefined {
  return pinsOf(state, channelId).find((pin) => pin.topic !== null && topicKey(pin.topic) === topicKey(topic))
}

export function pinOfMessage(state: State, channelId: number, messageId: number): Pin | undefined {
  return pinsOf(state, channelId).find((pin) => pin.message_id === messageId)
}

/** Channels as of an event that reveals them. */

import type { Channel } from '../domain/entities.ts'
import type { ChannelState } from '../state/channel-state.ts'
import type { EventContext } from './view.ts'

/** A user who has left since must not learn of later subscribers, changes or first messages. */
export function channelAtEvent(
  channel: Channel,
  { id, state, subscribersAtEvent }: EventContext,
): ChannelState {
  const now = state.getChannel(channel.id)
  const { firstMessageId } = now
  return {
    ...now,
    channel,
    subscribers: subscribersAtEvent?.get(channel.id) ?? now.subscribers,
    firstMessageId: firstMessageId !== null && firstMessageId < (id as number) ? firstMessageId : null,
  }
}

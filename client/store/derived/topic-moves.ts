/** The moves of whole topics that the current user may ask for, by the same rules as on the server, which decides. */

import type { State } from '../apply.ts'
import { channelsById } from './channels.ts'
import { holds } from './permissions.ts'

interface TopicMoves {
  /** To another topic of the channel. */
  readonly canRename: boolean
  /** To another channel. */
  readonly canLeave: boolean
}

/** Limits of time are the server's: the state has no messages. */
export function topicMoves(state: State, channelId: number): TopicMoves {
  const channel = channelsById(state).get(channelId)?.channel
  const isOpen = channel?.is_archived === false
  return {
    canRename:
      isOpen &&
      (holds(state, state.realm_can_move_messages_between_topics_group) ||
        holds(state, channel.can_move_messages_within_channel_group)),
    canLeave:
      isOpen &&
      (holds(state, state.realm_can_move_messages_between_channels_group) ||
        holds(state, channel.can_move_messages_out_of_channel_group)),
  }
}

/** What a channel is after something about it changed. */

import type { Channel } from './entities.ts'
import type { ChannelChange } from './events/channels.ts'

/** A channel after a change. */
export function changeChannel(channel: Channel, change: ChannelChange): Channel {
  switch (change.kind) {
    case 'permission':
      return { ...channel, permissions: { ...channel.permissions, [change.permission]: change.setting } }
    case 'postPolicy':
    case 'announcementOnly':
    case 'firstMessage':
      return channel // They follow from the permissions, or from the messages.
    default: {
      const { kind: _, ...changes } = change
      return { ...channel, ...changes }
    }
  }
}

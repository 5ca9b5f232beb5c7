/** What a channel is after something about it changed. */

import type { Channel } from './entities.ts'
import type { ChannelChange, ShownChannelChange } from './events/channels.ts'
import { postPolicyOf } from './post-policy.ts'

/** A channel after a change. */
export function changeChannel(channel: Channel, change: ChannelChange): Channel {
  switch (change.kind) {
    case 'permission':
      return { ...channel, permissions: { ...channel.permissions, [change.permission]: change.setting } }
    default: {
      const { kind: _, ...changes } = change
      return { ...channel, ...changes }
    }
  }
}

/** What clients older than permissions see change with it. */
export function shownChangesOf({ permissions }: Channel, change: ChannelChange): ShownChannelChange[] {
  if (change.kind !== 'permission' || change.permission !== 'canSendMessage') return []
  const [before, postPolicy] = [postPolicyOf(permissions.canSendMessage), postPolicyOf(change.setting)]
  if (postPolicy === before) return []
  const isAnnouncementOnly = postPolicy === 2
  const shown: ShownChannelChange[] = [{ kind: 'postPolicy', postPolicy }]
  if (isAnnouncementOnly !== (before === 2)) shown.push({ kind: 'announcementOnly', isAnnouncementOnly })
  return shown
}

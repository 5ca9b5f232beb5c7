/** A channel after a change, and the older fields that change with it. */

import type { Channel } from '../entities.ts'
import type { ChannelChange, ShownChannelChange } from '../events/channels.ts'
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

/** The older fields that change with a permission, for clients that do not support permissions. */
export function shownChangesOf({ permissions }: Channel, change: ChannelChange): ShownChannelChange[] {
  if (change.kind !== 'permission' || change.permission !== 'canSendMessage') return []
  const [before, postPolicy] = [postPolicyOf(permissions.canSendMessage), postPolicyOf(change.setting)]
  if (postPolicy === before) return []
  const isAnnouncementOnly = postPolicy === 2
  const shown: ShownChannelChange[] = [{ kind: 'postPolicy', postPolicy }]
  if (isAnnouncementOnly !== (before === 2)) shown.push({ kind: 'announcementOnly', isAnnouncementOnly })
  return shown
}

/** Changes of the channels that new people are subscribed to. */

import type { NewEvent } from '../../domain/events.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** Makes channels default ones or usual ones; nothing where they are so already. */
export function changeDefaultChannels(
  { defaultChannelIds, rights }: OrganizationState,
  changed: readonly ChannelId[],
  isDefault: boolean,
): NewEvent[] {
  const others = defaultChannelIds.filter((id) => !changed.includes(id))
  const channelIds = isDefault ? [...others, ...changed].sort((a, b) => a - b) : others
  if (channelIds.length === defaultChannelIds.length) return []
  return [
    {
      event: { type: 'default_streams', channelIds },
      audience: { kind: 'users', users: rights.activeMembers },
    },
  ]
}

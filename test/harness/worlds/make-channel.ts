/** A channel as a plain value, for tests below the API. */

import type { Channel } from '../../../server/domain/entities.ts'
import type { ChannelId, UserId } from '../../../server/domain/ids.ts'
import { CHANNEL_PERMISSIONS, completePermissions } from '../../../server/domain/groups/permissions.ts'

/** A public channel of the first user, with the given overrides. */
export function makeChannel(id: number, given: Partial<Channel> = {}): Channel {
  return {
    id: id as ChannelId,
    name: `channel ${id}`,
    description: '',
    renderedDescription: '',
    createdAt: 1_700_000_000,
    creatorId: 1 as UserId,
    isPrivate: false,
    isWebPublic: false,
    isHistoryPublic: true,
    retentionDays: null,
    topicsPolicy: 'inherit',
    hasLinkPreviews: true,
    folderId: null,
    isArchived: false,
    permissions: completePermissions(CHANNEL_PERMISSIONS, {}, 1 as UserId),
    ...given,
  }
}

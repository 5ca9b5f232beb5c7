/** What a new channel is made with where nobody said otherwise. */

import type { NewChannelSettings } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermissions,
  completePermissions,
} from '../../domain/permissions.ts'

/** A public channel of its creator's, but for what is given. */
export function newChannelSettings(
  creatorId: UserId,
  createdAt: number,
  {
    permissions = {},
    ...given
  }: Partial<Omit<NewChannelSettings, 'permissions'>> & {
    readonly permissions?: Partial<ChannelPermissions>
  },
): NewChannelSettings {
  return {
    createdAt,
    creatorId,
    isPrivate: false,
    isWebPublic: false,
    // A private channel keeps its past to itself.
    isHistoryPublic: !given.isPrivate,
    retentionDays: null,
    topicsPolicy: 'inherit',
    folderId: null,
    isArchived: false,
    ...given,
    permissions: completePermissions(CHANNEL_PERMISSIONS, permissions, creatorId),
  }
}

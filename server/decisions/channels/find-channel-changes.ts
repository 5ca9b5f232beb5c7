/** Finds the properties of a channel that an update really changes. */

import type { Channel, TopicsPolicy } from '../../domain/entities.ts'
import type { ChannelChange } from '../../domain/events/channels.ts'
import type { ChannelId, FolderId } from '../../domain/ids.ts'
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../domain/groups/permissions.ts'
import { checkPermissionUpdates, GROUP_SETTING_ERRORS, type PermissionUpdates } from '../group-settings.ts'
import type { Scope } from '../scope.ts'
import { checkPrivacy, type Privacy } from './channel-privacy.ts'

/** The new properties of a channel; undefined keeps the present value. */
export interface UpdateChannelRequest {
  readonly channelId: ChannelId
  readonly name: string | undefined
  readonly description: Pick<Channel, 'description' | 'renderedDescription'> | undefined
  readonly privacy: { readonly [Name in keyof Privacy]: boolean | undefined }
  readonly isDefault: boolean | undefined
  readonly retentionDays: number | null | undefined
  readonly isUnarchived: boolean
  readonly folderId: FolderId | null | undefined
  readonly topicsPolicy: TopicsPolicy | undefined
  readonly hasLinkPreviews: boolean | undefined
  readonly permissions: PermissionUpdates<ChannelPermission>
  /** Whether the server allows web-public channels. */
  readonly hasWebPublicChannels: boolean
}

/** How a change can be wrong in itself. */
export const CHANNEL_CHANGE_ERRORS = [
  'CHANNEL_HISTORY_CONTRADICTION',
  'CHANNEL_NAME_TAKEN',
  'CHANNEL_NAME_UNCHANGED',
  'EXPECTATION_MISMATCH',
  'FOLDER_UNKNOWN',
  ...GROUP_SETTING_ERRORS,
] as const

type ChangeScope = Scope<(typeof CHANNEL_CHANGE_ERRORS)[number]>

/** The real changes, in the order of their events. */
export function findChannelChanges(
  scope: ChangeScope,
  channel: Channel,
  request: UpdateChannelRequest,
): ChannelChange[] {
  const changes: ChannelChange[] = []
  const { name, description, retentionDays, folderId, topicsPolicy, hasLinkPreviews } = request
  if (request.isUnarchived && channel.isArchived) changes.push({ kind: 'archived', isArchived: false })
  if (name !== undefined) {
    checkNewName(scope, channel, name)
    changes.push({ kind: 'name', name })
  }
  if (description !== undefined && description.description !== channel.description) {
    changes.push({ kind: 'description', ...description })
  }
  const privacy = checkPrivacy(scope, channel, request.privacy)
  if (
    privacy.isPrivate !== channel.isPrivate ||
    privacy.isWebPublic !== channel.isWebPublic ||
    privacy.isHistoryPublic !== channel.isHistoryPublic
  ) {
    changes.push({ kind: 'privacy', ...privacy })
  }
  if (retentionDays !== undefined && retentionDays !== channel.retentionDays) {
    changes.push({ kind: 'retention', retentionDays })
  }
  if (folderId !== undefined && folderId !== channel.folderId) {
    const folder = scope.state.folders.find(({ id }) => id === folderId)
    if (folderId !== null && (!folder || folder.isArchived)) throw scope.fail('FOLDER_UNKNOWN')
    changes.push({ kind: 'folder', folderId })
  }
  if (topicsPolicy !== undefined && topicsPolicy !== channel.topicsPolicy) {
    changes.push({ kind: 'topicsPolicy', topicsPolicy })
  }
  if (hasLinkPreviews !== undefined && hasLinkPreviews !== channel.hasLinkPreviews) {
    changes.push({ kind: 'linkPreviews', hasLinkPreviews })
  }
  return [...changes, ...findPermissionChanges(scope, channel, request)]
}

function checkNewName(
  { state, fail }: Pick<Scope<'CHANNEL_NAME_TAKEN' | 'CHANNEL_NAME_UNCHANGED'>, 'state' | 'fail'>,
  channel: Channel,
  name: string,
): void {
  if (name === channel.name) throw fail('CHANNEL_NAME_UNCHANGED')
  const holder = state.findChannelByName(name)
  // A channel may change the case of its own name.
  if (holder && holder.channel.id !== channel.id) throw fail('CHANNEL_NAME_TAKEN')
}

/** The permissions that change. */
function findPermissionChanges(
  scope: ChangeScope,
  channel: Channel,
  { permissions }: UpdateChannelRequest,
): ChannelChange[] {
  const changed = checkPermissionUpdates(scope, CHANNEL_PERMISSIONS, permissions, channel.permissions)
  return (Object.keys(changed) as ChannelPermission[]).flatMap((permission): ChannelChange[] => {
    const setting = changed[permission]
    return setting === undefined ? [] : [{ kind: 'permission', permission, setting }]
  })
}

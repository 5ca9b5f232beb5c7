/** The decision to change a channel: what of it changes, who may, and who is told. */

import type { Decision } from '../decision.ts'
import { changeChannel } from '../../domain/change-channel.ts'
import { canAdministerChannel, isAdministrator, observersOf } from '../../domain/channel-access.ts'
import type { Channel, TopicsPolicy, User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelChange } from '../../domain/events/channels.ts'
import type { ChannelId, FolderId } from '../../domain/ids.ts'
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../domain/permissions.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { postPolicyOf } from '../../views/channel-view.ts'
import type { Fail } from '../../errors/api-error.ts'
import {
  checkPermissionUpdates,
  type GROUP_SETTING_ERRORS,
  type PermissionUpdates,
} from '../group-settings.ts'
import { requireAdministrator } from '../require-role.ts'
import { changeDefaultChannels } from './change-default-channels.ts'
import { noticeOf } from './channel-notices.ts'
import { type AccessFail, checkAccessChange, type Privacy, readPrivacy } from './channel-privacy.ts'
import { clientsOf, reveal, tellVisibility } from '../../audience/tell-visibility.ts'

type GroupSettingFail = Fail<(typeof GROUP_SETTING_ERRORS)[number]>
type UpdateFail = AccessFail &
  GroupSettingFail &
  Fail<
    | 'CHANNEL_ADMINISTRATION_FORBIDDEN'
    | 'CHANNEL_HISTORY_CONTRADICTION'
    | 'CHANNEL_NAME_TAKEN'
    | 'CHANNEL_NAME_UNCHANGED'
    | 'CHANNEL_UNKNOWN'
    | 'DEFAULT_CHANNELS_FORBIDDEN'
    | 'DEFAULT_CHANNEL_ARCHIVED'
    | 'EXPECTATION_MISMATCH'
    | 'FOLDER_UNKNOWN'
    | 'PERMISSION_MISSING'
    | 'ROLE_REQUIRED'
  >

/** What is wanted of a channel; undefined stays as it is. */
export interface ChannelUpdate {
  readonly channelId: ChannelId
  readonly name: string | undefined
  readonly description: Pick<Channel, 'description' | 'renderedDescription'> | undefined
  readonly privacy: { readonly [Name in keyof Privacy]: boolean | undefined }
  readonly isDefault: boolean | undefined
  readonly retentionDays: number | null | undefined
  readonly isUnarchived: boolean
  readonly folderId: FolderId | null | undefined
  readonly topicsPolicy: TopicsPolicy | undefined
  readonly permissions: PermissionUpdates<ChannelPermission>
  /** Whether the server allows web-public channels. */
  readonly hasWebPublicChannels: boolean
}

/** The channel, if the caller may change its settings. */
export function findAdministrableChannel(
  state: OrganizationState,
  caller: User,
  id: ChannelId,
  fail: Fail<'CHANNEL_UNKNOWN' | 'CHANNEL_ADMINISTRATION_FORBIDDEN'>,
): ChannelState {
  const channel = state.findVisibleChannel(caller, id)
  if (!channel) throw fail('CHANNEL_UNKNOWN')
  if (!canAdministerChannel(caller, channel, state.rights)) throw fail('CHANNEL_ADMINISTRATION_FORBIDDEN')
  return channel
}

/** What updating a channel comes to; answers the notices to be sent, in order. */
export function decideUpdateChannel(
  state: OrganizationState,
  caller: User,
  update: ChannelUpdate,
  fail: UpdateFail,
): Decision<readonly string[]> {
  const before = findAdministrableChannel(state, caller, update.channelId, fail)
  checkRoles(caller, update, fail)
  const changes = findChanges(state, before.channel, update, fail)
  const after = { ...before, channel: changes.reduce(changeChannel, before.channel) }
  const isDefault = update.isDefault ?? state.defaultChannelIds.includes(update.channelId)
  const changed = new Set(
    changes.map((change) => (change.kind === 'permission' ? change.permission : change.kind)),
  )
  checkAccessChange(
    state,
    {
      caller,
      before,
      after: after.channel,
      changed: changed as ReadonlySet<ChannelPermission | 'privacy'>,
      isDefault,
      hasWebPublicChannels: update.hasWebPublicChannels,
    },
    fail,
  )
  const maySetTopicsPolicy =
    isAdministrator(caller) || state.rights.holds(caller, state.permissions.canSetTopicsPolicy)
  if (changed.has('topicsPolicy') && !maySetTopicsPolicy) throw fail('PERMISSION_MISSING')
  if (isDefault && after.channel.isArchived) throw fail('DEFAULT_CHANNEL_ARCHIVED')

  const notices = changes.flatMap((change) => noticeOf(change, before.channel, caller, state) ?? [])
  const told = tellChanges(state, before, after, changes)
  const defaults = changeDefaultChannels(state, [update.channelId], isDefault)
  return {
    // No client finds a channel among the default ones that it does not know, or no longer.
    events: isDefault ? [...told, ...defaults] : [...defaults, ...told],
    reply: () => notices,
  }
}

/** Some things are not for a channel's administrators, but for the organization's. */
function checkRoles(
  caller: User,
  { isDefault, retentionDays }: ChannelUpdate,
  fail: Fail<'DEFAULT_CHANNELS_FORBIDDEN' | 'ROLE_REQUIRED'>,
): void {
  if (isDefault !== undefined && !isAdministrator(caller)) throw fail('DEFAULT_CHANNELS_FORBIDDEN')
  if (retentionDays !== undefined) requireAdministrator(caller, fail)
}

/** What really changes, in the order in which it is told. */
function findChanges(
  state: OrganizationState,
  channel: Channel,
  update: ChannelUpdate,
  fail: UpdateFail,
): ChannelChange[] {
  const changes: ChannelChange[] = []
  const { name, description, retentionDays, folderId, topicsPolicy } = update
  if (update.isUnarchived && channel.isArchived) changes.push({ kind: 'archived', isArchived: false })
  if (name !== undefined) changes.push(rename(state, channel, name, fail))
  if (description !== undefined && description.description !== channel.description) {
    changes.push({ kind: 'description', ...description })
  }
  const privacy = readPrivacy(channel, update.privacy, fail)
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
    const folder = state.folders.find(({ id }) => id === folderId)
    if (folderId !== null && (!folder || folder.isArchived)) throw fail('FOLDER_UNKNOWN')
    changes.push({ kind: 'folder', folderId })
  }
  if (topicsPolicy !== undefined && topicsPolicy !== channel.topicsPolicy) {
    changes.push({ kind: 'topicsPolicy', topicsPolicy })
  }
  return [...changes, ...changePermissions(state, channel, update, fail)]
}

function rename(
  state: OrganizationState,
  channel: Channel,
  name: string,
  fail: Fail<'CHANNEL_NAME_TAKEN' | 'CHANNEL_NAME_UNCHANGED'>,
): ChannelChange {
  if (name === channel.name) throw fail('CHANNEL_NAME_UNCHANGED')
  const holder = state.findChannelByName(name)
  // Its own name in other letters is free to it.
  if (holder && holder.channel.id !== channel.id) throw fail('CHANNEL_NAME_TAKEN')
  return { kind: 'name', name }
}

/** The permissions that change, each with what older clients make of it. */
function changePermissions(
  state: OrganizationState,
  channel: Channel,
  { permissions }: ChannelUpdate,
  fail: GroupSettingFail & Fail<'EXPECTATION_MISMATCH'>,
): ChannelChange[] {
  const changed = checkPermissionUpdates(
    { state, fail },
    CHANNEL_PERMISSIONS,
    permissions,
    channel.permissions,
  )
  const changes: ChannelChange[] = []
  for (const permission of Object.keys(changed) as ChannelPermission[]) {
    const setting = changed[permission]
    if (setting === undefined) continue
    changes.push({ kind: 'permission', permission, setting })
    if (permission !== 'canSendMessage') continue
    const [oldPolicy, postPolicy] = [postPolicyOf(channel.permissions.canSendMessage), postPolicyOf(setting)]
    if (postPolicy !== oldPolicy) changes.push({ kind: 'postPolicy', postPolicy })
    const isAnnouncementOnly = postPolicy === 2
    if (isAnnouncementOnly !== (oldPolicy === 2)) {
      changes.push({ kind: 'announcementOnly', isAnnouncementOnly })
    }
  }
  return changes
}

/** An event for each change to those who see the channel before and after, then the channel itself to the others. */
function tellChanges(
  state: OrganizationState,
  before: ChannelState,
  after: ChannelState,
  changes: readonly ChannelChange[],
): NewEvent[] {
  const { rights } = state
  const staying = observersOf(before, rights).intersection(observersOf(after, rights))
  const events: NewEvent[] = []
  let { channel } = before
  for (const change of changes) {
    events.push({
      event: {
        type: 'stream/update',
        channelId: channel.id,
        name: channel.name,
        change,
        ...clientsOf(before.channel),
      },
      audience: { kind: 'users', users: staying },
    })
    channel = changeChannel(channel, change)
  }
  events.push(...tellVisibility([{ before, after }], rights))
  // To clients that know no archived channels it was as deleted.
  if (before.channel.isArchived && !after.channel.isArchived) {
    events.push(...reveal([after], staying, rights, { clients: 'without_archived_channels' }))
  }
  return events
}

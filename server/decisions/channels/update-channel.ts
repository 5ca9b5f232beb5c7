/** Changes a channel: its texts, its privacy, its settings and its permissions; and archives it. */

import { changeChannel } from '../../domain/channels/change-channel.ts'
import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { Channel } from '../../domain/entities.ts'
import type { EventOf } from '../../domain/events.ts'
import type { ChannelChange } from '../../domain/events/channels.ts'
import { answering, type Decision, done } from '../decision.ts'
import { checkAdministrator } from '../check-caller.ts'
import type { Scope } from '../scope.ts'
import { removeFromGroups } from './change-channel-groups.ts'
import { changeDefaultChannels } from './change-default-channels.ts'
import { describeChange } from './channel-notices.ts'
import { ACCESS_ERRORS, checkAccessChange, checkPermission } from './channel-privacy.ts'
import { ADMINISTRATION_ERRORS, findAdministrableChannel } from './find-channel.ts'
import {
  CHANNEL_CHANGE_ERRORS,
  findChannelChanges,
  type UpdateChannelRequest,
} from './find-channel-changes.ts'
import type { ChannelId } from '../../domain/ids.ts'

/** How changing a channel can fail. */
export const UPDATE_CHANNEL_ERRORS = [
  ...ADMINISTRATION_ERRORS,
  ...CHANNEL_CHANGE_ERRORS,
  ...ACCESS_ERRORS,
  'DEFAULT_CHANNELS_FORBIDDEN',
  'DEFAULT_CHANNEL_ARCHIVED',
  'ROLE_REQUIRED',
] as const

type UpdateScope = Scope<(typeof UPDATE_CHANNEL_ERRORS)[number]>

/** Changes a channel; answers its notices in order. */
export function decideChannelUpdate(
  scope: UpdateScope,
  request: UpdateChannelRequest,
): Decision<readonly string[]> {
  const { channelId } = request
  const { state, caller, fail } = scope
  const before = findAdministrableChannel(scope, channelId)
  checkRoles(scope, request)
  const changes = findChannelChanges(scope, before.channel, request)
  const after = changes.reduce(changeChannel, before.channel)
  const isDefault = request.isDefault ?? state.defaultChannelIds.includes(channelId)
  const changed = new Set(
    changes.map((change) => (change.kind === 'permission' ? change.permission : change.kind)),
  )
  const { hasWebPublicChannels } = request
  checkAccessChange(scope, { before, after, changed, isDefault, hasWebPublicChannels })
  if (changed.has('topicsPolicy') && !isAdministrator(caller)) checkPermission(scope, 'canSetTopicsPolicy')
  if (isDefault && after.isArchived) throw fail('DEFAULT_CHANNEL_ARCHIVED')

  const notices = changes.flatMap((change) => describeChange(scope, before.channel, change) ?? [])
  const updates = changesOf(before.channel, changes)
  const defaults = changeDefaultChannels(scope, [channelId], isDefault)
  // No client has a default channel that it does not know.
  const groups = after.isPrivate ? removeFromGroups(state, channelId) : []
  return answering(notices, [
    ...groups,
    ...(isDefault ? [...updates, ...defaults] : [...defaults, ...updates]),
  ])
}

/** Only administrators of the organization may change these, not administrators of the channel. */
function checkRoles(
  scope: Scope<'DEFAULT_CHANNELS_FORBIDDEN' | 'ROLE_REQUIRED'>,
  { isDefault, retentionDays }: UpdateChannelRequest,
): void {
  if (isDefault !== undefined && !isAdministrator(scope.caller))
    throw scope.fail('DEFAULT_CHANNELS_FORBIDDEN')
  if (retentionDays !== undefined) checkAdministrator(scope)
}

/** A fact for each change, with the channel's name before it. */
function changesOf(channel: Channel, changes: readonly ChannelChange[]): EventOf<'stream/update'>[] {
  let { name } = channel
  return changes.map((change) => {
    const fact = { type: 'stream/update', channelId: channel.id, name, change } as const
    if (change.kind === 'name') name = change.name
    return fact
  })
}

/** How archiving a channel can fail. */
export const ARCHIVE_ERRORS = [...ADMINISTRATION_ERRORS, 'CHANNEL_ARCHIVED_ALREADY'] as const

/** Archives a channel. */
export function decideArchival(
  scope: Scope<(typeof ARCHIVE_ERRORS)[number]>,
  { channelId }: { readonly channelId: ChannelId },
): Decision<void> {
  const { name, isArchived } = findAdministrableChannel(scope, channelId).channel
  if (isArchived) throw scope.fail('CHANNEL_ARCHIVED_ALREADY')
  // Default channels and their groups change first, so that no client has one that it does not know.
  const defaults = changeDefaultChannels(scope, [channelId], false)
  return done([
    ...defaults,
    ...removeFromGroups(scope.state, channelId),
    { type: 'stream/update', channelId, name, change: { kind: 'archived', isArchived: true } },
  ])
}

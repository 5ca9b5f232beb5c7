/** Changing a channel: its texts, its privacy, its settings and its permissions. */

import { changeChannel, shownChangesOf } from '../../domain/change-channel.ts'
import { isAdministrator, observersOf } from '../../domain/channel-access.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelChange } from '../../domain/events/channels.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { clientsOf, reveal, tellVisibility } from '../../audience/tell-visibility.ts'
import { answering, type Decision } from '../decision.ts'
import { checkAdministrator } from '../check-caller.ts'
import type { Scope } from '../scope.ts'
import { changeDefaultChannels } from './change-default-channels.ts'
import { describeChange } from './channel-notices.ts'
import { ACCESS_ERRORS, checkAccessChange, checkPermission } from './channel-privacy.ts'
import { ADMINISTRATION_ERRORS, findAdministrableChannel } from './find-channel.ts'
import {
  CHANNEL_CHANGE_ERRORS,
  findChannelChanges,
  type UpdateChannelRequest,
} from './find-channel-changes.ts'

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

/** Changes a channel; answers the notices to be sent, in order. */
export function decideChannelUpdate(
  scope: UpdateScope,
  request: UpdateChannelRequest,
): Decision<readonly string[]> {
  const { channelId } = request
  const { state, caller, fail } = scope
  const before = findAdministrableChannel(scope, channelId)
  checkRoles(scope, request)
  const changes = findChannelChanges(scope, before.channel, request)
  const after = { ...before, channel: changes.reduce(changeChannel, before.channel) }
  const isDefault = request.isDefault ?? state.defaultChannelIds.includes(channelId)
  const changed = new Set(
    changes.map((change) => (change.kind === 'permission' ? change.permission : change.kind)),
  )
  const { hasWebPublicChannels } = request
  checkAccessChange(scope, { before, after: after.channel, changed, isDefault, hasWebPublicChannels })
  if (changed.has('topicsPolicy') && !isAdministrator(caller)) checkPermission(scope, 'canSetTopicsPolicy')
  if (isDefault && after.channel.isArchived) throw fail('DEFAULT_CHANNEL_ARCHIVED')

  const notices = changes.flatMap((change) => describeChange(scope, before.channel, change) ?? [])
  const told = tellChanges(scope, { before, after }, changes)
  const defaults = changeDefaultChannels(scope, [channelId], isDefault)
  // No client finds a channel among the default ones that it does not know, or no longer.
  return answering(notices, isDefault ? [...told, ...defaults] : [...defaults, ...told])
}

/** Some things are not for a channel's administrators, but for the organization's. */
function checkRoles(
  scope: Scope<'DEFAULT_CHANNELS_FORBIDDEN' | 'ROLE_REQUIRED'>,
  { isDefault, retentionDays }: UpdateChannelRequest,
): void {
  if (isDefault !== undefined && !isAdministrator(scope.caller))
    throw scope.fail('DEFAULT_CHANNELS_FORBIDDEN')
  if (retentionDays !== undefined) checkAdministrator(scope)
}

/** An event for each change to those who see the channel before and after, then the channel itself to the others. */
function tellChanges(
  { state: { rights } }: Scope,
  { before, after }: { readonly before: ChannelState; readonly after: ChannelState },
  changes: readonly ChannelChange[],
): NewEvent[] {
  const staying = observersOf(before, rights).intersection(observersOf(after, rights))
  const events: NewEvent[] = []
  let { channel } = before
  const audience = { kind: 'users', users: staying } as const
  for (const change of changes) {
    const { id: channelId, name } = channel
    const clients = clientsOf(before.channel)
    events.push({ event: { type: 'stream/update', channelId, name, change, ...clients }, audience })
    for (const shown of shownChangesOf(channel, change))
      events.push({
        event: { type: 'stream/update_shown', channelId, name, change: shown, ...clients },
        audience,
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

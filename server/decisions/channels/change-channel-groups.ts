/** Changes of the groups of channels among which new users choose. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { EventOf } from '../../domain/events.ts'
import type { ChannelGroupId, ChannelId } from '../../domain/ids.ts'
import { CHANNEL_GROUP_CHANNELS_MAX, CHANNEL_GROUPS_MAX } from '../../domain/limits.ts'
import type { ChannelGroup } from '../../domain/organization/organization-lists.ts'
import { findUnseenCharacter } from '../../domain/text/unseen-characters.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { answering, type Decision, done } from '../decision.ts'
import { checkAdministrator } from '../check-caller.ts'
import type { Scope } from '../scope.ts'

const NAME_ERRORS = ['CHANNEL_GROUP_NAME_INVALID', 'CHANNEL_GROUP_EXISTS'] as const
const CHANNEL_ERRORS = ['CHANNEL_NAME_UNKNOWN', 'PRIVATE_CHANNEL_DEFAULT', 'CHANNEL_GROUP_DEFAULT'] as const

/** How adding a group can fail. */
export const NEW_CHANNEL_GROUP_ERRORS = [
  'ROLE_REQUIRED',
  ...NAME_ERRORS,
  ...CHANNEL_ERRORS,
  'TOO_MANY_CHANNEL_GROUPS',
] as const

/** Adds a group; answers its id. */
export function decideNewChannelGroup(
  scope: Scope<(typeof NEW_CHANNEL_GROUP_ERRORS)[number]>,
  request: { readonly name: string; readonly description: string; readonly channelNames: readonly string[] },
): Decision<ChannelGroupId> {
  const { state, fail } = scope
  const { name, description, channelNames } = request
  checkAdministrator(scope)
  checkName(scope, name)
  const { entries } = state.channelGroups
  if (entries.length >= CHANNEL_GROUPS_MAX)
    throw fail('TOO_MANY_CHANNEL_GROUPS', { countMax: CHANNEL_GROUPS_MAX })
  const group = { id: state.nextChannelGroupId, name, description }
  const channelIds = ascending(channelNames.map((one) => findNewChannel(scope, one, group).id))
  return answering(group.id, groupFacts([...entries, { ...group, channelIds }]))
}

/** How changing the name or the description of a group can fail. */
export const UPDATE_CHANNEL_GROUP_ERRORS = [
  'ROLE_REQUIRED',
  'CHANNEL_GROUP_UNKNOWN',
  'CHANNEL_GROUP_CHANGE_MISSING',
  'CHANNEL_GROUP_NAME_UNCHANGED',
  ...NAME_ERRORS,
] as const

/** Changes the name or the description of a group; undefined stays as it is. */
export function decideChannelGroupUpdate(
  scope: Scope<(typeof UPDATE_CHANNEL_GROUP_ERRORS)[number]>,
  request: {
    readonly groupId: ChannelGroupId
    readonly name: string | undefined
    readonly description: string | undefined
  },
): Decision<void> {
  const { fail } = scope
  checkAdministrator(scope)
  const group = findGroup(scope, request.groupId)
  const { name = group.name, description = group.description } = request
  if (request.name === undefined && request.description === undefined)
    throw fail('CHANNEL_GROUP_CHANGE_MISSING')
  if (request.name === group.name) throw fail('CHANNEL_GROUP_NAME_UNCHANGED', { name })
  if (name !== group.name) checkName(scope, name, group.id)
  if (name === group.name && description === group.description) return done([])
  return done(replaceGroup(scope.state, { ...group, name, description }))
}

/** How changing the channels of a group can fail. */
export const GROUP_CHANNELS_ERRORS = [
  'ROLE_REQUIRED',
  'CHANNEL_GROUP_UNKNOWN',
  ...CHANNEL_ERRORS,
  'CHANNEL_GROUP_HAS',
  'CHANNEL_GROUP_LACKS',
  'TOO_MANY_CHANNELS_IN_GROUP',
] as const

/** Adds channels to a group, or removes them. */
export function decideGroupChannels(
  scope: Scope<(typeof GROUP_CHANNELS_ERRORS)[number]>,
  request: {
    readonly groupId: ChannelGroupId
    readonly op: 'add' | 'remove'
    readonly channelNames: readonly string[]
  },
): Decision<void> {
  const { state, fail } = scope
  const { groupId, op, channelNames } = request
  checkAdministrator(scope)
  const group = findGroup(scope, groupId)
  const changed = channelNames.map((name) => {
    const channel = op === 'add' ? findNewChannel(scope, name, group) : findChannelNamed(scope, name)
    const has = group.channelIds.includes(channel.id)
    const names = { channel: channel.name, group: group.name }
    if (op === 'add' && has) throw fail('CHANNEL_GROUP_HAS', names)
    if (op === 'remove' && !has) throw fail('CHANNEL_GROUP_LACKS', names)
    return channel.id
  })
  if (changed.length === 0) return done([])
  const channelIds =
    op === 'add'
      ? ascending([...group.channelIds, ...changed])
      : group.channelIds.filter((id) => !changed.includes(id))
  if (channelIds.length > CHANNEL_GROUP_CHANNELS_MAX)
    throw fail('TOO_MANY_CHANNELS_IN_GROUP', { countMax: CHANNEL_GROUP_CHANNELS_MAX })
  return done(replaceGroup(state, { ...group, channelIds }))
}

/** How removing a group can fail. */
export const REMOVE_CHANNEL_GROUP_ERRORS = ['ROLE_REQUIRED', 'CHANNEL_GROUP_UNKNOWN'] as const

/** Removes a group; its channels stay. */
export function decideChannelGroupRemoval(
  scope: Scope<(typeof REMOVE_CHANNEL_GROUP_ERRORS)[number]>,
  { groupId }: { readonly groupId: ChannelGroupId },
): Decision<void> {
  checkAdministrator(scope)
  const { id: removed } = findGroup(scope, groupId)
  return done(groupFacts(scope.state.channelGroups.entries.filter(({ id }) => id !== removed)))
}

/** Removes a channel from all groups: new users cannot join a private or an archived one. */
export function removeFromGroups(
  { channelGroups: { entries } }: OrganizationState,
  channelId: ChannelId,
): EventOf<'default_stream_groups'>[] {
  if (!entries.some(({ channelIds }) => channelIds.includes(channelId))) return []
  return groupFacts(
    entries.map((group) => ({ ...group, channelIds: group.channelIds.filter((id) => id !== channelId) })),
  )
}

function findGroup({ state, fail }: Scope<'CHANNEL_GROUP_UNKNOWN'>, id: ChannelGroupId): ChannelGroup {
  const group = state.channelGroups.entries.find((one) => one.id === id)
  if (!group) throw fail('CHANNEL_GROUP_UNKNOWN', { id })
  return group
}

function findChannelNamed({ state, caller, fail }: Scope<'CHANNEL_NAME_UNKNOWN'>, name: string) {
  const named = state.findChannelByName(name.trim())
  const found = named && state.findVisibleChannel(caller, named.channel.id)
  if (!found || found.channel.isArchived) throw fail('CHANNEL_NAME_UNKNOWN', { name })
  return found.channel
}

/** A channel that new users can join, and that they do not join anyway. */
function findNewChannel(
  scope: Scope<(typeof CHANNEL_ERRORS)[number]>,
  name: string,
  group: Pick<ChannelGroup, 'name'>,
) {
  const channel = findChannelNamed(scope, name)
  if (channel.isPrivate) throw scope.fail('PRIVATE_CHANNEL_DEFAULT')
  if (scope.state.defaultChannelIds.includes(channel.id))
    throw scope.fail('CHANNEL_GROUP_DEFAULT', { channel: channel.name, group: group.name })
  return channel
}

function checkName(
  { state, fail }: Scope<(typeof NAME_ERRORS)[number]>,
  name: string,
  exceptId?: ChannelGroupId,
): void {
  if (name === '' || findUnseenCharacter(name) !== undefined)
    throw fail('CHANNEL_GROUP_NAME_INVALID', { name })
  const folded = foldCase(name)
  const isTaken = state.channelGroups.entries.some(
    (one) => one.id !== exceptId && foldCase(one.name) === folded,
  )
  if (isTaken) throw fail('CHANNEL_GROUP_EXISTS', { name })
}

function replaceGroup({ channelGroups: { entries } }: OrganizationState, group: ChannelGroup) {
  return groupFacts(entries.map((one) => (one.id === group.id ? group : one)))
}

function groupFacts(groups: readonly ChannelGroup[]): EventOf<'default_stream_groups'>[] {
  const byName = [...groups].sort((a, b) => (a.name < b.name ? -1 : 1))
  return [{ type: 'default_stream_groups', groups: byName }]
}

function ascending(ids: readonly ChannelId[]): ChannelId[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

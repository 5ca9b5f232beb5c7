/** The state in the shapes that the rules of `packages/rules` ask for. */

import type { ChannelAccess } from '../../../packages/rules/channels.ts'
import type { Account, Organization, Permissions, Setting } from '../../../packages/rules/organization.ts'
import { VISITOR_ID } from '../../../packages/rules/organization.ts'
import { ROLES } from '../../../packages/rules/roles.ts'
import type { GroupSetting, User, UserGroup } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { channelsById } from './channels.ts'
import { derive } from './derive.ts'
import { usersById } from './users.ts'

/** The permissions of an object on the wire by their names in the rules: `canJoin` is `can_join_group` there. */
export function permissionsOf<Name extends string>(wire: object, prefix = ''): Permissions<Name> {
  const wireName = (name: string) => {
    const words = name.replaceAll(/[A-Z]/g, '_$&').toLowerCase()
    return prefix + (words.endsWith('_groups') ? words : `${words}_group`)
  }
  const find = (_: object, name: string) => (wire as Readonly<Record<string, Setting>>)[wireName(name)]
  return new Proxy({}, { get: find }) as Permissions<Name>
}

/** The current user; a visitor is no user, and a guest. */
export function selfOf(state: State): Account {
  const id = state.user_id ?? VISITOR_ID
  const own = usersById(state).get(id)
  return own ? accountOf(own) : { id, role: ROLES.guest, botType: null, botOwnerId: null }
}

export function accountOf({ user_id: id, role, bot_type, bot_owner_id }: User): Account {
  return { id, role, botType: bot_type, botOwnerId: bot_owner_id }
}

/** The groups that the current user belongs to, by themselves or by a subgroup. */
export const ownGroupIds = derive(
  (state) => [state.realm_user_groups, state.user_id] as const,
  ([groups, ownId]) => groupIdsOf(groups, ownId),
)

function groupIdsOf(groups: readonly UserGroup[] = [], userId?: number): ReadonlySet<number> {
  const ids = new Set<number>()
  let waiting = groups.filter(({ members }) => userId !== undefined && members.includes(userId))
  while (waiting.length > 0) {
    for (const { id } of waiting) ids.add(id)
    waiting = groups.filter(
      ({ id, direct_subgroup_ids }) => !ids.has(id) && direct_subgroup_ids.some((one) => ids.has(one)),
    )
  }
  return ids
}

function isHolder(state: State, userId: number, setting: GroupSetting | undefined): boolean {
  if (setting === undefined) return false
  const groups = userId === state.user_id ? ownGroupIds(state) : groupIdsOf(state.realm_user_groups, userId)
  if (typeof setting === 'number') return groups.has(setting)
  const { direct_members, direct_subgroups } = setting
  return direct_members.includes(userId) || direct_subgroups.some((id) => groups.has(id))
}

export const organizationOf = derive(
  (state) => [state],
  ([state]): Organization => ({
    rights: { holds: ({ id }, setting: GroupSetting | undefined) => isHolder(state, id, setting) },
    permissions: permissionsOf(state, 'realm_'),
  }),
)

/** The channel of an id as the current user is in it; undefined if they do not see it. */
export function accessTo(state: State, channelId: number): ChannelAccess | undefined {
  const seen = channelsById(state).get(channelId)
  if (!seen) return undefined
  const { channel, subscription } = seen
  return {
    channel: {
      isPrivate: channel.invite_only,
      isWebPublic: channel.is_web_public,
      isHistoryPublic: channel.history_public_to_subscribers,
      isArchived: channel.is_archived,
      permissions: permissionsOf(channel),
    },
    // The rules ask only about the current user.
    subscribers: { has: () => subscription !== undefined },
  }
}

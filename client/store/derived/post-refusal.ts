/** The reason why the current user may not write to a place, in words. */

import type { GroupSetting } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import type { DraftPlace } from '../drafts/draft-entry.ts'
import { channelsById } from './channels.ts'
import { holds, mayPost, mayRead } from './permissions.ts'
import { usersById } from './users.ts'
import { makeOnce } from '../make-once.ts'

/** Undefined if they may; the server decides in the end. */
export function postRefusal(state: State, place: DraftPlace): string | undefined {
  return place.type === 'direct' ? ofPeople(state, place.userIds) : ofChannel(state, place.channelId)
}

function ofChannel(state: State, channelId: number): string | undefined {
  const channel = channelsById(state).get(channelId)?.channel
  if (!channel) return 'This channel doesn’t exist, or you don’t have access.'
  if (channel.is_archived) return 'This channel is archived. You can read it, but not post.'
  if (mayPost(state, channelId)) return undefined
  if (!mayRead(state, channelId)) return 'Only members of this channel can post here.'
  const names = holderNames(state, channel.can_send_message_group)
  return names === undefined ? 'No one can post here.' : `Only ${names} can post here.`
}

function ofPeople(state: State, userIds: readonly number[]): string | undefined {
  const others = userIds.filter((id) => id !== state.user_id)
  const users = others.map((id) => usersById(state).get(id))
  const gone = users.find((user) => user?.is_active === false)
  if (gone) return `${gone.full_name} has left, and can’t get messages any more.`
  const permission = state.realm_direct_message_permission_group
  const isWithBotsOnly = users.every((user) => user?.is_bot)
  if (permission === undefined || isWithBotsOnly || holds(state, permission)) return undefined
  const isReachable = others.some((id) => isHolder(state, permission, id))
  return isReachable ? undefined : 'Your organization doesn’t allow direct messages here.'
}

/** Whether another user holds a permission, by a group or by themselves. */
function isHolder(state: State, setting: GroupSetting, userId: number): boolean {
  const isIn = (groupId: number): boolean => {
    const group = state.realm_user_groups?.find(({ id }) => id === groupId)
    return group?.members.includes(userId) || (group?.direct_subgroup_ids.some(isIn) ?? false)
  }
  if (typeof setting === 'number') return isIn(setting)
  return setting.direct_members.includes(userId) || setting.direct_subgroups.some(isIn)
}

/** The groups that the server makes, in words. */
const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'role:owners': 'owners',
    'role:administrators': 'administrators',
    'role:moderators': 'administrators and moderators',
    'role:fullmembers': 'full members',
    'role:members': 'members',
    'role:everyone': 'members of the organization',
  }),
)

const listFormat = makeOnce(() => new Intl.ListFormat('en', { type: 'conjunction' }))

/** Undefined for nobody. */
function holderNames(state: State, setting: GroupSetting): string | undefined {
  const nameOfGroup = (groupId: number) => state.realm_user_groups?.find(({ id }) => id === groupId)?.name
  const groupText = (groupId: number) => {
    const name = nameOfGroup(groupId)
    return name === undefined ? 'some groups' : (SYSTEM_NAMES.get(name) ?? `the group ${name}`)
  }
  if (typeof setting === 'number')
    return nameOfGroup(setting) === 'role:nobody' ? undefined : groupText(setting)
  const people = setting.direct_members.map((id) => usersById(state).get(id)?.full_name ?? 'some people')
  return listFormat().format([...setting.direct_subgroups.map(groupText), ...people])
}

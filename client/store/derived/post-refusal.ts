/** The reason why the current user may not write to a place, in words. */

import { ROLES } from '../../../packages/rules/roles.ts'
import { canConverse } from '../../../packages/rules/messages.ts'
import type { GroupSetting } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import type { DraftPlace } from '../drafts/draft-entry.ts'
import { channelsById } from './channels.ts'
import { accountOf, organizationOf, selfOf } from './judged.ts'
import { mayPost, mayRead } from './message-permissions.ts'
import { usersById } from './users.ts'
import { makeOnce } from '../make-once.ts'

/** Undefined if they may; the server decides in the end. */
export function postRefusal(state: State, place: DraftPlace): string | undefined {
  return place.type === 'direct' ? ofPeople(state, place.userIds) : ofChannel(state, place.channelId)
}

function ofChannel(state: State, channelId: number): string | undefined {
  const channel = channelsById(state).get(channelId)?.channel
  if (!channel) return 'This channel does not exist, or you may not see it.'
  if (channel.is_archived) return 'This channel is archived. It can be read, but not written to.'
  if (mayPost(state, channelId)) return undefined
  if (!mayRead(state, channelId)) return 'Only members of this channel may write here.'
  return `Only ${holderNames(state, channel.can_send_message_group)} may write here.`
}

function ofPeople(state: State, userIds: readonly number[]): string | undefined {
  const users = userIds.map((id) => usersById(state).get(id))
  const gone = users.find((user) => user?.is_active === false && user.user_id !== state.user_id)
  if (gone) return `${gone.full_name} has left, so messages do not reach them any more.`
  if (state.realm_direct_message_permission_group === undefined) return undefined
  const recipients = users.map((user, index) => (user ? accountOf(user) : unknownPerson(userIds[index] ?? 0)))
  if (canConverse(selfOf(state), recipients, organizationOf(state))) return undefined
  return 'Your organization does not allow direct messages here.'
}

function unknownPerson(id: number) {
  return { id, role: ROLES.member, botType: null }
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
    'role:nobody': 'nobody',
  }),
)

const listFormat = makeOnce(() => new Intl.ListFormat('en', { type: 'conjunction' }))

function holderNames(state: State, setting: GroupSetting): string {
  const groupName = (groupId: number) => {
    const name = state.realm_user_groups?.find(({ id }) => id === groupId)?.name
    return name === undefined ? 'some groups' : (SYSTEM_NAMES.get(name) ?? `the group ${name}`)
  }
  if (typeof setting === 'number') return groupName(setting)
  const people = setting.direct_members.map((id) => usersById(state).get(id)?.full_name ?? 'some people')
  return listFormat().format([...setting.direct_subgroups.map(groupName), ...people])
}

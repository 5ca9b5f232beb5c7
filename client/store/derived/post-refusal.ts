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
import { locale, t } from '../../texts/texts.ts'

/** Undefined if they may; the server decides in the end. */
export function postRefusal(state: State, place: DraftPlace): string | undefined {
  return place.type === 'direct' ? ofPeople(state, place.userIds) : ofChannel(state, place.channelId)
}

function ofChannel(state: State, channelId: number): string | undefined {
  const channel = channelsById(state).get(channelId)?.channel
  if (!channel) return t('This channel doesn’t exist, or you don’t have access.')
  if (channel.is_archived) return t('This channel is archived. You can read it, but not post.')
  if (mayPost(state, channelId)) return undefined
  if (!mayRead(state, channelId)) return t('Only members of this channel can post here.')
  const names = holderNames(state, channel.can_send_message_group)
  return names === undefined ? t('No one can post here.') : t('Only {names} can post here.', { names })
}

function ofPeople(state: State, userIds: readonly number[]): string | undefined {
  const users = userIds.map((id) => usersById(state).get(id))
  const gone = users.find((user) => user?.is_active === false && user.user_id !== state.user_id)
  if (gone) return t('{name} has left, and can’t get messages any more.', { name: gone.full_name })
  if (state.realm_direct_message_permission_group === undefined) return undefined
  const recipients = users.map((user, index) => (user ? accountOf(user) : unknownPerson(userIds[index] ?? 0)))
  if (canConverse(selfOf(state), recipients, organizationOf(state))) return undefined
  return t('Your organization doesn’t allow direct messages here.')
}

function unknownPerson(id: number) {
  return { id, role: ROLES.member, botType: null }
}

/** The groups that the server makes, in words. */
const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'role:owners': t('owners'),
    'role:administrators': t('administrators'),
    'role:moderators': t('administrators and moderators'),
    'role:fullmembers': t('full members'),
    'role:members': t('members'),
    'role:everyone': t('members of the organization'),
  }),
)

const listFormat = makeOnce(() => new Intl.ListFormat(locale, { type: 'conjunction' }))

/** Undefined for nobody. */
function holderNames(state: State, setting: GroupSetting): string | undefined {
  const nameOfGroup = (groupId: number) => state.realm_user_groups?.find(({ id }) => id === groupId)?.name
  const groupText = (groupId: number) => {
    const name = nameOfGroup(groupId)
    return name === undefined ? t('some groups') : (SYSTEM_NAMES.get(name) ?? t('the group {name}', { name }))
  }
  if (typeof setting === 'number')
    return nameOfGroup(setting) === 'role:nobody' ? undefined : groupText(setting)
  const people = setting.direct_members.map((id) => usersById(state).get(id)?.full_name ?? t('some people'))
  return listFormat().format([...setting.direct_subgroups.map(groupText), ...people])
}

/** `PATCH /users/{user_id}` and `PATCH /users/{email}`: change a user's name, role and profile. */

import { PROFILE_RENDERING_ERRORS, renderProfile } from '../../../changes/users/render-profile.ts'
import { decideUserUpdate, UPDATE_USER_ERRORS } from '../../../decisions/users/update-user.ts'
import type { LogEventType } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import type { Call } from '../../operation.ts'
import { id, optional, required } from '../../params.ts'
import { emailParam } from './email-param.ts'
import { FULL_NAME_MEANING, fullNameType } from './full-name-param.ts'
import { profileDataType } from './profile-params.ts'
import { ROLE_MEANING, roleType } from './role-param.ts'

const changeParams = {
  full_name: optional(fullNameType, FULL_NAME_MEANING),
  role: optional(roleType, ROLE_MEANING),
  profile_data: optional(
    profileDataType,
    'Fields of the profile of a person with their new values; null or an empty value clears a field.',
  ),
}
const DESCRIPTION =
  'For administrators; the owner of a bot can change its name. Only owners can add or remove owners. System ' +
  'groups and visible channels change with the role at once. The role of a bot is never higher than that of ' +
  'its owner: a lower role of a user lowers that of their bots. All of the changes apply, or none.'
const ERRORS = [...UPDATE_USER_ERRORS, ...PROFILE_RENDERING_ERRORS] as const

/** The events of a change of an account's role, name or owner. */
export const ACCOUNT_EVENTS: readonly LogEventType[] = [
  'realm_user/update',
  'realm_bot/update',
  'realm_bot/add',
  'realm_bot/delete',
  'user_group/remove_members',
  'user_group/add_members',
  'stream/create',
  'stream/delete',
  'subscription/peer_add',
  'default_streams',
]

export const updateUser = change({
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: 'Update a user',
  description: DESCRIPTION,
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.'), ...changeParams },
  reply: {},
  errors: ERRORS,
  events: ACCOUNT_EVENTS,
  prepare: async (call) => ({ target: call.params.user_id, ...(await readUserUpdate(call)) }),
  decide: decideUserUpdate,
})

export const updateUserByEmail = change({
  method: 'PATCH',
  path: '/users/{user_id_or_email}',
  summary: 'Update a user by email address',
  description: DESCRIPTION,
  access: 'user',
  params: { user_id_or_email: emailParam, ...changeParams },
  reply: {},
  errors: ERRORS,
  events: ACCOUNT_EVENTS,
  prepare: async (call) => ({ target: call.params.user_id_or_email, ...(await readUserUpdate(call)) }),
  decide: decideUserUpdate,
})

async function readUserUpdate({
  user,
  params: { full_name: fullName, role, profile_data: texts },
  services,
}: Pick<Call<typeof changeParams, never>, 'user' | 'params' | 'services'>) {
  const profile = texts && (await renderProfile(services, user.id, texts))
  return { fullName, role, profile }
}

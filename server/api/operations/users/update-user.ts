/** `PATCH /users/{user_id}` and `PATCH /users/{email}`: changes a user's name, role and profile. */

import { nowSeconds } from '../../../domain/clock.ts'
import type { User } from '../../../domain/entities.ts'
import type { LogEventType, NewEvent } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import { canAdministerUser, isLastOwner } from '../../../domain/user-access.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { changeProfile, PROFILE_ERRORS } from '../../changes/change-profile.ts'
import { changeRoleWithBots, checkRoleOfBot } from '../../../decisions/bots/bot-roles.ts'
import { tellOfAccount } from '../../../decisions/users/change-settings.ts'
import type { ErrorName, Fail } from '../../../errors/api-error.ts'
import { operation } from '../../operation.ts'
import type { Services } from '../../services.ts'
import { id, optional, required, type ValuesOf } from '../../params.ts'
import { checkRoleRight } from '../../../decisions/users/check-role.ts'
import { ROLE_MEANING, roleType } from './role-param.ts'
import { checkUniqueName } from '../../../decisions/users/check-unique-name.ts'
import { emailParam } from './email-param.ts'
import { findAddressedUser, findTargetUser } from '../../../decisions/users/find-target-user.ts'
import { checkFullName, FULL_NAME_ERRORS, FULL_NAME_MEANING, fullNameType } from './full-name-param.ts'
import { type ProfileWishes, profileDataType, readProfileData } from './profile-params.ts'

const changeParams = {
  full_name: optional(fullNameType, FULL_NAME_MEANING),
  role: optional(roleType, ROLE_MEANING),
  profile_data: optional(
    profileDataType,
    "Fields of a person's profile with what they are to say; null or nothing empties one.",
  ),
}
const DESCRIPTION =
  "For administrators, and for a bot's owner as far as its name goes; only owners make or unmake owners. The groups " +
  'of the old and the new role, and the channels that the user sees, follow at once. A bot never has a ' +
  'higher role than its owner: bots of a user who gets a lower one get it, too. All of it happens, or nothing.'
const ERRORS = [
  'USER_UNKNOWN',
  'PERMISSION_MISSING',
  ...FULL_NAME_ERRORS,
  'FULL_NAME_TAKEN',
  'ROLE_REQUIRED',
  'LAST_OWNER_DEMOTION',
  'BOT_ROLE_TOO_HIGH',
  'PROFILE_OF_BOT',
  ...PROFILE_ERRORS,
] as const satisfies readonly ErrorName[]
type UpdateFail = Fail<(typeof ERRORS)[number]>

/** What may be told where the role, the name or the owner of an account changes. */
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

export const updateUser = operation({
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: 'Update a user',
  description: DESCRIPTION,
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.'), ...changeParams },
  reply: {},
  errors: ERRORS,
  events: ACCOUNT_EVENTS,
  run: ({ user, params, services, fail }) =>
    update(
      user.id,
      (state) => findTargetUser(params.user_id, state.getUser(user.id), state, fail),
      params,
      services,
      fail,
    ),
})

export const updateUserByEmail = operation({
  method: 'PATCH',
  path: '/users/{user_id_or_email}',
  summary: 'Update a user by email address',
  description: DESCRIPTION,
  access: 'user',
  params: { user_id_or_email: emailParam, ...changeParams },
  reply: {},
  errors: ERRORS,
  events: ACCOUNT_EVENTS,
  run({ user, params, services, fail }) {
    const find = (state: OrganizationState) =>
      findAddressedUser(params.user_id_or_email, state.getUser(user.id), state, fail)
    return update(user.id, find, params, services, fail)
  },
})

async function update(
  callerId: UserId,
  findTarget: (state: OrganizationState) => User,
  params: ValuesOf<typeof changeParams>,
  services: Services,
  fail: UpdateFail,
): Promise<object> {
  const { full_name: fullName, role, profile_data: profileData } = params
  const wishes = profileData && (await readProfileData(profileData, services, callerId))
  const now = nowSeconds(services.clock)
  return services.committer.submit({
    kind: 'structure',
    decide(state) {
      const caller = state.getUser(callerId)
      const target = findTarget(state)
      if (!canAdministerUser(caller, target)) throw fail('PERMISSION_MISSING')
      const events: NewEvent[] = []
      if (fullName !== undefined) {
        checkFullName(fullName, fail)
        if (fullName !== target.fullName) {
          checkUniqueName(fullName, target.id, state, fail)
          events.push(...tellOfAccount(state, target, { fullName }))
        }
      }
      if (role !== undefined && role !== target.role) {
        checkRoleRight(caller, target, role, fail)
        checkRoleOfBot(target, role, state, fail)
        if (isLastOwner(target, state.users.values())) throw fail('LAST_OWNER_DEMOTION')
        events.push(...changeRoleWithBots(state, target, role, now))
      }
      if (wishes) events.push(...decideProfile(state, caller, target, wishes, fail))
      return { events, reply: () => ({}) }
    },
  })
}

function decideProfile(
  state: OrganizationState,
  caller: User,
  target: User,
  wishes: ProfileWishes,
  fail: UpdateFail,
): NewEvent[] {
  if (target.botType !== null) throw fail('PROFILE_OF_BOT')
  return changeProfile(state, caller, target, wishes, fail)
}

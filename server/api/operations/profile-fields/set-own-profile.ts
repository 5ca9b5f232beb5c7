/** `PATCH` and `DELETE /users/me/profile_data`: change the caller's profile. */

import { checkPerson } from '../../../decisions/check-caller.ts'
import { PROFILE_RENDERING_ERRORS, renderProfile } from '../../../changes/users/render-profile.ts'
import {
  decideEmptyProfile,
  decideOwnProfile,
  EMPTY_PROFILE_ERRORS,
  OWN_PROFILE_ERRORS,
} from '../../../decisions/users/change-profile.ts'
import { change } from '../../change-operation.ts'
import { required } from '../../params.ts'
import { profileDataType, profileFieldIdsType } from '../users/profile-params.ts'

export const setOwnProfile = change({
  method: 'PATCH',
  path: '/users/me/profile_data',
  summary: 'Fill in own profile',
  description: 'For people. All of the changes apply, or none.',
  access: 'user',
  params: { data: required(profileDataType, 'The fields with their new values.') },
  reply: {},
  errors: ['BOT_REFUSED', ...OWN_PROFILE_ERRORS, ...PROFILE_RENDERING_ERRORS],
  events: ['realm_user/update'],
  prepare({ user, params, services, fail }) {
    checkPerson({ caller: user, fail })
    return renderProfile(services, user.id, params.data)
  },
  decide: decideOwnProfile,
})

export const emptyOwnProfile = change({
  method: 'DELETE',
  path: '/users/me/profile_data',
  summary: 'Empty fields of own profile',
  description: 'For people. All of the changes apply, or none.',
  access: 'user',
  params: { data: required(profileFieldIdsType, 'The fields.') },
  reply: {},
  errors: ['BOT_REFUSED', ...EMPTY_PROFILE_ERRORS],
  events: ['realm_user/update'],
  prepare({ user, params, fail }) {
    checkPerson({ caller: user, fail })
    return { fieldIds: params.data }
  },
  decide: decideEmptyProfile,
})

/** `PATCH` and `DELETE /users/me/profile_data`: what people say of themselves. */

import {
  changeProfile,
  checkFieldsEditable,
  emptyProfile,
  PROFILE_ERRORS,
} from '../../changes/change-profile.ts'
import { operation } from '../../operation.ts'
import { required } from '../../params.ts'
import { profileDataType, profileFieldIdsType, readProfileData } from '../users/profile-params.ts'

export const setOwnProfile = operation({
  method: 'PATCH',
  path: '/users/me/profile_data',
  summary: 'Fill in own profile',
  description: 'For people. All of it happens, or nothing.',
  access: 'user',
  params: { data: required(profileDataType, 'The fields with what they are to say.') },
  reply: {},
  errors: ['BOT_REFUSED', 'PROFILE_FIELD_LOCKED', ...PROFILE_ERRORS],
  events: ['realm_user/update'],
  async run({ user, params, services, fail }) {
    if (user.botType !== null) throw fail('BOT_REFUSED')
    const wishes = await readProfileData(params.data, services, user.id)
    return services.committer.submit({
      kind: 'structure',
      decide(state) {
        const own = state.getUser(user.id)
        const { filled, emptied } = wishes
        checkFieldsEditable(state, own, [...filled.map(({ fieldId }) => fieldId), ...emptied], fail)
        return { events: changeProfile(state, own, own, wishes, fail), reply: () => ({}) }
      },
    })
  },
})

export const emptyOwnProfile = operation({
  method: 'DELETE',
  path: '/users/me/profile_data',
  summary: 'Empty fields of own profile',
  description: 'For people. All of it happens, or nothing.',
  access: 'user',
  params: { data: required(profileFieldIdsType, 'The fields.') },
  reply: {},
  errors: ['BOT_REFUSED', 'PROFILE_FIELD_UNKNOWN', 'PROFILE_FIELD_LOCKED'],
  events: ['realm_user/update'],
  run({ user, params, services: { committer }, fail }) {
    if (user.botType !== null) throw fail('BOT_REFUSED')
    return committer.submit({
      kind: 'structure',
      decide(state) {
        const own = state.getUser(user.id)
        checkFieldsEditable(state, own, params.data, fail)
        return { events: emptyProfile(state, own, params.data, fail), reply: () => ({}) }
      },
    })
  },
})

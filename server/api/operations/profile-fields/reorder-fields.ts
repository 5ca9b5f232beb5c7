/** `PATCH /realm/profile_fields`: puts the fields into another order. */

import { tellProfileFields } from '../../../decisions/organization/change-profile-fields.ts'
import { operation } from '../../operation.ts'
import { required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'
import { profileFieldIdsType } from '../users/profile-params.ts'

export const reorderProfileFields = operation({
  method: 'PATCH',
  path: '/realm/profile_fields',
  summary: 'Reorder custom profile fields',
  description: 'For administrators.',
  access: 'user',
  params: { order: required(profileFieldIdsType, 'The ids of all fields, each once.') },
  reply: {},
  errors: ['ROLE_REQUIRED', 'PROFILE_ORDER_INVALID'],
  events: ['custom_profile_fields'],
  run: ({ user, params: { order }, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const { profileFields: before } = state
        const after = before.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
        const isWhole = order.length === before.length && after.every(({ id }, index) => id === order[index])
        if (!isWhole) throw fail('PROFILE_ORDER_INVALID')
        const isChanged = after.some((field, index) => field !== before[index])
        return { events: isChanged ? [tellProfileFields(state, after)] : [], reply: () => ({}) }
      },
    }),
})

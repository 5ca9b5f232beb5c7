/** `DELETE /realm/profile_fields/{field_id}`. */

import type { ProfileFieldId } from '../../../domain/ids.ts'
import { findProfileField, tellProfileFields } from '../../../decisions/organization/change-profile-fields.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const deleteProfileField = operation({
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Delete a custom profile field',
  description: 'For administrators. What people said in it is gone.',
  access: 'user',
  params: { field_id: required(id<ProfileFieldId>(), 'The id of the field.') },
  reply: {},
  errors: ['ROLE_REQUIRED', 'PROFILE_FIELD_UNKNOWN'],
  events: ['custom_profile_fields'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const field = findProfileField(params.field_id, state, fail)
        const others = state.profileFields.filter((one) => one !== field)
        return { events: [tellProfileFields(state, others)], reply: () => ({}) }
      },
    }),
})

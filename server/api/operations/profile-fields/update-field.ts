/** `PATCH /realm/profile_fields/{field_id}`. */

import { isDeepStrictEqual } from 'node:util'
import type { ProfileFieldId } from '../../../domain/ids.ts'
import { isKnownSite, type ProfileField } from '../../../domain/profile-fields.ts'
import {
  findProfileField,
  replaceProfileField,
} from '../../../decisions/organization/change-profile-fields.ts'
import { operation } from '../../operation.ts'
import {
  checkProfileField,
  PROFILE_FIELD_ERRORS,
  profileFieldParams,
  readFieldData,
} from './profile-field-params.ts'
import { id, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const updateProfileField = operation({
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Update a custom profile field',
  description:
    'For administrators. The type stays. Where an option goes, whoever had chosen it has chosen nothing.',
  access: 'user',
  params: { field_id: required(id<ProfileFieldId>(), 'The id of the field.'), ...profileFieldParams },
  reply: {},
  errors: ['ROLE_REQUIRED', 'PROFILE_FIELD_UNKNOWN', 'PROFILE_FIELD_FIXED', ...PROFILE_FIELD_ERRORS],
  events: ['custom_profile_fields', 'realm_user/update'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const before = findProfileField(params.field_id, state, fail)
        const after: ProfileField = {
          ...before,
          name: params.name ?? before.name,
          hint: params.hint ?? before.hint,
          data: params.field_data ? readFieldData(before.type, params.field_data, fail) : before.data,
          isInSummary: params.display_in_profile_summary ?? before.isInSummary,
          isRequired: params.required ?? before.isRequired,
          isEditable: params.editable_by_user ?? before.isEditable,
        }
        if (isKnownSite(before) && !isDeepStrictEqual(textsOf(before), textsOf(after)))
          throw fail('PROFILE_FIELD_FIXED')
        checkProfileField(after, state, fail)
        return {
          events: isDeepStrictEqual(before, after) ? [] : replaceProfileField(state, after),
          reply: () => ({}),
        }
      },
    }),
})

/** What a site that is known decides of its field. */
function textsOf({ name, hint, data }: ProfileField) {
  return { name, hint, data }
}

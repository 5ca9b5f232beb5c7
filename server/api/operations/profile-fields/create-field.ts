/** `POST /realm/profile_fields`. */

import { PROFILE_FIELDS_MAX } from '../../../domain/limits.ts'
import { PROFILE_FIELD_TYPES, type ProfileFieldType } from '../../../domain/profile-fields.ts'
import { tellProfileFields } from '../../../decisions/organization/change-profile-fields.ts'
import { operation } from '../../operation.ts'
import {
  checkProfileField,
  PROFILE_FIELD_ERRORS,
  profileFieldParams,
  readFieldData,
  withSiteTexts,
} from './profile-field-params.ts'
import { integer, required } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

const typeNumbers: readonly number[] = Object.values(PROFILE_FIELD_TYPES)

export const createProfileField = operation({
  method: 'POST',
  path: '/realm/profile_fields',
  summary: 'Create a custom profile field',
  description: 'For administrators. The field becomes the last.',
  access: 'user',
  params: {
    field_type: required(
      integer(),
      'What stands in it: 1 a short text, 2 a long text, 3 one of some options, 4 a date, 5 a link, 6 users, 7 an ' +
        'external account, 8 pronouns.',
    ),
    ...profileFieldParams,
  },
  reply: { id: { schema: INTEGER, description: "The new field's id." } },
  errors: ['ROLE_REQUIRED', 'PROFILE_FIELD_TYPE_UNKNOWN', ...PROFILE_FIELD_ERRORS, 'TOO_MANY_PROFILE_FIELDS'],
  events: ['custom_profile_fields'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        if (!typeNumbers.includes(params.field_type)) throw fail('PROFILE_FIELD_TYPE_UNKNOWN')
        const type = params.field_type as ProfileFieldType
        const id = state.nextProfileFieldId
        const field = withSiteTexts({
          id,
          type,
          name: params.name ?? '',
          hint: params.hint ?? '',
          data: readFieldData(type, params.field_data ?? {}, fail),
          isInSummary: params.display_in_profile_summary ?? false,
          isRequired: params.required ?? false,
          isEditable: params.editable_by_user ?? true,
        })
        checkProfileField(field, state, fail)
        if (state.profileFields.length >= PROFILE_FIELDS_MAX)
          throw fail('TOO_MANY_PROFILE_FIELDS', { countMax: PROFILE_FIELDS_MAX })
        return {
          events: [tellProfileFields(state, [...state.profileFields, field])],
          reply: () => ({ id }),
        }
      },
    }),
})

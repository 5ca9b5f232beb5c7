/** Profile fields, and their values. */

import {
  decideNewProfileField,
  decideProfileFieldOrder,
  decideProfileFieldRemoval,
  decideProfileFieldUpdate,
  type GivenProfileField,
  NEW_PROFILE_FIELD_ERRORS,
  REMOVE_PROFILE_FIELD_ERRORS,
  REORDER_PROFILE_FIELDS_ERRORS,
  UPDATE_PROFILE_FIELD_ERRORS,
} from '../../decisions/organization/change-profile-fields.ts'
import type { Json } from '../../decisions/organization/check-profile-field.ts'
import { PROFILE_FIELD_DATA_LENGTH_MAX } from '../../domain/limits.ts'
import {
  PROFILE_FIELD_HINT_LENGTH_MAX,
  PROFILE_FIELD_NAME_LENGTH_MAX,
} from '../../../packages/rules/limits.ts'
import { fail } from '../../errors/api-error.ts'
import { boolean, id, integer, optional, required, text, type Type, type ValuesOf } from '../params.ts'
import { PROFILE_FIELD, viewProfileField } from '../../views/profile-field-view.ts'
import { operation } from '../operation.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'
import { change } from '../change-operation.ts'
import { checkPerson } from '../../decisions/check-caller.ts'
import { PROFILE_RENDERING_ERRORS, renderProfile } from '../../changes/users/render-profile.ts'
import {
  decideEmptyProfile,
  decideOwnProfile,
  EMPTY_PROFILE_ERRORS,
  OWN_PROFILE_ERRORS,
} from '../../decisions/users/change-profile.ts'
import { profileDataType, profileFieldIdsType } from './users/account-params.ts'
import type { ProfileFieldId } from '../../domain/ids.ts'

/** An object; its properties depend on the type of the profile field. */
const dataType: Type<Json> = {
  isText: false,
  schema: { type: 'object' },
  check(value, name) {
    const invalid = (message: string) => fail('PARAMETER_INVALID', { message })
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid(`${name} is not a dict`)
    const json = JSON.stringify(value)
    if (json.length > PROFILE_FIELD_DATA_LENGTH_MAX)
      throw invalid(`${name} is too long (limit: ${PROFILE_FIELD_DATA_LENGTH_MAX} characters)`)
    if (json.includes('\\u0000')) throw invalid(`${name} must not contain null characters`)
    return value as Json
  },
}

/** The parameters of a field. */
const profileFieldParams = {
  name: optional(
    text({ lengthMax: PROFILE_FIELD_NAME_LENGTH_MAX, trim: true }),
    'Its name, which is unique. A known site sets the name itself.',
  ),
  hint: optional(text({ lengthMax: PROFILE_FIELD_HINT_LENGTH_MAX, trim: true }), 'A hint for users.'),
  field_data: optional(
    dataType,
    'For a list of options: objects with `text` and `order` by value. For an external account: `subtype`, ' +
      'which is a known site or `custom`, and for `custom` also the `url_pattern`, which contains ' +
      '`%(username)s`.',
  ),
  display_in_profile_summary: optional(
    boolean(),
    'Whether clients show it next to the name; at most two fields can have this.',
  ),
  required: optional(boolean(), 'Whether clients ask users to fill it in.'),
  editable_by_user: optional(boolean(), 'Whether users can edit it, or only administrators.'),
}

/** A profile field from the parameters. */
function readProfileField({
  name,
  hint,
  field_data: data,
  display_in_profile_summary: isInSummary,
  required: isRequired,
  editable_by_user: isEditable,
}: ValuesOf<typeof profileFieldParams>): GivenProfileField {
  return { name, hint, data, isInSummary, isRequired, isEditable }
}

/** `GET /realm/profile_fields`. */
export const getProfileFields = operation({
  method: 'GET',
  path: '/realm/profile_fields',
  summary: 'Get custom profile fields',
  access: 'user',
  params: {},
  reply: { custom_fields: { schema: arrayOf(PROFILE_FIELD), description: 'The fields, in order.' } },
  errors: [],
  events: [],
  run: ({ services: { state } }) => ({ custom_fields: state.profileFields.map(viewProfileField) }),
})

/** `POST /realm/profile_fields`. */
export const createProfileField = change({
  method: 'POST',
  path: '/realm/profile_fields',
  summary: 'Create a custom profile field',
  description: 'For administrators. The new field is the last.',
  access: 'user',
  params: {
    field_type: required(
      integer(),
      'The type: 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, 7 external account, 8 ' +
        'pronouns.',
    ),
    ...profileFieldParams,
  },
  reply: { id: { schema: INTEGER, description: "The new field's id." } },
  errors: NEW_PROFILE_FIELD_ERRORS,
  events: ['custom_profile_fields'],
  prepare: ({ params }) => ({ type: params.field_type, field: readProfileField(params) }),
  decide: decideNewProfileField,
  answer: (id) => ({ id }),
})

/** `PATCH` and `DELETE /users/me/profile_data`: change the caller's profile. */
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

/** `PATCH /realm/profile_fields/{field_id}`. */
export const updateProfileField = change({
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Update a custom profile field',
  description:
    'For administrators. The type cannot change. If an option is removed, users who had chosen it have no value.',
  access: 'user',
  params: { field_id: required(id<ProfileFieldId>(), 'The id of the field.'), ...profileFieldParams },
  reply: {},
  errors: UPDATE_PROFILE_FIELD_ERRORS,
  events: ['custom_profile_fields', 'realm_user/update'],
  prepare: ({ params }) => ({ fieldId: params.field_id, field: readProfileField(params) }),
  decide: decideProfileFieldUpdate,
})

/** `PATCH /realm/profile_fields`: reorders the profile fields. */
export const reorderProfileFields = change({
  method: 'PATCH',
  path: '/realm/profile_fields',
  summary: 'Reorder custom profile fields',
  description: 'For administrators.',
  access: 'user',
  params: { order: required(profileFieldIdsType, 'The ids of all fields, each once.') },
  reply: {},
  errors: REORDER_PROFILE_FIELDS_ERRORS,
  events: ['custom_profile_fields'],
  prepare: ({ params }) => params,
  decide: decideProfileFieldOrder,
})

/** `DELETE /realm/profile_fields/{field_id}`. */
export const deleteProfileField = change({
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Delete a custom profile field',
  description: 'For administrators. Deletes the values of all users.',
  access: 'user',
  params: { field_id: required(id<ProfileFieldId>(), 'The id of the field.') },
  reply: {},
  errors: REMOVE_PROFILE_FIELD_ERRORS,
  events: ['custom_profile_fields'],
  prepare: ({ params }) => ({ fieldId: params.field_id }),
  decide: decideProfileFieldRemoval,
})

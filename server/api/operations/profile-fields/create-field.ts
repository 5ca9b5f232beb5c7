/** `POST /realm/profile_fields`. */

import {
  decideNewProfileField,
  NEW_PROFILE_FIELD_ERRORS,
} from '../../../decisions/organization/change-profile-fields.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { change } from '../../change-operation.ts'
import { integer, required } from '../../params.ts'
import { profileFieldParams, readProfileField } from './profile-field-params.ts'

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

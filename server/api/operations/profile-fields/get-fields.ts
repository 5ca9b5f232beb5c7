/** `GET /realm/profile_fields`. */

import { PROFILE_FIELD, viewProfileField } from '../../../views/profile-field-view.ts'
import { operation } from '../../operation.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

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

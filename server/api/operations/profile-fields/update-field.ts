/** `PATCH /realm/profile_fields/{field_id}`. */

import {
  decideProfileFieldUpdate,
  UPDATE_PROFILE_FIELD_ERRORS,
} from '../../../decisions/organization/change-profile-fields.ts'
import type { ProfileFieldId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { profileFieldParams, readProfileField } from './profile-field-params.ts'

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

/** `DELETE /realm/profile_fields/{field_id}`. */

import {
  decideProfileFieldRemoval,
  REMOVE_PROFILE_FIELD_ERRORS,
} from '../../../decisions/organization/change-profile-fields.ts'
import type { ProfileFieldId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

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

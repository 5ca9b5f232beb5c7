/** `PATCH /realm/profile_fields`: reorders the profile fields. */

import {
  decideProfileFieldOrder,
  REORDER_PROFILE_FIELDS_ERRORS,
} from '../../../decisions/organization/change-profile-fields.ts'
import { change } from '../../change-operation.ts'
import { required } from '../../params.ts'
import { profileFieldIdsType } from '../users/profile-params.ts'

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

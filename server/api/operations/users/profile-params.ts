/** The parameters of profiles. */

import type { ProfileFieldId } from '../../../domain/ids.ts'
import { PROFILE_FIELDS_MAX, PROFILE_USERS_MAX } from '../../../domain/limits.ts'
import { anyOf, id, integer, list, nullable, object, required, text } from '../../params.ts'

/** Characters that are read before a field's own limit. */
const TEXT_LENGTH_MAX = 10_000

const entryFields = {
  id: required(id<ProfileFieldId>(), 'The field.'),
  value: required(
    nullable(anyOf(text({ lengthMax: TEXT_LENGTH_MAX }), list(integer(), { lengthMax: PROFILE_USERS_MAX }))),
    'Its value: a text or a list of user ids, depending on the type of the field.',
  ),
}

/** A list of fields with their values. */
export const profileDataType = list(object(entryFields), { lengthMax: PROFILE_FIELDS_MAX })
/** A list of fields. */
export const profileFieldIdsType = list(id<ProfileFieldId>(), { lengthMax: PROFILE_FIELDS_MAX })

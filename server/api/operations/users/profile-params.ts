/** The fields of a profile, as a parameter. */

import type { ProfileFieldId } from '../../../domain/ids.ts'
import { PROFILE_FIELDS_MAX, PROFILE_USERS_MAX } from '../../../domain/limits.ts'
import { anyOf, id, integer, list, nullable, object, required, text } from '../../params.ts'

/** Characters that are looked at before a field's own limit. */
const TEXT_LENGTH_MAX = 10_000

const entryFields = {
  id: required(id<ProfileFieldId>(), 'The field.'),
  value: required(
    nullable(anyOf(text({ lengthMax: TEXT_LENGTH_MAX }), list(integer(), { lengthMax: PROFILE_USERS_MAX }))),
    'What it is to say: a text, or a list of ids of users, by the type of the field.',
  ),
}

/** A list of fields with their values. */
export const profileDataType = list(object(entryFields), { lengthMax: PROFILE_FIELDS_MAX })
/** A list of fields. */
export const profileFieldIdsType = list(id<ProfileFieldId>(), { lengthMax: PROFILE_FIELDS_MAX })

/** The parameters of a profile field. */

import type { GivenProfileField } from '../../../decisions/organization/change-profile-fields.ts'
import type { Json } from '../../../decisions/organization/check-profile-field.ts'
import {
  PROFILE_FIELD_DATA_LENGTH_MAX,
  PROFILE_FIELD_HINT_LENGTH_MAX,
  PROFILE_FIELD_NAME_LENGTH_MAX,
} from '../../../domain/limits.ts'
import { fail } from '../../../errors/api-error.ts'
import { boolean, optional, type Type, text, type ValuesOf } from '../../params.ts'

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
export const profileFieldParams = {
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
export function readProfileField({
  name,
  hint,
  field_data: data,
  display_in_profile_summary: isInSummary,
  required: isRequired,
  editable_by_user: isEditable,
}: ValuesOf<typeof profileFieldParams>): GivenProfileField {
  return { name, hint, data, isInSummary, isRequired, isEditable }
}

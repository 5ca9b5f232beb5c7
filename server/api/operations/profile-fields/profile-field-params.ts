/** A field of the profiles as parameters. */

import type { GivenProfileField } from '../../../decisions/organization/change-profile-fields.ts'
import type { Json } from '../../../decisions/organization/check-profile-field.ts'
import {
  PROFILE_FIELD_DATA_LENGTH_MAX,
  PROFILE_FIELD_HINT_LENGTH_MAX,
  PROFILE_FIELD_NAME_LENGTH_MAX,
} from '../../../domain/limits.ts'
import { fail } from '../../../errors/api-error.ts'
import { boolean, optional, type Type, text, type ValuesOf } from '../../params.ts'

/** An object; its fields depend on the type of the profile field. */
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
    'What it is called; unique. A site that is known names it itself.',
  ),
  hint: optional(
    text({ lengthMax: PROFILE_FIELD_HINT_LENGTH_MAX, trim: true }),
    'What helps people to fill it in.',
  ),
  field_data: optional(
    dataType,
    'Of a list of options: by value an object with `text` and `order`. Of an external account: `subtype`, either a ' +
      'site that is known or `custom`, and for that the `url_pattern`, with `%(username)s` in it.',
  ),
  display_in_profile_summary: optional(
    boolean(),
    'Whether clients show it with the name; two fields may be.',
  ),
  required: optional(boolean(), 'Whether clients ask people to fill it in.'),
  editable_by_user: optional(
    boolean(),
    'Whether people change it themselves, rather than administrators alone.',
  ),
}

/** A field as its parameters have it. */
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

/** Profiles and profile fields for clients. */

import type { ProfileFieldId } from '../domain/ids.ts'
import {
  EXTERNAL_ACCOUNTS,
  type Profile,
  type ProfileField,
  type ProfileValue,
} from '../domain/organization/profile-fields.ts'
import { BOOLEAN, INTEGER, mapOf, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import { PROFILE_FIELD_TYPES } from '../../packages/rules/profile-field-types.ts'

/** Schema of `viewProfileField`. */
export const PROFILE_FIELD = record({
  id: INTEGER,
  type: INTEGER,
  order: INTEGER,
  name: STRING,
  hint: STRING,
  field_data: STRING,
  display_in_profile_summary: BOOLEAN,
  required: BOOLEAN,
  editable_by_user: BOOLEAN,
})

/** Schema of `viewProfile`. */
export const PROFILE = mapOf(record({ value: STRING }, { rendered_value: STRING }))

/** Schema of `viewProfileChange`. */
export const PROFILE_CHANGE = record({ id: INTEGER, value: orNull(STRING) }, { rendered_value: STRING })

/** A profile field at its position. */
export function viewProfileField(field: ProfileField, index: number): ValueOf<typeof PROFILE_FIELD> {
  return {
    id: field.id,
    type: field.type,
    order: index + 1,
    name: field.name,
    hint: field.hint,
    field_data: field.data === null ? '' : JSON.stringify(field.data),
    display_in_profile_summary: field.isInSummary,
    required: field.isRequired,
    editable_by_user: field.isEditable,
  }
}

/** A user's values, by the field's id. */
export function viewProfile(profile: Profile | undefined): ValueOf<typeof PROFILE> {
  return Object.fromEntries([...(profile ?? [])].map(([id, filled]) => [id, viewValue(filled)]))
}

/** A user's new value of one field. */
export function viewProfileChange(
  id: ProfileFieldId,
  filled: ProfileValue | null,
): ValueOf<typeof PROFILE_CHANGE> {
  return { id, ...(filled ? viewValue(filled) : { value: null }) }
}

function viewValue({ value, rendered }: ProfileValue) {
  return { value, ...(rendered === undefined ? {} : { rendered_value: rendered }) }
}

/** The types of fields by their API names, with their display names. */
export const PROFILE_FIELD_TYPES_VIEW = {
  SHORT_TEXT: { id: PROFILE_FIELD_TYPES.shortText, name: 'Text (short)' },
  LONG_TEXT: { id: PROFILE_FIELD_TYPES.longText, name: 'Text (long)' },
  SELECT: { id: PROFILE_FIELD_TYPES.choice, name: 'List of options' },
  DATE: { id: PROFILE_FIELD_TYPES.date, name: 'Date' },
  URL: { id: PROFILE_FIELD_TYPES.link, name: 'Link' },
  USER: { id: PROFILE_FIELD_TYPES.users, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: PROFILE_FIELD_TYPES.externalAccount, name: 'External account' },
  PRONOUNS: { id: PROFILE_FIELD_TYPES.pronouns, name: 'Pronouns' },
}

/** Schema of `EXTERNAL_ACCOUNTS_VIEW`. */
export const EXTERNAL_ACCOUNT_SITES = mapOf(
  record({ name: STRING, text: STRING, hint: STRING, url_pattern: STRING }),
)

/** The sites that external account fields may use. */
export const EXTERNAL_ACCOUNTS_VIEW: ValueOf<typeof EXTERNAL_ACCOUNT_SITES> = Object.fromEntries(
  Object.entries(EXTERNAL_ACCOUNTS).map(([subtype, { url, ...texts }]) => [
    subtype,
    { ...texts, url_pattern: url },
  ]),
)

/** What a field of the profiles is made of, as parameters. */

import {
  PROFILE_FIELD_DATA_LENGTH_MAX,
  PROFILE_FIELD_HINT_LENGTH_MAX,
  PROFILE_FIELD_NAME_LENGTH_MAX,
  PROFILE_SUMMARY_FIELDS_MAX,
} from '../../../domain/limits.ts'
import {
  EXTERNAL_ACCOUNTS,
  type ExternalAccount,
  isKnownSite,
  isWebAddress,
  PROFILE_FIELD_TYPES,
  type ProfileField,
  type ProfileFieldType,
} from '../../../domain/profile-fields.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { type ErrorName, type Fail, fail as failWith } from '../../../errors/api-error.ts'
import { boolean, optional, type Type, text } from '../../params.ts'

/** What can be wrong with a field. */
export const PROFILE_FIELD_ERRORS = [
  'PROFILE_FIELD_NAME_EMPTY',
  'PROFILE_FIELD_NAME_TAKEN',
  'PROFILE_FIELD_DATA_INVALID',
  'PROFILE_SUMMARY_TYPE',
  'PROFILE_SUMMARY_FULL',
] as const satisfies readonly ErrorName[]
type FieldFail = Fail<(typeof PROFILE_FIELD_ERRORS)[number]>

type Json = Readonly<Record<string, unknown>>

/** An object; what stands in it goes by the type of the field. */
const dataType: Type<Json> = {
  isText: false,
  schema: { type: 'object' },
  check(value, name) {
    const invalid = (message: string) => failWith('PARAMETER_INVALID', { message })
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

/** Throws where there cannot be such a field beside the others. */
export function checkProfileField(field: ProfileField, state: OrganizationState, fail: FieldFail): void {
  const others = state.profileFields.filter(({ id }) => id !== field.id)
  if (field.name === '') throw fail('PROFILE_FIELD_NAME_EMPTY')
  if (others.some(({ name }) => name === field.name)) throw fail('PROFILE_FIELD_NAME_TAKEN')
  if (!field.isInSummary) return
  if (field.type === PROFILE_FIELD_TYPES.longText || field.type === PROFILE_FIELD_TYPES.users)
    throw fail('PROFILE_SUMMARY_TYPE')
  if (others.filter(({ isInSummary }) => isInSummary).length >= PROFILE_SUMMARY_FIELDS_MAX)
    throw fail('PROFILE_SUMMARY_FULL', { countMax: PROFILE_SUMMARY_FIELDS_MAX })
}

/** What belongs to a field of a type, checked; null where the type knows of nothing. */
export function readFieldData(
  type: ProfileFieldType,
  data: Json,
  fail: Fail<'PROFILE_FIELD_DATA_INVALID'>,
): ProfileField['data'] {
  const fault = findDataFault(type, data)
  if (fault !== undefined) throw fail('PROFILE_FIELD_DATA_INVALID', { message: fault })
  return type === PROFILE_FIELD_TYPES.choice || type === PROFILE_FIELD_TYPES.externalAccount
    ? (data as unknown as ProfileField['data'])
    : null
}

/** A field's own name and hint, or those of the site that it is of. */
export function withSiteTexts(field: ProfileField): ProfileField {
  if (!isKnownSite(field)) return field
  const { name = '', hint = '' } = EXTERNAL_ACCOUNTS[(field.data as ExternalAccount).subtype] ?? {}
  return { ...field, name, hint }
}

function findDataFault(type: ProfileFieldType, data: Json): string | undefined {
  if (type === PROFILE_FIELD_TYPES.choice) return findChoicesFault(data)
  if (type === PROFILE_FIELD_TYPES.externalAccount) return findAccountFault(data)
  return undefined
}

function findChoicesFault(data: Json): string | undefined {
  const choices = Object.entries(data)
  if (choices.length === 0) return 'Field must have at least one choice.'
  const texts = new Set<unknown>()
  for (const [value, choice] of choices) {
    if (value.trim() === '') return "'value' cannot be blank."
    const fault = findFieldsFault(choice, ['text', 'order'])
    if (fault !== undefined) return fault
    texts.add((choice as Json).text)
  }
  return texts.size < choices.length ? 'Field must not have duplicate choices.' : undefined
}

function findAccountFault(data: Json): string | undefined {
  const fault = findFieldsFault(data, [
    'subtype',
    ...(Object.hasOwn(data, 'url_pattern') ? ['url_pattern'] : []),
  ])
  if (fault !== undefined) return fault
  const { subtype, url_pattern: pattern } = data as { subtype: string; url_pattern?: string }
  if (pattern !== undefined) {
    if (pattern.split('%(username)s').length !== 2) return "URL pattern must contain '%(username)s'."
    if (!isWebAddress(pattern.replace('%(username)s', 'username')))
      return 'field_data["url_pattern"] is not a URL'
  }
  if (Object.hasOwn(EXTERNAL_ACCOUNTS, subtype)) return undefined
  if (subtype !== 'custom') return 'Invalid external account type'
  return pattern === undefined ? 'Custom external account must define URL pattern' : undefined
}

/** What is wrong where an object must hold these texts, each with something in it, and nothing else. */
function findFieldsFault(value: unknown, names: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'field_data is not a dict'
  for (const name of names) {
    if (!Object.hasOwn(value, name)) return `${name} key is missing from field_data`
    const part = (value as Json)[name]
    if (typeof part !== 'string') return `field_data["${name}"] is not a string`
    if (part.trim() === '') return `field_data["${name}"] cannot be blank.`
  }
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  return unknown === undefined ? undefined : `Unexpected arguments: ${unknown}`
}

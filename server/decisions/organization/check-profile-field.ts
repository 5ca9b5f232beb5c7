/** Checks of a custom profile field. */

import { PROFILE_SUMMARY_FIELDS_MAX } from '../../domain/limits.ts'
import {
  EXTERNAL_ACCOUNTS,
  isWebAddress,
  type ProfileField,
  type ProfileFieldType,
} from '../../domain/organization/profile-fields.ts'
import type { Scope } from '../scope.ts'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

/** How a field can be invalid. */
export const PROFILE_FIELD_ERRORS = [
  'PROFILE_FIELD_NAME_EMPTY',
  'PROFILE_FIELD_NAME_TAKEN',
  'PROFILE_FIELD_DATA_INVALID',
  'PROFILE_SUMMARY_TYPE',
  'PROFILE_SUMMARY_FULL',
] as const

/** An object, as the request has it. */
export type Json = Readonly<Record<string, unknown>>

/** Throws if the field is not valid beside the others. */
export function checkProfileField(
  { state, fail }: Scope<(typeof PROFILE_FIELD_ERRORS)[number]>,
  field: ProfileField,
): void {
  const others = state.profileFields.filter(({ id }) => id !== field.id)
  if (field.name === '') throw fail('PROFILE_FIELD_NAME_EMPTY')
  if (others.some(({ name }) => name === field.name)) throw fail('PROFILE_FIELD_NAME_TAKEN')
  if (!field.isInSummary) return
  if (field.type === PROFILE_FIELD_TYPES.longText || field.type === PROFILE_FIELD_TYPES.users)
    throw fail('PROFILE_SUMMARY_TYPE')
  if (others.filter(({ isInSummary }) => isInSummary).length >= PROFILE_SUMMARY_FIELDS_MAX)
    throw fail('PROFILE_SUMMARY_FULL', { countMax: PROFILE_SUMMARY_FIELDS_MAX })
}

/** The data of a field of a type, checked; null for types without data. */
export function checkFieldData(
  { fail }: Scope<'PROFILE_FIELD_DATA_INVALID'>,
  type: ProfileFieldType,
  data: Json,
): ProfileField['data'] {
  const fault = findDataFault(type, data)
  if (fault !== undefined) throw fail('PROFILE_FIELD_DATA_INVALID', { message: fault })
  return type === PROFILE_FIELD_TYPES.choice || type === PROFILE_FIELD_TYPES.externalAccount
    ? (data as ProfileField['data'])
    : null
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

/** Why an object is invalid: it must hold these texts, none of them blank, and nothing else. */
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

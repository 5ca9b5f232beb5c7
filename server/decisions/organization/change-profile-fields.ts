/** Changes of the custom profile fields. */

import { isDeepStrictEqual } from 'node:util'
import type { Fact } from '../../domain/events.ts'
import type { ProfileFieldId } from '../../domain/ids.ts'
import { PROFILE_FIELDS_MAX } from '../../domain/limits.ts'
import {
  type Choices,
  EXTERNAL_ACCOUNTS,
  type ExternalAccount,
  isSupportedSite,
  type ProfileField,
  type ProfileFieldType,
} from '../../domain/organization/profile-fields.ts'
import { checkAdministrator } from '../check-caller.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { checkFieldData, checkProfileField, type Json, PROFILE_FIELD_ERRORS } from './check-profile-field.ts'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

/** A field, as the request has it; undefined keeps the present value, or is the default of a new field. */
export type GivenProfileField = {
  readonly [Part in Exclude<keyof ProfileField, 'id' | 'type' | 'data'>]: ProfileField[Part] | undefined
} & { readonly data: Json | undefined }

interface ProfileFieldRequest {
  readonly fieldId: ProfileFieldId
}

/** How adding a field can fail. */
export const NEW_PROFILE_FIELD_ERRORS = [
  'ROLE_REQUIRED',
  'PROFILE_FIELD_TYPE_UNKNOWN',
  ...PROFILE_FIELD_ERRORS,
  'TOO_MANY_PROFILE_FIELDS',
] as const

/** Adds a field as the last; answers its id. */
export function decideNewProfileField(
  scope: Scope<(typeof NEW_PROFILE_FIELD_ERRORS)[number]>,
  { type, field: given }: { readonly type: number; readonly field: GivenProfileField },
): Decision<ProfileFieldId> {
  const { state, fail } = scope
  checkAdministrator(scope)
  if (!isFieldType(type)) throw fail('PROFILE_FIELD_TYPE_UNKNOWN')
  const id = state.nextProfileFieldId
  const { name = '', hint = '', isInSummary = false, isRequired = false, isEditable = true } = given
  const data = checkFieldData(scope, type, given.data ?? {})
  const field = withSiteTexts({ id, type, name, hint, data, isInSummary, isRequired, isEditable })
  checkProfileField(scope, field)
  if (state.profileFields.length >= PROFILE_FIELDS_MAX)
    throw fail('TOO_MANY_PROFILE_FIELDS', { countMax: PROFILE_FIELDS_MAX })
  return answering(id, [profileFieldsFact([...state.profileFields, field])])
}

/** How changing a field can fail. */
export const UPDATE_PROFILE_FIELD_ERRORS = [
  'ROLE_REQUIRED',
  'PROFILE_FIELD_UNKNOWN',
  'PROFILE_FIELD_FIXED',
  ...PROFILE_FIELD_ERRORS,
] as const

/** Changes a field; its type stays. */
export function decideProfileFieldUpdate(
  scope: Scope<(typeof UPDATE_PROFILE_FIELD_ERRORS)[number]>,
  { fieldId, field: given }: ProfileFieldRequest & { readonly field: GivenProfileField },
): Decision<void> {
  checkAdministrator(scope)
  const before = findProfileField(scope, fieldId)
  const after: ProfileField = {
    ...before,
    name: given.name ?? before.name,
    hint: given.hint ?? before.hint,
    data: given.data ? checkFieldData(scope, before.type, given.data) : before.data,
    isInSummary: given.isInSummary ?? before.isInSummary,
    isRequired: given.isRequired ?? before.isRequired,
    isEditable: given.isEditable ?? before.isEditable,
  }
  if (isSupportedSite(before) && !isDeepStrictEqual(textsOf(before), textsOf(after)))
    throw scope.fail('PROFILE_FIELD_FIXED')
  checkProfileField(scope, after)
  return done(isDeepStrictEqual(before, after) ? [] : replaceProfileField(scope, after))
}

/** How removing a field can fail. */
export const REMOVE_PROFILE_FIELD_ERRORS = ['ROLE_REQUIRED', 'PROFILE_FIELD_UNKNOWN'] as const

/** Removes a field, with the values of all users. */
export function decideProfileFieldRemoval(
  scope: Scope<(typeof REMOVE_PROFILE_FIELD_ERRORS)[number]>,
  { fieldId }: ProfileFieldRequest,
): Decision<void> {
  checkAdministrator(scope)
  const field = findProfileField(scope, fieldId)
  const others = scope.state.profileFields.filter((one) => one !== field)
  return done([profileFieldsFact(others)])
}

/** How reordering fields can fail. */
export const REORDER_PROFILE_FIELDS_ERRORS = ['ROLE_REQUIRED', 'PROFILE_ORDER_INVALID'] as const

/** Changes the order of the fields. */
export function decideProfileFieldOrder(
  scope: Scope<(typeof REORDER_PROFILE_FIELDS_ERRORS)[number]>,
  { order }: { readonly order: readonly ProfileFieldId[] },
): Decision<void> {
  checkAdministrator(scope)
  const { profileFields: before } = scope.state
  const after = before.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  const isWhole = order.length === before.length && after.every(({ id }, index) => id === order[index])
  if (!isWhole) throw scope.fail('PROFILE_ORDER_INVALID')
  const isChanged = after.some((field, index) => field !== before[index])
  return done(isChanged ? [profileFieldsFact(after)] : [])
}

/** The field of an id. */
export function findProfileField(
  { state: { profileFields }, fail }: Scope<'PROFILE_FIELD_UNKNOWN'>,
  id: ProfileFieldId,
): ProfileField {
  const field = profileFields.find((one) => one.id === id)
  if (!field) throw fail('PROFILE_FIELD_UNKNOWN', { id })
  return field
}

/** Replaces a field. Users who chose a removed option lose their value. */
function replaceProfileField({ state }: Scope, field: ProfileField): Fact[] {
  const fields = state.profileFields.map((one) => (one.id === field.id ? field : one))
  const lost =
    field.type === PROFILE_FIELD_TYPES.choice
      ? [...state.profiles].filter(([, profile]) => {
          const chosen = profile.get(field.id)?.value
          return chosen !== undefined && !Object.hasOwn(field.data as Choices, chosen)
        })
      : []
  return [
    profileFieldsFact(fields),
    ...lost.map(
      ([userId]): Fact => ({ type: 'realm_user/profile', userId, fieldId: field.id, filled: null }),
    ),
  ]
}

function profileFieldsFact(fields: readonly ProfileField[]): Fact {
  return { type: 'custom_profile_fields', fields }
}

const TYPE_NUMBERS: readonly number[] = Object.values(PROFILE_FIELD_TYPES)

function isFieldType(type: number): type is ProfileFieldType {
  return TYPE_NUMBERS.includes(type)
}

/** A field with the name and hint of its site, if the server knows the site. */
function withSiteTexts(field: ProfileField): ProfileField {
  if (!isSupportedSite(field)) return field
  const { name = '', hint = '' } = EXTERNAL_ACCOUNTS[(field.data as ExternalAccount).subtype] ?? {}
  return { ...field, name, hint }
}

/** The parts of a field that its known site decides. */
function textsOf({ name, hint, data }: ProfileField) {
  return { name, hint, data }
}

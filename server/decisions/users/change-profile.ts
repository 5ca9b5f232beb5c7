/** Changes of users' profiles. */

import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { ProfileFieldId, UserId } from '../../domain/ids.ts'
import {
  findValueFault,
  isMarkdownField,
  type ProfileValue,
} from '../../domain/organization/profile-fields.ts'
import { type Decision, done } from '../decision.ts'
import { findProfileField } from '../organization/change-profile-fields.ts'
import type { Scope } from '../scope.ts'

/** A field's new value; the HTML is undefined for a field without Markdown. */
export interface ProfileEntry {
  readonly fieldId: ProfileFieldId
  readonly value: string | readonly number[]
  readonly rendered: string | undefined
}

/** The fields to fill in, and those to empty. */
export interface ProfileChange {
  readonly filled: readonly ProfileEntry[]
  readonly emptied: readonly ProfileFieldId[]
}

/** How changing a profile can fail. */
export const PROFILE_ERRORS = ['PROFILE_FIELD_UNKNOWN', 'PROFILE_VALUE_INVALID'] as const

/** Fills in and empties fields of a user's profile; a field that stays the same sends no event. */
export function changeProfile(
  scope: Scope<(typeof PROFILE_ERRORS)[number]>,
  target: User,
  { filled, emptied }: ProfileChange,
): Fact[] {
  const { state, fail } = scope
  const profile = state.profiles.get(target.id)
  const events = emptyProfile(scope, target, emptied)
  for (const { fieldId, value, rendered } of filled) {
    const field = findProfileField(scope, fieldId)
    const fault = findValueFault(field, value, (id) => findPerson(scope, id))
    if (fault !== undefined) throw fail('PROFILE_VALUE_INVALID', { message: fault })
    // A field that is newer than the request counts as unknown: its text was not rendered.
    if (isMarkdownField(field) && rendered === undefined) throw fail('PROFILE_FIELD_UNKNOWN', { id: fieldId })
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (profile?.get(fieldId)?.value === text) continue
    const said: ProfileValue = { value: text, ...(rendered === undefined ? {} : { rendered }) }
    events.push({ type: 'realm_user/profile', userId: target.id, fieldId, filled: said })
  }
  return events
}

function emptyProfile(
  scope: Scope<'PROFILE_FIELD_UNKNOWN'>,
  target: User,
  fieldIds: readonly ProfileFieldId[],
): Fact[] {
  const profile = scope.state.profiles.get(target.id)
  const events: Fact[] = []
  for (const fieldId of new Set(fieldIds)) {
    findProfileField(scope, fieldId)
    if (profile?.has(fieldId))
      events.push({ type: 'realm_user/profile', userId: target.id, fieldId, filled: null })
  }
  return events
}

function findPerson({ state, caller }: Scope, id: UserId): User | undefined {
  const user = state.findVisibleUser(caller, id)
  return user?.isSystem ? undefined : user
}

/** How filling in one's own profile can fail. */
export const OWN_PROFILE_ERRORS = ['PROFILE_FIELD_LOCKED', ...PROFILE_ERRORS] as const

/** Changes the caller's own profile. */
export function decideOwnProfile(
  scope: Scope<(typeof OWN_PROFILE_ERRORS)[number]>,
  change: ProfileChange,
): Decision<void> {
  checkFieldsEditable(scope, [...change.filled.map(({ fieldId }) => fieldId), ...change.emptied])
  return done(changeProfile(scope, scope.caller, change))
}

/** Fields to empty. */
export interface EmptyProfileRequest {
  readonly fieldIds: readonly ProfileFieldId[]
}

/** How emptying fields of one's own profile can fail. */
export const EMPTY_PROFILE_ERRORS = ['PROFILE_FIELD_UNKNOWN', 'PROFILE_FIELD_LOCKED'] as const

/** Empties fields of the caller's own profile. */
export function decideEmptyProfile(
  scope: Scope<(typeof EMPTY_PROFILE_ERRORS)[number]>,
  { fieldIds }: EmptyProfileRequest,
): Decision<void> {
  checkFieldsEditable(scope, fieldIds)
  return done(emptyProfile(scope, scope.caller, fieldIds))
}

/** Throws if only administrators may change one of the fields, and the caller is none. */
function checkFieldsEditable(
  { state, caller, fail }: Scope<'PROFILE_FIELD_LOCKED'>,
  fieldIds: readonly ProfileFieldId[],
): void {
  const locked = state.profileFields.filter(({ isEditable }) => !isEditable)
  if (!isAdministrator(caller) && locked.some(({ id }) => fieldIds.includes(id)))
    throw fail('PROFILE_FIELD_LOCKED')
}

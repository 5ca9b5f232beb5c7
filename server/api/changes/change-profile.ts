/** Changes of what users say of themselves in the fields of their profiles. */

import { isAdministrator } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ProfileFieldId, UserId } from '../../domain/ids.ts'
import { findValueFault, isMarkdownField, type ProfileValue } from '../../domain/profile-fields.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ErrorName, Fail } from '../../errors/api-error.ts'
import type { ProfileWishes } from '../operations/users/profile-params.ts'
import { findProfileField } from '../../decisions/organization/change-profile-fields.ts'
import { tellProfile } from '../../decisions/users/tell-profile.ts'

export const PROFILE_ERRORS = [
  'PROFILE_FIELD_UNKNOWN',
  'PROFILE_VALUE_INVALID',
  'MESSAGE_RENDERING_FAILED',
] as const satisfies readonly ErrorName[]

/** Fills in fields of a user's profile, and empties others, as the caller asks; what is as before is told to nobody. */
export function changeProfile(
  state: OrganizationState,
  caller: User,
  target: User,
  { filled, emptied }: ProfileWishes,
  fail: Fail<'PROFILE_FIELD_UNKNOWN' | 'PROFILE_VALUE_INVALID'>,
): NewEvent[] {
  const profile = state.profiles.get(target.id)
  const events = emptyProfile(state, target, emptied, fail)
  for (const { fieldId, value, rendered } of filled) {
    const field = findProfileField(fieldId, state, fail)
    const fault = findValueFault(field, value, (id) => findPerson(state, caller, id))
    if (fault !== undefined) throw fail('PROFILE_VALUE_INVALID', { message: fault })
    // A field that came to be while the text was being read is as one that is not there yet.
    if (isMarkdownField(field) && rendered === undefined) throw fail('PROFILE_FIELD_UNKNOWN', { id: fieldId })
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (profile?.get(fieldId)?.value === text) continue
    const said: ProfileValue = { value: text, ...(rendered === undefined ? {} : { rendered }) }
    events.push(tellProfile(state, target.id, fieldId, said))
  }
  return events
}

/** Empties fields of a user's profile. */
export function emptyProfile(
  state: OrganizationState,
  target: User,
  fieldIds: readonly ProfileFieldId[],
  fail: Fail<'PROFILE_FIELD_UNKNOWN'>,
): NewEvent[] {
  const profile = state.profiles.get(target.id)
  const events: NewEvent[] = []
  for (const fieldId of new Set(fieldIds)) {
    findProfileField(fieldId, state, fail)
    if (profile?.has(fieldId)) events.push(tellProfile(state, target.id, fieldId, null))
  }
  return events
}

/** Throws where one of the fields is for administrators alone to change, and the user is none. */
export function checkFieldsEditable(
  state: OrganizationState,
  user: User,
  fieldIds: readonly ProfileFieldId[],
  fail: Fail<'PROFILE_FIELD_LOCKED'>,
): void {
  const locked = state.profileFields.filter(({ isEditable }) => !isEditable)
  if (!isAdministrator(user) && locked.some(({ id }) => fieldIds.includes(id)))
    throw fail('PROFILE_FIELD_LOCKED')
}

function findPerson(state: OrganizationState, caller: User, id: UserId): User | undefined {
  const user = state.findKnownUser(caller, id)
  return user?.isSystem ? undefined : user
}

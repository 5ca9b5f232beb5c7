/** Changes of what users say of themselves in the fields of their profiles. */

import { isAdministrator } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ProfileFieldId, UserId } from '../../domain/ids.ts'
import {
  findValueFault,
  isMarkdownField,
  type ProfileField,
  type ProfileValue,
} from '../../domain/profile-fields.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ErrorName, Fail } from '../errors.ts'
import type { ProfileWishes } from '../profile-params.ts'

export const PROFILE_ERRORS = [
  'PROFILE_FIELD_UNKNOWN',
  'PROFILE_FIELD_LOCKED',
  'PROFILE_VALUE_INVALID',
  'MESSAGE_RENDERING_FAILED',
] as const satisfies readonly ErrorName[]
type FieldFail = Fail<'PROFILE_FIELD_UNKNOWN' | 'PROFILE_FIELD_LOCKED'>
type ProfileFail = Fail<'PROFILE_FIELD_UNKNOWN' | 'PROFILE_FIELD_LOCKED' | 'PROFILE_VALUE_INVALID'>

/** Fills in fields of a user's profile, and empties others; what is as before is told to nobody. */
export function changeProfile(
  state: OrganizationState,
  caller: User,
  target: User,
  { filled, emptied }: ProfileWishes,
  fail: ProfileFail,
): NewEvent[] {
  const profile = state.profiles.get(target.id)
  const events = emptyProfile(state, caller, target, emptied, fail)
  for (const { fieldId, value, rendered } of filled) {
    const field = findChangeableField(state, caller, fieldId, fail)
    const fault = findValueFault(field, value, (id) => findPerson(state, id))
    if (fault !== undefined) throw fail('PROFILE_VALUE_INVALID', { message: fault })
    // A field that came to be after the text was rendered, or was not, is as one that is not there yet.
    if (isMarkdownField(field) && rendered === undefined) throw fail('PROFILE_FIELD_UNKNOWN', { id: fieldId })
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (profile?.get(fieldId)?.value === text) continue
    const said = { value: text, ...(rendered === undefined ? {} : { rendered }) }
    events.push(tellProfile(state, target, fieldId, said))
  }
  return events
}

/** Empties fields of a user's profile. */
export function emptyProfile(
  state: OrganizationState,
  caller: User,
  target: User,
  fieldIds: readonly ProfileFieldId[],
  fail: FieldFail,
): NewEvent[] {
  const profile = state.profiles.get(target.id)
  const events: NewEvent[] = []
  for (const fieldId of new Set(fieldIds)) {
    findChangeableField(state, caller, fieldId, fail)
    if (profile?.has(fieldId)) events.push(tellProfile(state, target, fieldId, null))
  }
  return events
}

/** Tells everyone what a profile says now. */
export function tellProfile(
  state: OrganizationState,
  { id: userId }: Pick<User, 'id'>,
  fieldId: ProfileFieldId,
  filled: ProfileValue | null,
): NewEvent {
  return {
    event: { type: 'realm_user/profile', userId, fieldId, filled },
    audience: { kind: 'users', users: state.rights.activeUsers },
  }
}

function findChangeableField(
  state: OrganizationState,
  caller: User,
  fieldId: ProfileFieldId,
  fail: FieldFail,
): ProfileField {
  const field = state.profileFields.find(({ id }) => id === fieldId)
  if (!field) throw fail('PROFILE_FIELD_UNKNOWN', { id: fieldId })
  if (!field.isEditable && !isAdministrator(caller)) throw fail('PROFILE_FIELD_LOCKED')
  return field
}

function findPerson({ users }: OrganizationState, id: UserId): User | undefined {
  const user = users.get(id)
  return user?.isSystem ? undefined : user
}

/** Changes of the fields that profiles have. */

import type { NewEvent } from '../../domain/events.ts'
import type { ProfileFieldId } from '../../domain/ids.ts'
import { type Choices, PROFILE_FIELD_TYPES, type ProfileField } from '../../domain/profile-fields.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'
import { tellProfile } from '../users/tell-profile.ts'

/** Tells everyone which fields there are now. */
export function tellProfileFields(state: OrganizationState, fields: readonly ProfileField[]): NewEvent {
  return {
    event: { type: 'custom_profile_fields', fields },
    audience: { kind: 'users', users: state.rights.activeUsers },
  }
}

export function findProfileField(
  id: ProfileFieldId,
  { profileFields }: OrganizationState,
  fail: Fail<'PROFILE_FIELD_UNKNOWN'>,
): ProfileField {
  const field = profileFields.find((one) => one.id === id)
  if (!field) throw fail('PROFILE_FIELD_UNKNOWN', { id })
  return field
}

/** Puts a field in the place of what it was; who had chosen what there is no more has chosen nothing. */
export function replaceProfileField(state: OrganizationState, field: ProfileField): NewEvent[] {
  const fields = state.profileFields.map((one) => (one.id === field.id ? field : one))
  const lost =
    field.type === PROFILE_FIELD_TYPES.choice
      ? [...state.profiles].filter(([, profile]) => {
          const chosen = profile.get(field.id)?.value
          return chosen !== undefined && !Object.hasOwn(field.data as Choices, chosen)
        })
      : []
  return [tellProfileFields(state, fields), ...lost.map(([id]) => tellProfile({ state }, id, field.id, null))]
}

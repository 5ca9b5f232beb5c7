/** Tells everyone what a profile says now. */

import type { NewEvent } from '../../domain/events.ts'
import type { ProfileFieldId, UserId } from '../../domain/ids.ts'
import type { ProfileValue } from '../../domain/profile-fields.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** One field of it; null where it says nothing any more. */
export function tellProfile(
  { rights }: OrganizationState,
  userId: UserId,
  fieldId: ProfileFieldId,
  filled: ProfileValue | null,
): NewEvent {
  return {
    event: { type: 'realm_user/profile', userId, fieldId, filled },
    audience: { kind: 'users', users: rights.activeUsers },
  }
}

/** Facts of what profiles say. */

import type { Fact } from '../../domain/event-traits.ts'
import type { ProfileFieldId, UserId } from '../../domain/ids.ts'
import type { ProfileValue } from '../../domain/profile-fields.ts'

/** One field of a profile says something else; `filled` is null if it is empty now. */
export function tellProfile(userId: UserId, fieldId: ProfileFieldId, filled: ProfileValue | null): Fact {
  return { type: 'realm_user/profile', userId, fieldId, filled }
}

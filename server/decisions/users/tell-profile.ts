/** Tells everyone what a profile says now. */

import type { NewEvent } from '../../domain/events.ts'
import type { ProfileFieldId, UserId } from '../../domain/ids.ts'
import type { ProfileValue } from '../../domain/profile-fields.ts'
import type { ServerScope } from '../scope.ts'
import { tellEveryone } from '../tell-everyone.ts'

/** Tells of one field of a profile; `filled` is null where it is empty now. */
export function tellProfile(
  scope: Pick<ServerScope, 'state'>,
  userId: UserId,
  fieldId: ProfileFieldId,
  filled: ProfileValue | null,
): NewEvent {
  return tellEveryone(scope, { type: 'realm_user/profile', userId, fieldId, filled })
}

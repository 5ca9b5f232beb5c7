/** One message by its id, where a user may read it. */

import type { Sql } from '../../../db/connect.ts'
import { readMessage, type SingleMessage } from '../../../db/single-message.ts'
import { canReadMessage } from '../../decisions/messages/message-access.ts'
import type { User } from '../../domain/entities.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** The message, or undefined where the user may not read it: absent and forbidden look alike. */
export async function findMessage(
  id: MessageId,
  user: User,
  { sql, state }: { readonly sql: Sql; readonly state: OrganizationState },
): Promise<SingleMessage | undefined> {
  const found = await readMessage(sql, id, user.id)
  // Rights are looked at after the wait, so that the message is none of which they do not know yet.
  return found && found.message.id <= state.appliedId && canReadMessage(user, found, state)
    ? found
    : undefined
}

/** Finds one message by its id, if a user may read it. */

import type { Sql } from '../../../db/connection/connect.ts'
import { readMessage, readReceivers, type SingleMessage } from '../../../db/messages/single-message.ts'
import { canReadMessage, checkOpenMessage } from '../../decisions/messages/message-access.ts'
import type { Scope } from '../../decisions/scope.ts'
import type { Message, User } from '../../domain/entities.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Sending } from '../sending.ts'

/** The message, or undefined if the user may not read it: absent and forbidden look alike. */
export async function findMessage(
  id: MessageId,
  user: User,
  { sql, state }: { readonly sql: Sql; readonly state: OrganizationState },
): Promise<SingleMessage | undefined> {
  const found = await readMessage(sql, id, user.id)
  // The rights are read after the wait, so that they include the message.
  return found && found.message.id <= state.appliedId && canReadMessage({ state, caller: user }, found)
    ? found
    : undefined
}

/** The same if the message can change; throws if it cannot. */
export async function findOpenMessage(
  { sql, state }: Pick<Sending, 'sql' | 'state'>,
  { caller, fail }: Pick<Scope<'MESSAGE_UNKNOWN'>, 'caller' | 'fail'>,
  id: MessageId,
): Promise<SingleMessage> {
  const found = await findMessage(id, caller, { sql, state })
  if (!found) throw fail('MESSAGE_UNKNOWN')
  checkOpenMessage({ state, caller, fail }, found)
  return found
}

/** The recipients of a message, if only they may read it: in a channel without shared history. */
export async function readReceiversOfClosed(
  { sql, state }: Pick<Sending, 'sql' | 'state'>,
  { id, destination }: Pick<Message, 'id' | 'destination'>,
): Promise<readonly UserId[] | undefined> {
  if (destination.kind === 'direct' || state.getChannel(destination.channelId).channel.isHistoryPublic)
    return undefined
  return readReceivers(sql, destination.channelId, id)
}

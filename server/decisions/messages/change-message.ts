/** Changing what hangs on a message: who may, and who is told. */

import type { SingleMessage } from '../../../db/single-message.ts'
import type { LogEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { canReadMessage, isClosed, listenersOf } from './message-access.ts'

/** What happens to a message. */
export interface MessageChange {
  readonly found: SingleMessage
  readonly event: LogEvent
  /** The users who received it, where the past of its channel is closed. */
  readonly receiverIds: readonly UserId[] | undefined
}

/** Tells of it the users who hear of the message. */
export function decideMessageChange(
  { state, caller, fail }: Scope<'MESSAGE_UNKNOWN'>,
  { found, event, receiverIds }: MessageChange,
): Decision<void> {
  if (!canReadMessage(caller, found, state) || isClosed(found, state)) throw fail('MESSAGE_UNKNOWN')
  const listeners = listenersOf(found, receiverIds, state).union(UserSet.of([caller.id]))
  const users = listeners.intersection(state.rights.activeUsers)
  return done([{ event, audience: { kind: 'users', users } }])
}

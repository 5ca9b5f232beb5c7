/** Changes data of a message, such as reactions, and finds the recipients of its events. */

import type { SingleMessage } from '../../../db/messages/single-message.ts'
import type { LogEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { checkOpenMessage, listenersOf } from './message-access.ts'

/** A change of a message. */
export interface MessageChange {
  readonly found: SingleMessage
  readonly event: LogEvent
  /** The recipients of the message, if the channel's history is not shared. */
  readonly receiverIds: readonly UserId[] | undefined
}

/** The change as an event for the listeners of the message. */
export function decideMessageChange(
  scope: Scope<'MESSAGE_UNKNOWN'>,
  { found, event, receiverIds }: MessageChange,
): Decision<void> {
  checkOpenMessage(scope, found)
  const { state, caller } = scope
  const listeners = listenersOf(scope, found, receiverIds).union(UserSet.of([caller.id]))
  const users = listeners.intersection(state.rights.activeUsers)
  return done([{ event, audience: { kind: 'users', users } }])
}

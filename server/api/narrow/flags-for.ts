/** The flags of messages for a caller. */

import type { FlaggedMessage } from '../../../db/unread/flagged-messages.ts'
import type { Readers } from '../../actors/readers.ts'
import type { User } from '../../domain/entities.ts'
import { MESSAGE_FLAGS } from '../../domain/messages/message-flags.ts'
import { isVisitor } from '../../../packages/rules/organization.ts'

/** Tells a message's flags. */
export interface Flagging {
  flagsOf(message: FlaggedMessage): number
}

/** To visitors every message is read, and none is theirs. */
const FOR_VISITORS: Flagging = { flagsOf: () => MESSAGE_FLAGS.read }

/** The flags for a caller; a promise if they must be loaded. */
export function flagsFor(
  user: User,
  { readers }: { readonly readers: Readers },
): Flagging | Promise<Flagging> {
  return isVisitor(user) ? FOR_VISITORS : readers.get(user.id)
}

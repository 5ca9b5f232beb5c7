/** Readers of messages for queries: the messages that the caller may read. */

import type { Reader } from '../../../db/messages/message-query.ts'
import { canReadChannel } from '../../../packages/rules/channels.ts'
import type { Scope } from '../scope.ts'

/** Reads all messages that the caller may read, in any channel. */
export function readerOf({ state, caller }: Pick<Scope, 'state' | 'caller'>): Reader {
  const readableChannelIds = [...state.channels.values()]
    .filter((channel) => canReadChannel(caller, channel, state.rights))
    .map(({ channel }) => channel.id)
  return { userId: caller.id, readableChannelIds, openChannelId: undefined, asOf: state.appliedId }
}

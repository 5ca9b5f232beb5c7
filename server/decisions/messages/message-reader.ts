/** What a user may read of messages, as queries ask for it. */

import type { Reader } from '../../../db/message-query.ts'
import { canReadChannel } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** What a user may read without narrowing to one channel. */
export function readerOf(user: User, state: OrganizationState): Reader {
  const readableChannelIds = [...state.channels.values()]
    .filter((channel) => canReadChannel(user, channel, state.rights))
    .map(({ channel }) => channel.id)
  return { userId: user.id, readableChannelIds, openChannelId: undefined, asOf: state.appliedId }
}

/** How much of a channel's topics somebody may read now. */

import type { TopicReader } from '../../../db/topics.ts'
import { readableHistory } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** The reader of a channel, or undefined where the channel may not be read: absent and forbidden look alike. */
export function findTopicReader(
  channelId: ChannelId,
  user: User,
  state: OrganizationState,
): TopicReader | undefined {
  const channel = state.channels.get(channelId)
  const readable = channel ? readableHistory(user, channel, state.rights) : 'none'
  if (readable === 'none') return undefined
  return { userId: user.id, channelId, isHistoryOpen: readable === 'all', asOf: state.appliedId }
}

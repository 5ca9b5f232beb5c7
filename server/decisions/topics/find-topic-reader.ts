/** The topics of a channel that the caller may read now. */

import type { TopicReader } from '../../../db/messages/topics.ts'
import { readableHistory } from '../../../packages/rules/channels.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { Scope } from '../scope.ts'

/** A reader of the channel, if the caller may read it: absent and forbidden look alike. */
export function findTopicReader(
  scope: Pick<Scope<'CHANNEL_UNKNOWN'>, 'state' | 'caller' | 'fail'>,
  channelId: ChannelId,
): TopicReader {
  const reader = topicReaderOf(scope, channelId)
  if (!reader) throw scope.fail('CHANNEL_UNKNOWN')
  return reader
}

/** The same; undefined if the caller may not read it. */
export function topicReaderOf(
  { state, caller }: Pick<Scope, 'state' | 'caller'>,
  channelId: ChannelId,
): TopicReader | undefined {
  const channel = state.channels.get(channelId)
  const readable = channel ? readableHistory(caller, channel, state.rights) : 'none'
  if (readable === 'none') return undefined
  return { userId: caller.id, channelId, isHistoryOpen: readable === 'all', asOf: state.appliedId }
}

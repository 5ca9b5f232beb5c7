/** The conversation of a link, which may have another name or channel by now. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { otherIdsOf } from '../messages/match-narrow.ts'
import { type Narrow, ofDirect, ofTopic } from './narrow.ts'
import { isSameTopic, topicOf } from './topic-of.ts'

/** The conversation of the messages that were found for a link; the same object if it is the one that the link names. */
export function presentNarrow(narrow: Narrow, messages: readonly Message[], ownId: number): Narrow {
  const [first] = messages
  const isByMessage = narrow.length === 1 && narrow[0]?.operator === 'with'
  const place = topicOf(narrow)
  if (!first || !(place || isByMessage)) return narrow
  const { stream_id: channelId, subject: topic } = first
  if (channelId === undefined) return isByMessage ? ofDirect(otherIdsOf(first, ownId) ?? []) : narrow
  return place && isSameTopic(place, { channelId, topic }) ? narrow : ofTopic(channelId, topic)
}

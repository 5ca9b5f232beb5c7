/** Users' visibility policies of topics, for their clients. */

import type { UserTopic } from '../domain/entities.ts'
import { anyOf, arrayOf, INTEGER, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import { topicDisplayName } from '../../packages/rules/topics.ts'

/** Schema of `viewUserTopic`. */
export const USER_TOPIC = record({
  stream_id: INTEGER,
  topic_name: STRING,
  last_updated: INTEGER,
  visibility_policy: INTEGER,
})

/** Schema of muted topics for older clients: each a channel's name, a topic, and the time of the mute. */
export const MUTED_TOPICS = arrayOf(arrayOf(anyOf(STRING, INTEGER)))

/** The visibility policy of a topic. */
export function viewUserTopic(
  { channelId, topic, visibility, updatedAt }: UserTopic,
  { allowEmptyTopic }: { readonly allowEmptyTopic: boolean },
): ValueOf<typeof USER_TOPIC> {
  return {
    stream_id: channelId,
    topic_name: allowEmptyTopic ? topic : topicDisplayName(topic),
    last_updated: updatedAt,
    visibility_policy: visibility,
  }
}

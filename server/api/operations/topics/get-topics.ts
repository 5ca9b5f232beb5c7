/** `GET /users/me/{stream_id}/topics`: the topics of a channel that the caller can read. */

import { readTopics, TOPICS_LISTED_MAX } from '../../../../db/messages/topics.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { topicDisplayName } from '../../../domain/messages/topics.ts'
import { findTopicReader } from '../../../decisions/topics/find-topic-reader.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, required } from '../../params.ts'
import { arrayOf, INTEGER, record, STRING } from '../../../domain/json-schema.ts'

/** A topic of a channel, with the id of its newest message. */
const TOPIC = record({ name: STRING, max_id: INTEGER })

export const getTopics = operation({
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  summary: 'Get the topics of a channel',
  description:
    `The topics with messages that the user may read, the one with the newest message first, at most ` +
    `${TOPICS_LISTED_MAX}. Spellings that differ only in case are one topic. Visitors get those of web-public channels.`,
  access: 'visitor',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    allow_empty_topic_name: defaulted(boolean(), false, 'Whether the empty topic is sent as empty.'),
  },
  reply: { topics: { schema: arrayOf(TOPIC), description: 'The topics.' } },
  errors: ['CHANNEL_UNKNOWN'],
  events: [],
  async run({ params, user, services: { sql, state }, fail }) {
    const reader = findTopicReader({ state, caller: user, fail }, params.stream_id)
    const topics = await readTopics(sql, reader)
    return {
      topics: topics.map(({ name, newestId }) => ({
        name: params.allow_empty_topic_name ? name : topicDisplayName(name),
        max_id: newestId,
      })),
    }
  },
})

/** `POST /mark_topic_as_read`: marks the messages of a topic as read. */

import { hasReceivedTopic } from '../../../../db/unread/flagged-messages.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/messages/topics.ts'
import { markChannelRead } from '../../../changes/flags/mark-channel-read.ts'
import { operation } from '../../operation.ts'
import { id, required, text } from '../../params.ts'

export const markTopicAsRead = operation({
  method: 'POST',
  path: '/mark_topic_as_read',
  summary: 'Mark messages in a topic as read',
  description:
    'Marks the unread messages of a topic as read. Without a topic, it marks those of the whole channel; the ' +
    'empty topic is `(no topic)` here.',
  access: 'user',
  isDeprecated: true,
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    topic_name: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic.'),
  },
  reply: {},
  errors: ['CHANNEL_UNKNOWN', 'TOPIC_UNKNOWN'],
  events: ['update_message_flags'],
  async run({ params, user, services, fail }) {
    const { state, sql } = services
    const { stream_id: channelId, topic_name: name } = params
    if (!state.findReadableChannel(user, channelId)) throw fail('CHANNEL_UNKNOWN')
    const topic = name === '' ? undefined : parseTopic(name)
    const reader = { userId: user.id, asOf: state.appliedId }
    if (topic !== undefined && !(await hasReceivedTopic(sql, reader, channelId, topic)))
      throw fail('TOPIC_UNKNOWN', { topic: name })
    await markChannelRead(services, user.id, channelId, topic)
    return {}
  },
})

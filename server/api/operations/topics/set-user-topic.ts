/** `POST /user_topics`: sets the caller's visibility policy of a topic. */

import { decideUserTopic, USER_TOPIC_ERRORS } from '../../../decisions/topics/change-user-topic.ts'
import type { TopicVisibility } from '../../../domain/entities.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/messages/topics.ts'
import { change } from '../../change-operation.ts'
import { id, integer, required, text } from '../../params.ts'

export const setUserTopic = change({
  method: 'POST',
  path: '/user_topics',
  summary: 'Mute, unmute or follow a topic',
  access: 'user',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    topic: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic.'),
    visibility_policy: required(
      integer({ min: 0, max: 3 }),
      'The visibility policy: 0 for that of the channel, 1 to mute, 2 to unmute in a muted channel, 3 to follow.',
    ),
  },
  reply: {},
  errors: USER_TOPIC_ERRORS,
  events: ['user_topic', 'muted_topics'],
  prepare: ({ params }) => ({
    channelId: params.stream_id,
    topic: parseTopic(params.topic),
    visibility: params.visibility_policy as TopicVisibility,
  }),
  decide: decideUserTopic,
})

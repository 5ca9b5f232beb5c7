/** `POST /user_topics`: how the caller wants a topic treated. */

import { nowSeconds } from '../../../domain/clock.ts'
import type { TopicVisibility } from '../../../domain/entities.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/topics.ts'
import { decideUserTopic } from '../../../decisions/topics/change-user-topic.ts'
import { operation } from '../../operation.ts'
import { id, integer, required, text } from '../../params.ts'

export const setUserTopic = operation({
  method: 'POST',
  path: '/user_topics',
  summary: 'Mute, unmute or follow a topic',
  access: 'user',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    topic: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic.'),
    visibility_policy: required(
      integer({ min: 0, max: 3 }),
      '0 to treat it as its channel, 1 to mute it, 2 to unmute it in a muted channel, 3 to follow it.',
    ),
  },
  reply: {},
  errors: ['CHANNEL_UNKNOWN', 'TOO_MANY_USER_TOPICS'],
  events: ['user_topic', 'muted_topics'],
  async run({ params, user, services: { committer, clock }, fail }) {
    const userTopic = {
      channelId: params.stream_id,
      topic: parseTopic(params.topic),
      visibility: params.visibility_policy as TopicVisibility,
      updatedAt: nowSeconds(clock),
    }
    await committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        if (!state.findReadableChannel(caller, userTopic.channelId)) throw fail('CHANNEL_UNKNOWN')
        return decideUserTopic(state, caller, userTopic, fail)
      },
    })
    return {}
  },
})

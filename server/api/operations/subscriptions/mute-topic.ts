/** `PATCH /users/me/subscriptions/muted_topics`: mutes and unmutes topics, for clients without visibility policies. */

import { decideTopicMute, MUTE_TOPIC_ERRORS } from '../../../decisions/topics/mute-topic.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/messages/topics.ts'
import { change } from '../../change-operation.ts'
import { id, oneOf, optional, required, text } from '../../params.ts'

export const muteTopic = change({
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  summary: 'Mute or unmute a topic',
  description: 'Newer clients use `POST /user_topics`. The channel is given either by its id or by its name.',
  access: 'user',
  isDeprecated: true,
  params: {
    stream_id: optional(id<ChannelId>(), 'The channel.'),
    stream: optional(text({ lengthMax: 1_000, trim: true }), 'The name of the channel.'),
    topic: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic.'),
    op: required(oneOf('add', 'remove'), 'Whether to mute or unmute it.'),
  },
  reply: {},
  errors: ['PARAMETERS_INCOMPATIBLE', ...MUTE_TOPIC_ERRORS],
  events: ['user_topic', 'muted_topics'],
  prepare({ params, fail }) {
    const { stream_id: channelId, stream: name } = params
    const channel = channelId ?? name
    if (channel === undefined) throw fail('PARAMETER_MISSING', { name: 'stream_id' })
    if (channelId !== undefined && name !== undefined)
      throw fail('PARAMETERS_INCOMPATIBLE', { names: ['stream_id', 'stream'] })
    return { channel, topic: parseTopic(params.topic), isMuted: params.op === 'add' }
  },
  decide: decideTopicMute,
})

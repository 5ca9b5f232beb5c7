/** `PATCH /users/me/subscriptions/muted_topics`: mutes and unmutes topics, as clients did before there were more ways to treat them. */

import { nowSeconds } from '../../../domain/clock.ts'
import { canReadChannel } from '../../../domain/channel-access.ts'
import type { User } from '../../../domain/entities.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/topics.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { decideUserTopic } from '../../../decisions/topics/change-user-topic.ts'
import { operation } from '../../operation.ts'
import { id, oneOf, optional, required, text } from '../../params.ts'

export const muteTopic = operation({
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  summary: 'Mute or unmute a topic',
  description: 'Newer clients use `POST /user_topics`. The channel is named once, by its id or by its name.',
  access: 'user',
  isDeprecated: true,
  params: {
    stream_id: optional(id<ChannelId>(), 'The channel.'),
    stream: optional(text({ lengthMax: 1_000, trim: true }), 'The name of the channel.'),
    topic: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic.'),
    op: required(oneOf('add', 'remove'), 'Whether to mute it, or to end that.'),
  },
  reply: {},
  errors: [
    'CHANNEL_UNKNOWN',
    'CHANNEL_NAME_UNKNOWN',
    'PARAMETERS_INCOMPATIBLE',
    'TOPIC_MUTED_ALREADY',
    'TOPIC_NOT_MUTED',
    'TOO_MANY_USER_TOPICS',
  ],
  events: ['user_topic', 'muted_topics'],
  async run({ params, user, services: { committer, clock }, fail }) {
    const { stream_id: givenId, stream: name, op } = params
    if (givenId === undefined && name === undefined) throw fail('PARAMETER_MISSING', { name: 'stream_id' })
    if (givenId !== undefined && name !== undefined)
      throw fail('PARAMETERS_INCOMPATIBLE', { names: ['stream_id', 'stream'] })
    const topic = parseTopic(params.topic)
    const updatedAt = nowSeconds(clock)
    await committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const readable =
          name === undefined
            ? state.findReadableChannel(caller, givenId as ChannelId)
            : findReadableByName(state, caller, name)
        // Who may no longer read a channel may still take back what they said of it.
        const channelId = readable?.channel.id ?? givenId
        const isMuted = channelId !== undefined && state.topicVisibility(caller.id, channelId, topic) === 1
        if (op === 'remove') {
          if (!isMuted) throw fail('TOPIC_NOT_MUTED')
          return decideUserTopic(state, caller, { channelId, topic, visibility: 0, updatedAt }, fail)
        }
        if (!readable)
          throw name === undefined ? fail('CHANNEL_UNKNOWN') : fail('CHANNEL_NAME_UNKNOWN', { name })
        if (isMuted) throw fail('TOPIC_MUTED_ALREADY')
        const said = { channelId: readable.channel.id, topic, visibility: 1, updatedAt } as const
        return decideUserTopic(state, caller, said, fail)
      },
    })
    return {}
  },
})

function findReadableByName(state: OrganizationState, user: User, name: string) {
  const channel = state.findChannelByName(name)
  return channel && canReadChannel(user, channel, state.rights) ? channel : undefined
}

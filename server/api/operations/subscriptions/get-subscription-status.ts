/** `GET /users/{user_id}/subscriptions/{stream_id}`: whether a user is subscribed to a channel. */

import { findChannel } from '../../../decisions/channels/find-channel.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { BOOLEAN } from '../../../domain/json-schema.ts'

export const getSubscriptionStatus = operation({
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  summary: 'Get whether a user is subscribed to a channel',
  description: 'All users can ask about the channels that they see.',
  access: 'user',
  params: {
    user_id: required(id<UserId>(), 'The id of the user.'),
    stream_id: required(id<ChannelId>(), 'The id of the channel.'),
  },
  reply: {
    is_subscribed: {
      schema: BOOLEAN,
      description: 'Whether the user is subscribed; always false for a deactivated user.',
    },
  },
  errors: ['USER_UNKNOWN', 'CHANNEL_UNKNOWN'],
  events: [],
  run({ user, params, services: { state }, fail }) {
    const asked = state.findVisibleUser(user, params.user_id)
    if (!asked) throw fail('USER_UNKNOWN')
    const channel = findChannel({ state, caller: user, fail }, params.stream_id)
    return { is_subscribed: asked.isActive && channel.subscribers.has(asked.id) }
  },
})

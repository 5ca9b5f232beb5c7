/** `GET /streams/{stream_id}/members`: the subscribers of a channel. */

import { findChannel } from '../../../decisions/channels/find-channel.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { viewSubscribers } from '../../../views/channel-view.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'

export const getChannelMembers = operation({
  method: 'GET',
  path: '/streams/{stream_id}/members',
  summary: 'Get the subscribers of a channel',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The id of the channel.') },
  reply: {
    subscribers: { schema: arrayOf(INTEGER), description: 'The ids of its active subscribers, ascending.' },
  },
  errors: ['CHANNEL_UNKNOWN'],
  events: [],
  run({ user, params, services: { state }, fail }) {
    const channel = findChannel({ state, caller: user, fail }, params.stream_id)
    return { subscribers: viewSubscribers(channel, state) }
  },
})

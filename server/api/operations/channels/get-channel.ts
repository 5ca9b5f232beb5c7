/** `GET /streams/{stream_id}`: one channel. */

import { findChannel } from '../../../decisions/channels/find-channel.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { CHANNEL, viewChannel } from '../../../views/channel-view.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

export const getChannel = operation({
  method: 'GET',
  path: '/streams/{stream_id}',
  summary: 'Get a channel by id',
  description: 'Also returns archived channels.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The id of the channel.') },
  reply: { stream: { schema: CHANNEL, description: 'The channel.' } },
  errors: ['CHANNEL_UNKNOWN'],
  events: [],
  run({ user, params, services: { state, clock }, fail }) {
    const channel = findChannel({ state, caller: user, fail }, params.stream_id)
    return { stream: viewChannel(channel, state, nowSeconds(clock)) }
  },
})

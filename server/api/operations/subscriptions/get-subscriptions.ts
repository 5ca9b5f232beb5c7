/** `GET /users/me/subscriptions`: the caller's subscriptions. */

import { nowSeconds } from '../../../domain/clock.ts'
import { channelForm, encodeChannel, encodeSubscriptionEnd } from '../../../views/encode-subscriptions.ts'
import { listAfterCommas } from '../../../views/json-pieces.ts'
import { EncodedField, operation } from '../../operation.ts'
import { defaulted, oneOf } from '../../params.ts'
import { arrayOf } from '../../../domain/json-schema.ts'
import { SUBSCRIPTION } from '../../../views/channel-view.ts'

export const getSubscriptions = operation({
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'Get subscribed channels',
  description: 'Omits archived channels.',
  access: 'user',
  params: {
    include_subscribers: defaulted(
      oneOf('true', 'false', 'partial'),
      'false',
      'Whether each channel lists its subscribers; `partial` shortens long lists.',
    ),
  },
  reply: { subscriptions: { schema: arrayOf(SUBSCRIPTION), description: 'The subscriptions.' } },
  errors: [],
  events: [],
  run({ user, params, services: { state, clock } }) {
    const wanted = params.include_subscribers
    const form = channelForm(wanted === 'partial' ? wanted : wanted === 'true', '')
    const now = nowSeconds(clock)
    const channels = state.subscribedChannels(user.id).filter(({ channel }) => !channel.isArchived)
    const subscriptions = channels.flatMap((channel) => [
      encodeChannel(channel, state, now, form),
      encodeSubscriptionEnd(channel, user.id, true),
    ])
    return { subscriptions: new EncodedField(listAfterCommas(subscriptions)) }
  },
})

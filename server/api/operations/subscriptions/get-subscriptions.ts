/** `GET /users/me/subscriptions`: the channels that the caller is subscribed to. */

import { nowSeconds } from '../../../domain/clock.ts'
import { viewSubscription } from '../../../views/channel-view.ts'
import { operation } from '../../operation.ts'
import { defaulted, oneOf } from '../../params.ts'
import { arrayOf, SUBSCRIPTION } from '../../reply-schemas.ts'

export const getSubscriptions = operation({
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'Get subscribed channels',
  access: 'user',
  params: {
    include_subscribers: defaulted(
      oneOf('true', 'false', 'partial'),
      'false',
      'Whether each channel lists its subscribers; `partial` may list some only, and lists all here.',
    ),
  },
  reply: { subscriptions: { schema: arrayOf(SUBSCRIPTION), description: 'The subscriptions.' } },
  errors: [],
  events: [],
  run({ user, params, services: { state, clock } }) {
    const options = { includeSubscribers: params.include_subscribers !== 'false', allowsNullSettings: true }
    const now = nowSeconds(clock)
    return {
      subscriptions: state
        .subscribedChannels(user.id)
        .map((channel) => viewSubscription(channel, state, now, options)),
    }
  },
})

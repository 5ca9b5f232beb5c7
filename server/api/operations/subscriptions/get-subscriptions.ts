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
      'Whether each channel lists its subscribers; `partial` lists some of the longer ones.',
    ),
  },
  reply: { subscriptions: { schema: arrayOf(SUBSCRIPTION), description: 'The subscriptions.' } },
  errors: [],
  events: [],
  run({ user, params, services: { state, clock } }) {
    const wanted = params.include_subscribers
    const includeSubscribers = wanted === 'partial' ? wanted : wanted === 'true'
    const options = { includeSubscribers, allowsNullSettings: true }
    const now = nowSeconds(clock)
    return {
      subscriptions: state
        .subscribedChannels(user.id)
        .map((channel) => viewSubscription(channel, user.id, state, now, options)),
    }
  },
})

/** `POST /users/me/subscriptions`: subscribes users to channels, and creates missing channels. */

import {
  sendNewChannelNotices,
  sendSubscriptionNotices,
} from '../../../changes/channels/subscription-notices.ts'
import {
  decideSubscribe,
  SUBSCRIBE_ERRORS,
  type SubscribeRequest,
} from '../../../decisions/channels/subscribe-users.ts'
import { arrayOf, BOOLEAN, STRING } from '../../../domain/json-schema.ts'
import { CHANNEL_HOLDERS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { boolean, defaulted, optional, required } from '../../params.ts'
import {
  CHANNEL_TEXT_ERRORS,
  countHolders,
  NEW_CHANNEL_PARAMS,
  readNewChannel,
} from '../channels/new-channel-params.ts'
import { LONG_REQUEST } from './long-request.ts'
import { principalsType } from './principal-params.ts'
import {
  readWantedChannels,
  SUBSCRIBED_REPLY,
  viewSubscribed,
  wantedChannelsType,
} from './wanted-channels.ts'

export const subscribe = change({
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribe to a channel',
  description:
    'Subscribes the caller or others to channels by name. A channel that does not exist is created with the ' +
    'given settings, which existing channels ignore. All of the changes apply, or none. ' +
    LONG_REQUEST,
  access: 'user',
  params: {
    subscriptions: required(wantedChannelsType, 'The channels.'),
    principals: optional(
      principalsType,
      'The users to subscribe, by ids or email addresses; by default the caller.',
    ),
    authorization_errors_fatal: defaulted(
      boolean(),
      true,
      'Whether the request fails if the caller may not join, create or add others to a channel; otherwise the reply lists it.' +
        'under `unauthorized`.',
    ),
    send_new_subscription_messages: defaulted(
      boolean(),
      true,
      'Whether users get a direct message when another user subscribes them; not for channels that this call creates.',
    ),
    ...NEW_CHANNEL_PARAMS,
  },
  reply: {
    ...SUBSCRIBED_REPLY,
    unauthorized: {
      schema: arrayOf(STRING),
      description: 'The channels that the caller may not join, create or add others to, if not fatal.',
      isOptional: true,
    },
    new_subscription_messages_sent: {
      schema: BOOLEAN,
      description:
        'If direct messages were requested: false if more than 100 users were newly subscribed, so that none were sent.',
      isOptional: true,
    },
  },
  errors: [...CHANNEL_TEXT_ERRORS, 'TOO_MANY_HOLDERS', ...SUBSCRIBE_ERRORS],
  events: ['stream/create', 'default_streams', 'subscription/add', 'subscription/peer_add', 'message'],
  async prepare(call): Promise<SubscribeRequest> {
    const { params, services, fail } = call
    if (params.subscriptions.length * countHolders(params) > CHANNEL_HOLDERS_PER_CALL_MAX)
      throw fail('TOO_MANY_HOLDERS', { countMax: CHANNEL_HOLDERS_PER_CALL_MAX })
    return {
      principals: params.principals,
      wanted: await readWantedChannels(call, params.subscriptions),
      newChannel: readNewChannel(params, services),
      isUnauthorizedFatal: params.authorization_errors_fatal,
    }
  },
  decide: decideSubscribe,
  rest: (earlier, request) =>
    earlier.rest.length > 0 ? { ...request, wanted: earlier.rest, earlier } : undefined,
  async answer(result, { user, params, services }) {
    await sendNewChannelNotices(services, user.id, result, params.announce)
    return {
      ...viewSubscribed(result),
      ...(params.authorization_errors_fatal ? {} : { unauthorized: result.unauthorized }),
      ...(params.send_new_subscription_messages
        ? { new_subscription_messages_sent: await sendSubscriptionNotices(services, user.id, result) }
        : {}),
    }
  },
})

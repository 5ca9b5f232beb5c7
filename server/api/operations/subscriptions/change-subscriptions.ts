/** `PATCH /users/me/subscriptions`: unsubscribes and subscribes the caller in one call. */

import { sendNewChannelNotices } from '../../../changes/channels/subscription-notices.ts'
import {
  decideSubscriptions,
  SUBSCRIPTIONS_ERRORS,
  type SubscriptionsRequest,
} from '../../../decisions/channels/change-subscriptions.ts'
import { arrayOf, STRING } from '../../../domain/json-schema.ts'
import { CHANNELS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { defaulted, list, text } from '../../params.ts'
import { CHANNEL_TEXT_ERRORS } from '../channels/new-channel-params.ts'
import { LONG_REQUEST } from './long-request.ts'
import {
  readWantedChannels,
  SUBSCRIBED_REPLY,
  viewSubscribed,
  wantedChannelsType,
} from './wanted-channels.ts'

export const changeSubscriptions = change({
  method: 'PATCH',
  path: '/users/me/subscriptions',
  summary: 'Update subscriptions',
  description:
    'Unsubscribes the caller from some channels and then subscribes them to others; channels that do not exist ' +
    'are created as public ones. All of the changes apply, or none. ' +
    LONG_REQUEST,
  access: 'user',
  params: {
    delete: defaulted(
      list(text(), { lengthMax: CHANNELS_PER_CALL_MAX }),
      [],
      'The names of the channels to leave.',
    ),
    add: defaulted(wantedChannelsType, [], 'The channels to join.'),
  },
  reply: {
    ...SUBSCRIBED_REPLY,
    removed: { schema: arrayOf(STRING), description: 'The channels that the caller left.' },
    not_removed: {
      schema: arrayOf(STRING),
      description: 'The channels to which the caller was not subscribed.',
    },
  },
  errors: [...CHANNEL_TEXT_ERRORS, 'SUBSCRIPTION_CHANGES_MISSING', ...SUBSCRIPTIONS_ERRORS],
  events: [
    'stream/create',
    'stream/delete',
    'subscription/add',
    'subscription/remove',
    'subscription/peer_add',
    'subscription/peer_remove',
    'message',
  ],
  async prepare(call): Promise<SubscriptionsRequest> {
    const { params, fail } = call
    if (params.delete.length === 0 && params.add.length === 0) throw fail('SUBSCRIPTION_CHANGES_MISSING')
    return { left: params.delete, wanted: await readWantedChannels(call, params.add) }
  },
  decide: decideSubscriptions,
  rest: (earlier) =>
    earlier.joined.rest.length > 0 ? { left: [], wanted: earlier.joined.rest, earlier } : undefined,
  async answer({ left, joined }, { user, services }) {
    await sendNewChannelNotices(services, user.id, joined, false)
    return { ...viewSubscribed(joined), removed: left.removed, not_removed: left.notRemoved }
  },
})

/** `POST /channels/create`: makes one channel, and subscribes users to it. */

import { checkMaker } from '../../../decisions/channels/new-channel.ts'
import { decideSubscribe } from '../../../decisions/channels/subscribe-users.ts'
import { checkChannelName } from '../../../decisions/channels/check-channel-name.ts'
import {
  CHANNEL_TEXT_ERRORS,
  descriptionParam,
  NEW_CHANNEL_ERRORS,
  NEW_CHANNEL_PARAMS,
  readDescription,
  readNewChannel,
} from './new-channel-params.ts'
import { tellOfNewChannels } from '../../../changes/channels/subscription-notices.ts'
import { fail as failAsAny } from '../../../errors/api-error.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, required, text } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { findActiveUsers } from '../../../decisions/users/find-active-users.ts'
import { userIdsType } from '../subscriptions/principal-params.ts'

export const createChannel = operation({
  method: 'POST',
  path: '/channels/create',
  summary: 'Create a channel',
  description:
    'Makes a channel. Unlike subscribing, it fails where there is one of that name already, and subscribes the ' +
    'caller only if they are named.',
  access: 'user',
  params: {
    name: required(text({ takesNull: true }), 'The name of the channel.'),
    description: descriptionParam,
    subscribers: required(userIdsType, 'The ids of those who are subscribed to it; there may be none.'),
    send_new_subscription_messages: defaulted(
      boolean(),
      true,
      'Taken as of subscribing; nobody is told by direct message of a channel that is new itself.',
    ),
    ...NEW_CHANNEL_PARAMS,
  },
  reply: { id: { schema: INTEGER, description: 'The id of the channel.' } },
  errors: [
    ...CHANNEL_TEXT_ERRORS,
    ...NEW_CHANNEL_ERRORS,
    'CHANNEL_EXISTS',
    'USER_UNKNOWN',
    'USER_DEACTIVATED',
  ],
  events: ['stream/create', 'default_streams', 'subscription/add', 'subscription/peer_add', 'message'],
  async run({ user, params, services, fail }) {
    const name = params.name.trim()
    checkChannelName(name, fail)
    const description = readDescription(params.description)
    const renderedDescription = await services.render(description, user.id)
    const newChannel = readNewChannel(params, services)
    const outcome = await services.committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        checkMaker(state, caller, newChannel, fail) // Before the name: that it is taken is told only to who may make it.
        if (state.findChannelByName(name)) throw fail('CHANNEL_EXISTS', { name })
        return decideSubscribe(state, {
          caller,
          principals: findActiveUsers(params.subscribers, caller, state, fail),
          isUnauthorizedFatal: true,
          wanted: [{ name, description, renderedDescription, color: undefined }],
          newChannel,
          fail: failAsAny, // What only several channels, or one that is there, could fail by does not happen.
        })
      },
    })
    await tellOfNewChannels(services, user.id, outcome, params.announce)
    const [made] = outcome.channels
    if (!made) throw new Error('a subscription to one new channel made none')
    return { id: made.channel.id }
  },
})

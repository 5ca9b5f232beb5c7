/** `POST /channels/create`: creates a channel and subscribes users to it. */

import { sendNewChannelNotices } from '../../../changes/channels/subscription-notices.ts'
import { checkChannelName } from '../../../decisions/channels/find-channel.ts'
import {
  checkCreation,
  CREATE_CHANNEL_ERRORS,
  decideNewChannel,
} from '../../../decisions/channels/create-channel.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { scopeOfCall } from '../../call-scope.ts'
import { change } from '../../change-operation.ts'
import { boolean, defaulted, required, text } from '../../params.ts'
import { userIdsType } from '../subscriptions/principal-params.ts'
import {
  CHANNEL_TEXT_ERRORS,
  descriptionParam,
  NEW_CHANNEL_PARAMS,
  readDescription,
  readNewChannel,
} from './new-channel-params.ts'

export const createChannel = change({
  method: 'POST',
  path: '/channels/create',
  summary: 'Create a channel',
  description:
    'Creates a channel. Unlike subscribing, it fails if a channel with that name exists, and subscribes the ' +
    'caller only if they are listed.',
  access: 'user',
  params: {
    name: required(text({ takesNull: true }), 'The name of the channel.'),
    description: descriptionParam,
    subscribers: required(userIdsType, 'The ids of the users to subscribe; may be empty.'),
    send_new_subscription_messages: defaulted(
      boolean(),
      true,
      'As in subscribing; nobody gets a direct message about a new channel.',
    ),
    ...NEW_CHANNEL_PARAMS,
  },
  reply: { id: { schema: INTEGER, description: 'The id of the channel.' } },
  errors: [...CHANNEL_TEXT_ERRORS, ...CREATE_CHANNEL_ERRORS],
  events: ['stream/create', 'default_streams', 'subscription/add', 'subscription/peer_add', 'message'],
  async prepare(call) {
    const { user, params, services, fail } = call
    const name = params.name.trim()
    checkChannelName({ fail }, name)
    const description = readDescription(params.description)
    const newChannel = readNewChannel(params, services)
    checkCreation(scopeOfCall(call), newChannel) // Before the rendering, and again by the decision.
    return {
      name,
      description,
      renderedDescription: await services.render(description, user.id),
      newChannel,
      subscribers: params.subscribers,
    }
  },
  decide: decideNewChannel,
  async answer(result, { user, params, services }) {
    await sendNewChannelNotices(services, user.id, result, params.announce)
    const [made] = result.channels
    if (!made) throw new Error('the decision on one new channel made none')
    return { id: made.channel.id }
  },
})

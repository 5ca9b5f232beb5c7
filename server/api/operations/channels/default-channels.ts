/** The channels to which new users are subscribed. */

import {
  ADD_DEFAULT_ERRORS,
  decideDefaultAddition,
  decideDefaultRemoval,
  REMOVE_DEFAULT_ERRORS,
} from '../../../decisions/channels/change-default-channels.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

/** `POST /default_streams`: makes a channel a default one. */
export const addDefaultChannel = change({
  method: 'POST',
  path: '/default_streams',
  summary: 'Add a default channel',
  description:
    'For administrators. New users who are not guests are subscribed to it; existing users are not.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The id of the channel.') },
  reply: {},
  errors: ADD_DEFAULT_ERRORS,
  events: ['default_streams'],
  prepare: ({ params }) => ({ channelId: params.stream_id }),
  decide: decideDefaultAddition,
})

/** `DELETE /default_streams`: makes a channel no default one. */
export const removeDefaultChannel = change({
  method: 'DELETE',
  path: '/default_streams',
  summary: 'Remove a default channel',
  description: 'For administrators. Its subscribers stay subscribed.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The id of the channel.') },
  reply: {},
  errors: REMOVE_DEFAULT_ERRORS,
  events: ['default_streams'],
  prepare: ({ params }) => ({ channelId: params.stream_id }),
  decide: decideDefaultRemoval,
})

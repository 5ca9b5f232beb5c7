/** `POST /default_streams`: makes a channel a default one. */

import {
  ADD_DEFAULT_ERRORS,
  decideDefaultAddition,
} from '../../../decisions/channels/change-default-channels.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

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

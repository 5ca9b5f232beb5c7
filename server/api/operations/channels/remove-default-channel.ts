/** `DELETE /default_streams`: makes a channel no default one. */

import {
  decideDefaultRemoval,
  REMOVE_DEFAULT_ERRORS,
} from '../../../decisions/channels/change-default-channels.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

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

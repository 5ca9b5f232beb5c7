/** `DELETE /streams/{stream_id}`: archives a channel. */

import { ARCHIVE_ERRORS, decideArchival } from '../../../decisions/channels/archive-channel.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const archiveChannel = change({
  method: 'DELETE',
  path: '/streams/{stream_id}',
  summary: 'Archive a channel',
  description:
    'For administrators of the channel or of the organization. The messages, subscribers and name stay. Nobody ' +
    'can send to an archived channel, and new users are not subscribed to it. An update with `is_archived` ' +
    'false restores it.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The channel.') },
  reply: {},
  errors: ARCHIVE_ERRORS,
  events: ['stream/update', 'stream/delete', 'default_streams'],
  prepare: ({ params }) => ({ channelId: params.stream_id }),
  decide: decideArchival,
})

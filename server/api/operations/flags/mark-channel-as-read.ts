/** `POST /mark_stream_as_read`: marks the messages of a channel as read. */

import type { ChannelId } from '../../../domain/ids.ts'
import { markChannelRead } from '../../../changes/flags/mark-channel-read.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

export const markChannelAsRead = operation({
  method: 'POST',
  path: '/mark_stream_as_read',
  summary: 'Mark messages in a channel as read',
  description: 'Marks the unread messages of a channel as read.',
  access: 'user',
  isDeprecated: true,
  params: { stream_id: required(id<ChannelId>(), 'The channel.') },
  reply: {},
  errors: ['CHANNEL_UNKNOWN'],
  events: ['update_message_flags'],
  async run({ params, user, services, fail }) {
    if (!services.state.findReadableChannel(user, params.stream_id)) throw fail('CHANNEL_UNKNOWN')
    await markChannelRead(services, user.id, params.stream_id)
    return {}
  },
})

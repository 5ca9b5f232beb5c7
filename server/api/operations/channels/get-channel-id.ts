/** `GET /get_stream_id`: the id of the channel with a name. */

import { canSeeChannel } from '../../../../packages/rules/channels.ts'
import { CHANNEL_NAME_LENGTH_MAX } from '../../../domain/limits.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'

export const getChannelId = operation({
  method: 'GET',
  path: '/get_stream_id',
  summary: 'Get the id of a channel',
  access: 'user',
  params: {
    stream: required(
      text({ lengthMax: CHANNEL_NAME_LENGTH_MAX, trim: true, takesNull: true }),
      'The name of the channel, in any case.',
    ),
  },
  reply: { stream_id: { schema: INTEGER, description: 'The id.' } },
  errors: ['CHANNEL_NAME_UNKNOWN'],
  events: [],
  run({ user, params: { stream: name }, services: { state }, fail }) {
    const channel = state.findChannelByName(name)
    if (!channel || !canSeeChannel(user, channel, state.rights)) throw fail('CHANNEL_NAME_UNKNOWN', { name })
    return { stream_id: channel.channel.id }
  },
})

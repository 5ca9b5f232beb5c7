/** `DELETE /streams/{stream_id}`: archives a channel. */

import type { NewEvent } from '../../../domain/events.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { changeDefaultChannels } from '../../../decisions/channels/change-default-channels.ts'
import { findAdministrableChannel } from '../../../decisions/channels/update-channel.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

export const archiveChannel = operation({
  method: 'DELETE',
  path: '/streams/{stream_id}',
  summary: 'Archive a channel',
  description:
    "For the channel's administrators and the organization's. Its messages, its subscribers and its name stay, " +
    'nothing can be sent to it any more, and new users are not subscribed to it. Updating it with `is_archived` ' +
    'false brings it back.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The channel.') },
  reply: {},
  errors: ['CHANNEL_UNKNOWN', 'CHANNEL_ADMINISTRATION_FORBIDDEN', 'CHANNEL_ARCHIVED_ALREADY'],
  events: ['stream/update', 'stream/delete', 'default_streams'],
  run: ({ user, params: { stream_id: channelId }, services, fail }) =>
    services.committer.submit({
      kind: 'structure',
      decide(state) {
        const channel = findAdministrableChannel(state, state.getUser(user.id), channelId, fail)
        const { name, isArchived } = channel.channel
        if (isArchived) throw fail('CHANNEL_ARCHIVED_ALREADY')
        const audience = { kind: 'users', users: state.observersOf(channel) } as const
        const archived: NewEvent = {
          event: {
            type: 'stream/update',
            channelId,
            name,
            change: { kind: 'archived', isArchived: true },
            clients: 'with_archived_channels',
          },
          audience,
        }
        const gone: NewEvent = {
          event: { type: 'stream/delete', channelIds: [channelId], clients: 'without_archived_channels' },
          audience,
        }
        // Before the channel goes, so that no client finds one among the default channels that it does not know.
        const defaults = changeDefaultChannels(state, [channelId], false)
        return { events: [...defaults, archived, gone], reply: () => ({}) }
      },
    }),
})

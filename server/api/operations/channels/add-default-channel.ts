/** `POST /default_streams`: makes a channel one that new people are subscribed to. */

import type { ChannelId } from '../../../domain/ids.ts'
import { changeDefaultChannels } from '../../../decisions/channels/change-default-channels.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const addDefaultChannel = operation({
  method: 'POST',
  path: '/default_streams',
  summary: 'Add a default channel',
  description:
    'For administrators. New people who are not guests are subscribed to it; present ones stay as they are.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The id of the channel.') },
  reply: {},
  errors: ['ROLE_REQUIRED', 'CHANNEL_UNKNOWN', 'PRIVATE_CHANNEL_DEFAULT'],
  events: ['default_streams'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        requireAdministrator(caller, fail)
        const access = state.findVisibleChannel(caller, params.stream_id)
        if (!access || access.channel.isArchived) throw fail('CHANNEL_UNKNOWN')
        if (access.channel.isPrivate) throw fail('PRIVATE_CHANNEL_DEFAULT')
        const events = changeDefaultChannels(state, [access.channel.id], true)
        return { events, reply: () => ({}) }
      },
    }),
})

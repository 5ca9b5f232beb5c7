/** `DELETE /default_streams`: makes a channel one that new people are not subscribed to any more. */

import type { ChannelId } from '../../../domain/ids.ts'
import { changeDefaultChannels } from '../../../decisions/channels/change-default-channels.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const removeDefaultChannel = operation({
  method: 'DELETE',
  path: '/default_streams',
  summary: 'Remove a default channel',
  description: 'For administrators. Who is subscribed to it stays so.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The id of the channel.') },
  reply: {},
  errors: ['ROLE_REQUIRED', 'CHANNEL_UNKNOWN'],
  events: ['default_streams'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        requireAdministrator(caller, fail)
        const access = state.findVisibleChannel(caller, params.stream_id)
        if (!access) throw fail('CHANNEL_UNKNOWN')
        const events = changeDefaultChannels(state, [access.channel.id], false)
        return { events, reply: () => ({}) }
      },
    }),
})

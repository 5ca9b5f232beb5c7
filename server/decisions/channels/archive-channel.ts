/** Archiving a channel. */

import type { NewEvent } from '../../domain/events.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { changeDefaultChannels } from './change-default-channels.ts'
import { ADMINISTRATION_ERRORS, findAdministrableChannel } from './find-channel.ts'

/** How archiving a channel can fail. */
export const ARCHIVE_ERRORS = [...ADMINISTRATION_ERRORS, 'CHANNEL_ARCHIVED_ALREADY'] as const

/** Archives a channel. */
export function decideArchival(
  scope: Scope<(typeof ARCHIVE_ERRORS)[number]>,
  { channelId }: { readonly channelId: ChannelId },
): Decision<void> {
  const channel = findAdministrableChannel(scope, channelId)
  const { name, isArchived } = channel.channel
  if (isArchived) throw scope.fail('CHANNEL_ARCHIVED_ALREADY')
  const audience = { kind: 'users', users: scope.state.observersOf(channel) } as const
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
  const defaults = changeDefaultChannels(scope, [channelId], false)
  return done([...defaults, archived, gone])
}

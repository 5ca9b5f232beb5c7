/** Archiving a channel. */

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
  const { name, isArchived } = findAdministrableChannel(scope, channelId).channel
  if (isArchived) throw scope.fail('CHANNEL_ARCHIVED_ALREADY')
  // Default channels change first, so that no client has a default channel that it does not know.
  const defaults = changeDefaultChannels(scope, [channelId], false)
  return done([
    ...defaults,
    { type: 'stream/update', channelId, name, change: { kind: 'archived', isArchived: true } },
  ])
}

/** Gives a message the HTML with previews of its links. */

import type { FlagHolders } from '../../../db/unread/flag-holders.ts'
import type { SingleMessage } from '../../../db/messages/single-message.ts'
import type { MessageRendered } from '../../domain/events/messages.ts'
import type { PictureId } from '../../domain/files/pictures.ts'
import type { UserId } from '../../domain/ids.ts'
import { Secret } from '../../domain/secret.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { encodeHolders } from './encode-holders.ts'
import { listenersOf } from './message-access.ts'

/** A message, and its HTML with previews. */
export interface PreviewsToAttach {
  readonly found: SingleMessage
  readonly rendered: string
  readonly pictureIds: readonly PictureId[]
  /** The row of the message that waited. */
  readonly waitingId: string
  readonly holders: FlagHolders
  /** The recipients of the message, if the channel's history is not shared. */
  readonly receiverIds: readonly UserId[] | undefined
}

/** The event for all who get changes of the message; none in an archived channel, where nothing changes. */
export function decidePreviews(
  scope: ServerScope,
  { found, rendered, pictureIds, waitingId, holders, receiverIds }: PreviewsToAttach,
): Decision<void> {
  const { state, now } = scope
  const { id, destination, content, rendered: previousRendered, mentions, isForAll } = found.message
  const place = destination.kind === 'direct' ? undefined : state.getChannel(destination.channelId).channel
  if (place?.isArchived) return done([])
  const event: MessageRendered = {
    type: 'update_message/rendering',
    messageId: id,
    channelId: place?.id ?? null,
    channelName: place?.name ?? null,
    renderedAt: now,
    content,
    previousRendered,
    rendered,
    pictureIds,
    waitingId: new Secret(waitingId),
    holders: encodeHolders(holders),
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(isForAll ? { isForAll } : {}),
  }
  const users = listenersOf(scope, found, receiverIds).intersection(state.rights.activeUsers)
  return done([{ event, audience: { kind: 'users', users } }])
}

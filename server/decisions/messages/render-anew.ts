/** Gives a message other HTML after its own: previews of its links, or who is in its call. */

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

/** A message, and its new HTML. */
export interface NewRendering {
  readonly found: SingleMessage
  readonly rendered: string
  readonly pictureIds: readonly PictureId[]
  /** The row of the message that waited for previews, or the row of its call. */
  readonly row: { readonly waitingId: string } | { readonly callId: string }
  readonly holders: FlagHolders
  /** The recipients of the message, if the channel's history is not shared. */
  readonly receiverIds: readonly UserId[] | undefined
}

/** The event for all who get changes of the message; none in an archived channel, where nothing changes. */
export function decideRendering(
  scope: ServerScope,
  { found, rendered, pictureIds, row, holders, receiverIds }: NewRendering,
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
    ...('callId' in row ? { callId: new Secret(row.callId) } : { waitingId: new Secret(row.waitingId) }),
    holders: encodeHolders(holders),
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(isForAll ? { isForAll } : {}),
  }
  const users = listenersOf(scope, found, receiverIds).intersection(state.rights.activeUsers)
  return done([{ event, audience: { kind: 'users', users } }])
}

/** Previews that an edited message shows at once, since they are known; the others follow. */

import { findPreviews, inOrder } from '../../../db/messages/link-previews.ts'
import type { ComposedMessage } from '../../decisions/messages/composed-message.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { addPreviews, type LinkPreview, picturesOf } from '../../domain/messages/link-previews.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Sending } from '../sending.ts'

/** The edited message with the previews that are known. A sent one has none, so that sending waits for no query. */
export async function withKnownPreviews(
  composed: ComposedMessage,
  { sql, state, channelId }: Pick<Sending, 'sql' | 'state'> & { readonly channelId: ChannelId | null },
): Promise<ComposedMessage> {
  const { links: waiting, ...message } = composed
  if (!waiting) return composed
  const known = await findPreviews(sql, waiting.urls)
  const shown = inOrder(waiting.urls, known).filter(({ preview }) => isShown(preview, state, channelId))
  const isWaiting = waiting.urls.some((url) => !known.has(url))
  return {
    ...message,
    rendered: addPreviews(message.rendered, shown),
    ...(isWaiting ? { links: waiting } : {}),
    ...(shown.length > 0 ? { pictureIds: picturesOf(shown) } : {}),
  }
}

/** Whether messages of a channel show previews of this kind; null for direct messages. */
export const isShown = (
  { kind }: LinkPreview,
  state: OrganizationState,
  channelId: ChannelId | null,
): boolean => showsPreviews(state, channelId) && (kind !== 'picture' || state.settings.inlineImagePreview)

/** Whether messages of a channel show previews of links at all; null for direct messages. */
export function showsPreviews(state: OrganizationState, channelId: ChannelId | null): boolean {
  if (!state.settings.inlineUrlEmbedPreview) return false
  return channelId === null || state.channels.get(channelId)?.channel.hasLinkPreviews !== false
}

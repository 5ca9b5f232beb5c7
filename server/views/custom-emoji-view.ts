/** The organization's own emoji as clients see them. */

import type { CustomEmoji } from '../domain/custom-emoji.ts'
import { emojiPath, stillEmojiPath } from '../domain/pictures.ts'

/** All of them by their ids, which are texts on the wire. */
export function viewCustomEmoji(emoji: readonly CustomEmoji[]): Record<string, unknown> {
  const viewed = emoji.map(({ id, name, authorId, pictureId, isAnimated, isDeactivated }) => [
    String(id),
    {
      id: String(id),
      name,
      source_url: emojiPath(pictureId, isAnimated),
      still_url: isAnimated ? stillEmojiPath(pictureId) : null,
      deactivated: isDeactivated,
      author_id: authorId,
    },
  ])
  return Object.fromEntries(viewed) as Record<string, unknown>
}

/** The organization's own emoji as clients see them. */

import type { CustomEmoji } from '../domain/custom-emoji.ts'
import { emojiPath, stillEmojiPath } from '../domain/pictures.ts'

/** All of them by their ids, which are texts on the wire. */
export function viewCustomEmoji(emoji: readonly CustomEmoji[]): Record<string, unknown> {
  return Object.fromEntries(emoji.map((one) => [String(one.id), viewOne(one)]))
}

/** What happened to one of them: it is new, or it was deactivated, which is all that may change. */
export function viewCustomEmojiChange(emoji: CustomEmoji) {
  const { id, isDeactivated } = emoji
  return isDeactivated
    ? { op: 'update_one', emoji_id: String(id), data: { deactivated: true } }
    : { op: 'add', emoji: viewOne(emoji) }
}

function viewOne({ id, name, authorId, pictureId, isAnimated, isDeactivated }: CustomEmoji) {
  return {
    id: String(id),
    name,
    source_url: emojiPath(pictureId, isAnimated),
    still_url: isAnimated ? stillEmojiPath(pictureId) : null,
    deactivated: isDeactivated,
    author_id: authorId,
  }
}

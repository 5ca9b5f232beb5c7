/** The organization's own emoji for clients. */

import type { CustomEmoji } from '../domain/organization/custom-emoji.ts'
import { emojiPath, stillEmojiPath } from '../domain/files/pictures.ts'
import { BOOLEAN, INTEGER, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** A custom emoji. */
export const CUSTOM_EMOJI = record({
  id: STRING,
  name: STRING,
  source_url: STRING,
  still_url: orNull(STRING),
  deactivated: BOOLEAN,
  author_id: orNull(INTEGER),
})

/** All custom emoji by id; ids are strings on the wire. */
export function viewCustomEmoji(
  emoji: readonly CustomEmoji[],
): Readonly<Record<string, ValueOf<typeof CUSTOM_EMOJI>>> {
  return Object.fromEntries(emoji.map((one) => [String(one.id), viewOne(one)]))
}

/** A changed emoji: it is new or deactivated, since nothing else can change. */
export function viewCustomEmojiChange(emoji: CustomEmoji) {
  const { id, isDeactivated } = emoji
  return isDeactivated
    ? ({ op: 'update_one', emoji_id: String(id), data: { deactivated: true } } as const)
    : ({ op: 'add', emoji: viewOne(emoji) } as const)
}

function viewOne({
  id,
  name,
  authorId,
  pictureId,
  isAnimated,
  isDeactivated,
}: CustomEmoji): ValueOf<typeof CUSTOM_EMOJI> {
  return {
    id: String(id),
    name,
    source_url: emojiPath(pictureId, isAnimated),
    still_url: isAnimated ? stillEmojiPath(pictureId) : null,
    deactivated: isDeactivated,
    author_id: authorId,
  }
}

/** The organization's own emoji. */

import type { EmojiId, UserId } from './ids.ts'
import type { PictureId } from './pictures.ts'

/** One of them; it stays when it is deactivated, for the messages that show it. */
export interface CustomEmoji {
  readonly id: EmojiId
  /** Of those that are not deactivated no two share one. */
  readonly name: string
  readonly authorId: UserId
  readonly pictureId: PictureId
  /** Whether it moves; then there is a picture of it that does not, too. */
  readonly isAnimated: boolean
  readonly isDeactivated: boolean
}

/** The one that a name means now. */
export function findCustomEmoji(emoji: readonly CustomEmoji[], name: string): CustomEmoji | undefined {
  return emoji.find((one) => one.name === name && !one.isDeactivated)
}

/** A name as it is kept: words are joined. */
export function normalizeEmojiName(name: string): string {
  return name.trim().replaceAll(' ', '_')
}

/** What is wrong with a name for an emoji, if something is. */
export function findEmojiNameFault(name: string): 'empty' | 'character' | 'end' | undefined {
  if (name === '') return 'empty'
  if (!/^[0-9a-z._-]+$/.test(name)) return 'character'
  return /[0-9a-z]$/.test(name) ? undefined : 'end'
}

/** The organization's own emoji. */

import type { EmojiId, UserId } from '../ids.ts'
import type { PictureId } from '../files/pictures.ts'

/** A custom emoji; it stays after it is deactivated, for the messages that show it. */
export interface CustomEmoji {
  readonly id: EmojiId
  /** Unique among active emoji. */
  readonly name: string
  readonly authorId: UserId
  readonly pictureId: PictureId
  /** Whether it is animated; then it also has a still picture. */
  readonly isAnimated: boolean
  readonly isDeactivated: boolean
}

/** The active emoji with a name. */
export function findCustomEmoji(emoji: readonly CustomEmoji[], name: string): CustomEmoji | undefined {
  return emoji.find((one) => one.name === name && !one.isDeactivated)
}

/** The stored form of a name: words are joined. */
export function normalizeEmojiName(name: string): string {
  return name.trim().replaceAll(' ', '_')
}

/** Why an emoji name is invalid, or undefined. */
export function findEmojiNameFault(name: string): 'empty' | 'character' | 'end' | undefined {
  if (name === '') return 'empty'
  if (!/^[0-9a-z._-]+$/.test(name)) return 'character'
  return /[0-9a-z]$/.test(name) ? undefined : 'end'
}

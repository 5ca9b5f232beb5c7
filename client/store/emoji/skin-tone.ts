/** Skin tones of emoji. Names have none, so an emoji with a tone is written as its characters. */

import { charactersOf, type Emoji } from './emoji.ts'

/** The codes of tones; the first leaves emoji as they are. */
export const SKIN_TONES = ['', '1f3fb', '1f3fc', '1f3fd', '1f3fe', '1f3ff'] as const

export type SkinTone = (typeof SKIN_TONES)[number]

export function readSkinTone(stored: unknown): SkinTone | undefined {
  return SKIN_TONES.find((tone) => tone === stored)
}

/** The emoji in a tone; the same one if it has no skin, or several people whose tones would have to be chosen apart. */
export function inSkinTone(emoji: Emoji, tone: SkinTone): Emoji {
  if (tone === '' || emoji.type !== 'unicode_emoji') return emoji
  const parts = emoji.code.split('-')
  const bases = parts.filter(hasTones)
  if (bases.length !== 1) return emoji
  const code = parts.flatMap((part) => (hasTones(part) ? [part, tone] : [part])).join('-')
  return { ...emoji, code }
}

/** An emoji as it is written in a message. */
export function emojiText(emoji: Emoji): string {
  const isToned = emoji.type === 'unicode_emoji' && emoji.code.split('-').some(isTone)
  return isToned ? charactersOf(emoji.code) : `:${emoji.names[0]}:`
}

/** Unicode says that its people have tones, and recommends none of them. */
const FAMILY = '1f46a'

function hasTones(part: string): boolean {
  return part !== FAMILY && /^\p{Emoji_Modifier_Base}$/u.test(charactersOf(part).replace('\ufe0f', ''))
}

function isTone(part: string): boolean {
  return SKIN_TONES.some((tone) => tone === part)
}

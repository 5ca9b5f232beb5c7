/** Emoji whose names fit a search, the best first. */

import type { Emoji } from './emoji.ts'

/** The emoji that fit, at most `countMax`; equally good ones stay in their order. */
export function searchEmoji(emoji: readonly Emoji[], written: string, countMax: number): readonly Emoji[] {
  const words = written.trim().toLowerCase().replaceAll(' ', '_')
  if (words === '') return []
  return emoji
    .map((one) => ({ one, rank: Math.min(...one.names.map((name) => rankOf(name, words))) }))
    .filter(({ rank }) => rank < NO_FIT)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, countMax)
    .map(({ one }) => one)
}

const NO_FIT = 4

/** 0 is the name itself, then its start, the start of a word in it, and any part. */
function rankOf(name: string, words: string): number {
  const lower = name.toLowerCase()
  if (lower === words) return 0
  if (lower.startsWith(words)) return 1
  if (lower.includes(`_${words}`)) return 2
  return lower.includes(words) ? 3 : NO_FIT
}

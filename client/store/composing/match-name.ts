/** How well a name fits the start of a word. */

import { foldBases } from '../search/fold-letter.ts'

const NO_FIT = 3

/** 0 if the name begins with the query, 1 if a word in it does, 2 if it is inside, undefined if it does not fit. */
export function matchName(name: string, query: string): number | undefined {
  const lower = fold(name)
  const words = fold(query)
  const rank = rankOf(lower, words)
  return rank === NO_FIT ? undefined : rank
}

function rankOf(name: string, words: string): number {
  if (name.startsWith(words)) return 0
  if (name.includes(` ${words}`) || name.includes(`-${words}`) || name.includes(`_${words}`)) return 1
  return words.length > 1 && name.includes(words) ? 2 : NO_FIT
}

function fold(text: string): string {
  return foldBases(text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase())
}

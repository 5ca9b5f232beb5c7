/** Finds variables of the environment whose names are close to that of a setting. */

import { type SettingName, SETTINGS } from './settings.ts'

const NAMES = Object.keys(SETTINGS) as SettingName[]
const KNOWN: ReadonlySet<string> = new Set(NAMES)
/** Shorter names are close to common ones: HOME is two letters from HOST. */
const LENGTH_MIN = 8
/** Letters that are wrong, missing, added or swapped, by the minimum length of the name. */
const SLIPS_MAX = 1
const LONG_LENGTH_MIN = 10
const LONG_SLIPS_MAX = 2

/** A variable in the environment whose name is close to an unset setting. */
export interface Misspelling {
  readonly name: string
  readonly meant: SettingName
}

/** Finds misspelt settings, each with the closest name. */
export function findMisspellings(env: Readonly<Record<string, string | undefined>>): Misspelling[] {
  const unset = NAMES.filter((name) => name.length >= LENGTH_MIN && env[name] === undefined)
  return Object.keys(env).flatMap((name) => {
    if (KNOWN.has(name)) return []
    const [nearest] = unset
      .map((meant) => ({ meant, slips: countSlips(name.toUpperCase(), meant) }))
      .filter(({ meant, slips }) => slips <= (meant.length >= LONG_LENGTH_MIN ? LONG_SLIPS_MAX : SLIPS_MAX))
      .sort((a, b) => a.slips - b.slips)
    return nearest ? [{ name, meant: nearest.meant }] : []
  })
}

/** The number of slips between two words; swapped letters count as one. Stops counting at distant words. */
function countSlips(word: string, other: string): number {
  if (Math.abs(word.length - other.length) > LONG_SLIPS_MAX) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= word.length; row++) {
    const now = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = word[row - 1] === other[column - 1]
      const isSwapped = word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1]
      now[column] = Math.min(
        (last[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = now
  }
  return last[other.length] ?? 0
}

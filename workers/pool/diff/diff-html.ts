/** Computes the difference between two versions of a message, as HTML. */

import { matchTokens } from './match-tokens.ts'
import { mergeVersions } from './merge-versions.ts'
import { readTokens } from './read-tokens.ts'
import { writeResult } from './write-result.ts'

/** Comparisons of two words: some milliseconds. The rest of versions that need more counts as different. */
const STEPS_MAX = 3_000_000

/**
 * The later version, with inserted and deleted words in spans, inserted ones first. Words are compared, not tags: a
 * change of format alone is no difference. Both versions must be HTML from the renderer; the result has no tags besides
 * theirs and the marks.
 *
 * The bytes equal those of the reference (lxml's HTML diff, parsed again and serialized), even where it joins words,
 * adds spaces or moves words out of a cell; `test/diff/reference-diffs.tsv` holds the cases. Intended differences:
 * - A formula is compared as a whole. The reference compares the letters within, and its output is not a formula.
 * - The address of a link is escaped text. The reference parses it as HTML.
 * - The comparison is bounded; what is beyond the bound counts as different.
 */
export function diffHtml(previousHtml: string, html: string, stepsMax: number = STEPS_MAX): string {
  const old = readTokens(previousHtml)
  const now = readTokens(html)
  const matches = matchTokens(
    old.map(({ key }) => key),
    now.map(({ key }) => key),
    stepsMax,
  )
  return writeResult(mergeVersions(old, now, matches))
}

/** The same without a comparison: all of the later version, then all of the earlier one. */
export function diffWhole(previousHtml: string, html: string): string {
  return diffHtml(previousHtml, html, 0)
}

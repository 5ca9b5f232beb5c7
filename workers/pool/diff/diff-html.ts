/** What changed from one version of a message to the next, as HTML. */

import { matchTokens } from './match-tokens.ts'
import { mergeVersions } from './merge-versions.ts'
import { readTokens } from './read-tokens.ts'
import { writeResult } from './write-result.ts'

/** Comparisons of two words: some milliseconds of them. Versions that need more count as different from there on. */
const STEPS_MAX = 3_000_000

/**
 * The later version with its new words and those that are gone in spans of their own, new ones first. Words are
 * compared, not tags: what only looks otherwise counts as the same. Both must be HTML as the renderer writes it;
 * the result has no tag that neither of them has, but for the marks.
 *
 * The bytes are those of the reference (lxml's HTML diff, read again and serialised), also where it joins words, adds
 * spaces or moves words out of a cell; `test/diff/reference-diffs.tsv` holds it. Different on purpose:
 * - A formula is compared as a whole. The reference compares the letters within, and what it writes is no formula.
 * - The address of a link is told as text that is escaped. The reference reads it as HTML.
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

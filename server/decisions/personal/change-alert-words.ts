/** Changes of the caller's alert words. */

import { countTokens, wordKey } from '../../domain/personal/alert-words.ts'
import { ALERT_WORD_TOKENS_MAX, ALERT_WORDS_MAX } from '../../domain/limits.ts'
import { answering, type Decision } from '../decision.ts'
import { ownFact } from '../own.ts'
import type { Scope } from '../scope.ts'

/** Words, as the request has them; empty ones do not count. */
export interface AlertWordsRequest {
  readonly words: readonly string[]
}

/** How words can be invalid. */
export const ALERT_WORD_ERRORS = ['TOO_MANY_ALERT_WORDS', 'ALERT_PHRASE_TOO_LONG'] as const

/** Adds words; answers all words after the change. */
export function decideNewAlertWords(
  scope: Scope<(typeof ALERT_WORD_ERRORS)[number]>,
  { words }: AlertWordsRequest,
): Decision<readonly string[]> {
  const { state, caller, fail } = scope
  const given = new Map(words.map((word) => [wordKey(word), word]))
  given.delete('')
  for (const word of given.values()) {
    if (countTokens(word) > ALERT_WORD_TOKENS_MAX)
      throw fail('ALERT_PHRASE_TOO_LONG', { countMax: ALERT_WORD_TOKENS_MAX })
  }
  const before = state.alertIndex.wordsOf(caller.id)
  const known = new Set(before.map(wordKey))
  const added = [...given].filter(([key]) => !known.has(key)).map(([, word]) => word)
  if (before.length + added.length > ALERT_WORDS_MAX)
    throw fail('TOO_MANY_ALERT_WORDS', { countMax: ALERT_WORDS_MAX })
  return replaceWords(scope, before, [...before, ...added])
}

/** Removes words that the caller has; answers the words that are left. */
export function decideAlertWordRemoval(
  scope: Scope,
  { words }: AlertWordsRequest,
): Decision<readonly string[]> {
  const removed = new Set(words.map(wordKey))
  const before = scope.state.alertIndex.wordsOf(scope.caller.id)
  const left = before.filter((word) => !removed.has(wordKey(word)))
  return replaceWords(scope, before, left)
}

/** A change only adds words or only removes them, so equal counts mean equal words. */
function replaceWords(
  scope: Scope,
  before: readonly string[],
  words: readonly string[],
): Decision<readonly string[]> {
  if (words.length === before.length) return answering(before, [])
  return answering(words, [ownFact(scope, { type: 'alert_words', words })])
}

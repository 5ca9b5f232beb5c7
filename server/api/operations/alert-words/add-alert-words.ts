/** `POST /users/me/alert_words`: adds words of which the caller is alerted. */

import { countTokens, wordKey } from '../../../domain/alert-words.ts'
import { ALERT_WORD_TOKENS_MAX, ALERT_WORDS_MAX } from '../../../domain/limits.ts'
import { changeAlertWords } from '../../changes/change-alert-words.ts'
import { operation } from '../../operation.ts'
import { ALERT_WORDS_PARAMS, ALERT_WORDS_REPLY } from './alert-word-params.ts'

export const addAlertWords = operation({
  method: 'POST',
  path: '/users/me/alert_words',
  summary: 'Add alert words',
  description:
    'Messages that are sent or edited from now on, and whose text has one of the words as a whole, are flagged ' +
    '`has_alert_word`.',
  access: 'user',
  params: ALERT_WORDS_PARAMS,
  reply: ALERT_WORDS_REPLY,
  errors: ['TOO_MANY_ALERT_WORDS', 'ALERT_PHRASE_TOO_LONG'],
  events: ['alert_words'],
  async run({ params, user, services, fail }) {
    const given = new Map(params.alert_words.map((word) => [wordKey(word), word]))
    given.delete('')
    for (const word of given.values()) {
      if (countTokens(word) > ALERT_WORD_TOKENS_MAX)
        throw fail('ALERT_PHRASE_TOO_LONG', { countMax: ALERT_WORD_TOKENS_MAX })
    }
    const add = (before: readonly string[]) => {
      const known = new Set(before.map(wordKey))
      const added = [...given].filter(([key]) => !known.has(key)).map(([, word]) => word)
      if (before.length + added.length > ALERT_WORDS_MAX)
        throw fail('TOO_MANY_ALERT_WORDS', { countMax: ALERT_WORDS_MAX })
      return [...before, ...added]
    }
    return { alert_words: await changeAlertWords(add, user, services) }
  },
})

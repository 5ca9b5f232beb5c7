/** `DELETE /users/me/alert_words`: removes words of which the caller is alerted. */

import { wordKey } from '../../../domain/alert-words.ts'
import { changeAlertWords } from '../../changes/change-alert-words.ts'
import { operation } from '../../operation.ts'
import { ALERT_WORDS_PARAMS, ALERT_WORDS_REPLY } from './alert-word-params.ts'

export const removeAlertWords = operation({
  method: 'DELETE',
  path: '/users/me/alert_words',
  summary: 'Remove alert words',
  description: 'Words that are not there are passed over. Messages that were flagged for a word stay so.',
  access: 'user',
  params: ALERT_WORDS_PARAMS,
  reply: ALERT_WORDS_REPLY,
  errors: [],
  events: ['alert_words'],
  async run({ params, user, services }) {
    const removed = new Set(params.alert_words.map(wordKey))
    const remove = (before: readonly string[]) => before.filter((word) => !removed.has(wordKey(word)))
    return { alert_words: await changeAlertWords(remove, user, services) }
  },
})

/** `DELETE /users/me/alert_words`: removes the caller's alert words. */

import { decideAlertWordRemoval } from '../../../decisions/personal/change-alert-words.ts'
import { change } from '../../change-operation.ts'
import { ALERT_WORDS_PARAMS, ALERT_WORDS_REPLY } from './alert-word-params.ts'

export const removeAlertWords = change({
  method: 'DELETE',
  path: '/users/me/alert_words',
  summary: 'Remove alert words',
  description: 'Unknown words are ignored. Messages that have the flag for a word keep it.',
  access: 'user',
  params: ALERT_WORDS_PARAMS,
  reply: ALERT_WORDS_REPLY,
  errors: [],
  events: ['alert_words'],
  prepare: ({ params }) => ({ words: params.alert_words }),
  decide: decideAlertWordRemoval,
  answer: (words) => ({ alert_words: words }),
})

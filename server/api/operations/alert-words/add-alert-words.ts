/** `POST /users/me/alert_words`: adds the caller's alert words. */

import { ALERT_WORD_ERRORS, decideNewAlertWords } from '../../../decisions/personal/change-alert-words.ts'
import { change } from '../../change-operation.ts'
import { ALERT_WORDS_PARAMS, ALERT_WORDS_REPLY } from './alert-word-params.ts'

export const addAlertWords = change({
  method: 'POST',
  path: '/users/me/alert_words',
  summary: 'Add alert words',
  description:
    'Messages that are sent or edited from now on get the flag `has_alert_word` if their text has one of the words ' +
    'as a whole word.',
  access: 'user',
  params: ALERT_WORDS_PARAMS,
  reply: ALERT_WORDS_REPLY,
  errors: ALERT_WORD_ERRORS,
  events: ['alert_words'],
  prepare: ({ params }) => ({ words: params.alert_words }),
  decide: decideNewAlertWords,
  answer: (words) => ({ alert_words: words }),
})

/** Alert words. */

import { ALERT_WORD_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { ALERT_WORDS_MAX } from '../../domain/limits.ts'
import { list, required, text } from '../params.ts'
import { arrayOf, STRING } from '../../domain/json-schema.ts'
import { operation } from '../operation.ts'
import {
  ALERT_WORD_ERRORS,
  decideAlertWordRemoval,
  decideNewAlertWords,
} from '../../decisions/personal/change-alert-words.ts'
import { change } from '../change-operation.ts'

/** The parameters of both changes; empty words are ignored. */
const ALERT_WORDS_PARAMS = {
  alert_words: required(
    list(text({ lengthMax: ALERT_WORD_LENGTH_MAX, trim: true }), { lengthMax: ALERT_WORDS_MAX }),
    'Words, or phrases of several; case does not matter.',
  ),
}

/** The reply of both. */
const ALERT_WORDS_REPLY = {
  alert_words: { schema: arrayOf(STRING), description: 'All alert words of the user.' },
}

/** `GET /users/me/alert_words`: the caller's alert words. */
export const getAlertWords = operation({
  method: 'GET',
  path: '/users/me/alert_words',
  summary: 'Get alert words',
  access: 'user',
  params: {},
  reply: ALERT_WORDS_REPLY,
  errors: [],
  events: [],
  run: ({ user, services: { state } }) => ({ alert_words: state.alertIndex.wordsOf(user.id) }),
})

/** `POST /users/me/alert_words`: adds the caller's alert words. */
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

/** `DELETE /users/me/alert_words`: removes the caller's alert words. */
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

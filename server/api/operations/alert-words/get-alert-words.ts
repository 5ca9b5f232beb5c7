/** `GET /users/me/alert_words`: the caller's alert words. */

import { operation } from '../../operation.ts'
import { ALERT_WORDS_REPLY } from './alert-word-params.ts'

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

/** The parameters and reply of alert words. */

import { ALERT_WORD_LENGTH_MAX, ALERT_WORDS_MAX } from '../../../domain/limits.ts'
import { list, required, text } from '../../params.ts'
import { arrayOf, STRING } from '../../../domain/json-schema.ts'

/** The parameters of both changes; empty words are ignored. */
export const ALERT_WORDS_PARAMS = {
  alert_words: required(
    list(text({ lengthMax: ALERT_WORD_LENGTH_MAX, trim: true }), { lengthMax: ALERT_WORDS_MAX }),
    'Words, or phrases of several; case does not matter.',
  ),
}

/** The reply of both. */
export const ALERT_WORDS_REPLY = {
  alert_words: { schema: arrayOf(STRING), description: 'All alert words of the user.' },
}

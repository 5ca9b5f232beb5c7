/** The parameters of snippets. */

import { MESSAGE_LENGTH_MAX, SNIPPET_TITLE_LENGTH_MAX } from '../../../domain/limits.ts'
import { text } from '../../params.ts'

/** The title of a snippet. */
export const titleType = text({ lengthMax: SNIPPET_TITLE_LENGTH_MAX, trim: true, blank: false })
/** The text, which will be part of a message. */
export const contentType = text({ lengthMax: MESSAGE_LENGTH_MAX, trim: true, blank: false })

/** Snippets as clients send them. */

import { MESSAGE_LENGTH_MAX, SNIPPET_TITLE_LENGTH_MAX } from '../../../domain/limits.ts'
import { text } from '../../params.ts'

/** The title of a snippet. */
export const titleType = text({ lengthMax: SNIPPET_TITLE_LENGTH_MAX, trim: true, blank: false })
/** The text itself: it is to become part of a message. */
export const contentType = text({ lengthMax: MESSAGE_LENGTH_MAX, trim: true, blank: false })

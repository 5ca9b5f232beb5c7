/** The parameter of users' names. */

import { text } from '../../params.ts'

/** Characters that are read before the name's own limit: longer text gets the error of any text. */
const TEXT_LENGTH_MAX = 10_000

/** The description of names. */
export const FULL_NAME_MEANING = 'The name, of 2 to 100 characters.'
/** A name before validation; `checkFullName` validates it. */
export const fullNameType = text({ lengthMax: TEXT_LENGTH_MAX, trim: true, takesNull: true })

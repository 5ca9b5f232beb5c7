/** Names of people and bots, as a parameter. */

import { text } from '../../params.ts'

/** Characters that are looked at before the name's own limit: what is longer is refused as any text. */
const TEXT_LENGTH_MAX = 10_000

/** What the reference says of it. */
export const FULL_NAME_MEANING = 'The name, of 2 to 100 characters.'
/** A name as it comes; `checkFullName` says whether it may be one. */
export const fullNameType = text({ lengthMax: TEXT_LENGTH_MAX, trim: true, takesNull: true })

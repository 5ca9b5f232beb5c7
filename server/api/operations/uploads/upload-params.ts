/** Uploads as clients name them. */

import { type Type, text } from '../../params.ts'

/** Code points of what follows the organization in an address; ours are shorter. */
const PATH_LENGTH_MAX = 500

/** The rest of an upload's address, slashes and all. */
export const uploadPathType: Type<string> = { ...text({ lengthMax: PATH_LENGTH_MAX }), takesSlashes: true }

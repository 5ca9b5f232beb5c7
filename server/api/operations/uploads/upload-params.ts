/** The parameters of uploads. */

import { type Type, text } from '../../params.ts'

/** Code points of an address after the organization; ours are shorter. */
const PATH_LENGTH_MAX = 500

/** The rest of an upload's address, with slashes. */
export const uploadPathType: Type<string> = { ...text({ lengthMax: PATH_LENGTH_MAX }), takesSlashes: true }

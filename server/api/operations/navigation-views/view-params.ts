/** The parameters of navigation views. */

import { VIEW_FRAGMENT_LENGTH_MAX, VIEW_NAME_LENGTH_MAX } from '../../../domain/limits.ts'
import { type Type, text } from '../../params.ts'

/** The fragment of a client's address that identifies a view. */
export const fragmentType: Type<string> = {
  ...text({ lengthMax: VIEW_FRAGMENT_LENGTH_MAX, blank: false }),
  takesSlashes: true,
}
/** The name of a view. */
export const viewNameType = text({ lengthMax: VIEW_NAME_LENGTH_MAX, trim: true })

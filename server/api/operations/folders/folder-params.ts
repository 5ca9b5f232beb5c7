/** The parameters of a folder's name and description. */

import { FOLDER_DESCRIPTION_LENGTH_MAX, FOLDER_NAME_LENGTH_MAX } from '../../../domain/limits.ts'
import { text } from '../../params.ts'

export const folderNameType = text({ lengthMax: FOLDER_NAME_LENGTH_MAX, trim: true, takesNull: true })
export const folderDescriptionType = text({ lengthMax: FOLDER_DESCRIPTION_LENGTH_MAX })

/** Channel folders. */

import {
  FOLDER_DESCRIPTION_LENGTH_MAX,
  FOLDER_NAME_LENGTH_MAX,
  FOLDERS_EVER_MAX,
} from '../../domain/limits.ts'
import { boolean, defaulted, id, list, optional, required, text } from '../params.ts'
import { CHANNEL_FOLDER, viewFolder } from '../../views/folder-view.ts'
import { operation } from '../operation.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'
import { checkAdministrator } from '../../decisions/check-caller.ts'
import {
  checkNewFolder,
  decideFolderOrder,
  decideFolderUpdate,
  decideNewFolder,
  NEW_FOLDER_ERRORS,
  REORDER_FOLDERS_ERRORS,
  UPDATE_FOLDER_ERRORS,
} from '../../decisions/folders/change-folders.ts'
import { scopeOfCall } from '../call-scope.ts'
import { change } from '../change-operation.ts'
import type { FolderId } from '../../domain/ids.ts'

const folderNameType = text({ lengthMax: FOLDER_NAME_LENGTH_MAX, trim: true, takesNull: true })
const folderDescriptionType = text({ lengthMax: FOLDER_DESCRIPTION_LENGTH_MAX })

/** `GET /channel_folders`. */
export const getFolders = operation({
  method: 'GET',
  path: '/channel_folders',
  summary: 'Get channel folders',
  description: 'All folders in their order, for all users.',
  access: 'user',
  params: { include_archived: defaulted(boolean(), false, 'Whether to list archived folders, too.') },
  reply: { channel_folders: { schema: arrayOf(CHANNEL_FOLDER), description: 'The folders.' } },
  errors: [],
  events: [],
  run: ({ params, services: { state } }) => ({
    channel_folders: state.folders
      .map(viewFolder)
      .filter(({ is_archived }) => params.include_archived || !is_archived),
  }),
})

/** `POST /channel_folders/create`. */
export const createFolder = change({
  method: 'POST',
  path: '/channel_folders/create',
  summary: 'Create a channel folder',
  description: 'For administrators. The new folder is the last.',
  access: 'user',
  params: {
    name: required(folderNameType, 'The name, which must be unique in any case.'),
    description: defaulted(folderDescriptionType, '', 'In Markdown.'),
  },
  reply: { channel_folder_id: { schema: INTEGER, description: 'The id of the folder.' } },
  errors: [...NEW_FOLDER_ERRORS, 'MESSAGE_RENDERING_FAILED'],
  events: ['channel_folder/add'],
  async prepare(call) {
    const { name, description } = call.params
    const { user, services } = call
    checkNewFolder(scopeOfCall(call), name) // Before the rendering, and again by the decision.
    const renderedDescription = description === '' ? '' : await services.render(description, user.id)
    return { name, description, renderedDescription }
  },
  decide: decideNewFolder,
  answer: (id) => ({ channel_folder_id: id }),
})

/** `PATCH /channel_folders/{channel_folder_id}`. */
export const updateFolder = change({
  method: 'PATCH',
  path: '/channel_folders/{channel_folder_id}',
  summary: 'Update a channel folder',
  description: 'For administrators.',
  access: 'user',
  params: {
    channel_folder_id: required(id<FolderId>(), 'The id of the folder.'),
    name: optional(folderNameType, 'The new name.'),
    description: optional(folderDescriptionType, 'The new description, in Markdown.'),
    is_archived: optional(boolean(), 'Whether the folder is archived; only an empty one can be.'),
  },
  reply: {},
  errors: [...UPDATE_FOLDER_ERRORS, 'MESSAGE_RENDERING_FAILED'],
  events: ['channel_folder/update'],
  async prepare({ params, user, services, fail }) {
    checkAdministrator({ caller: user, fail })
    const { channel_folder_id: folderId, name, description, is_archived: isArchived } = params
    const renderedDescription = description ? await services.render(description, user.id) : ''
    return { folderId, name, description, renderedDescription, isArchived }
  },
  decide: decideFolderUpdate,
})

/** `PATCH /channel_folders`: reorders the folders. */
export const reorderFolders = change({
  method: 'PATCH',
  path: '/channel_folders',
  summary: 'Reorder channel folders',
  description: 'For administrators.',
  access: 'user',
  params: {
    order: required(
      list(id<FolderId>(), { lengthMax: FOLDERS_EVER_MAX }),
      'The ids of all folders, archived ones included, each once.',
    ),
  },
  reply: {},
  errors: REORDER_FOLDERS_ERRORS,
  events: ['channel_folder/reorder'],
  prepare: ({ params }) => params,
  decide: decideFolderOrder,
})

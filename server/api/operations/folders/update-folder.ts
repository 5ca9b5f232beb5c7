/** `PATCH /channel_folders/{channel_folder_id}`. */

import { decideFolderUpdate, UPDATE_FOLDER_ERRORS } from '../../../decisions/folders/change-folders.ts'
import type { FolderId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { boolean, id, optional, required } from '../../params.ts'
import { folderDescriptionType, folderNameType } from './folder-params.ts'

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
  async prepare({ params, user, services }) {
    const { channel_folder_id: folderId, name, description, is_archived: isArchived } = params
    const renderedDescription = description ? await services.render(description, user.id) : ''
    return { folderId, name, description, renderedDescription, isArchived }
  },
  decide: decideFolderUpdate,
})

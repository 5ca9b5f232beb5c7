/** `POST /channel_folders/create`. */

import { decideNewFolder, NEW_FOLDER_ERRORS } from '../../../decisions/folders/change-folders.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { change } from '../../change-operation.ts'
import { defaulted, required } from '../../params.ts'
import { folderDescriptionType, folderNameType } from './folder-params.ts'

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
  async prepare({ params: { name, description }, user, services }) {
    const renderedDescription = description === '' ? '' : await services.render(description, user.id)
    return { name, description, renderedDescription }
  },
  decide: decideNewFolder,
  answer: (id) => ({ channel_folder_id: id }),
})

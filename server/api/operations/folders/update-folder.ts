/** `PATCH /channel_folders/{channel_folder_id}`. */

import type { ChannelFolder } from '../../../domain/entities.ts'
import type { FolderId } from '../../../domain/ids.ts'
import {
  checkFolderName,
  FOLDER_NAME_ERRORS,
  findFolder,
  folderDescriptionType,
  folderNameType,
  tellFolders,
} from '../../changes/change-folders.ts'
import { operation } from '../../operation.ts'
import { boolean, id, optional, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const updateFolder = operation({
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
  errors: [
    'ROLE_REQUIRED',
    'FOLDER_UNKNOWN',
    ...FOLDER_NAME_ERRORS,
    'FOLDER_IN_USE',
    'MESSAGE_RENDERING_FAILED',
  ],
  events: ['channel_folder/update'],
  async run({ user, params, services, fail }) {
    const { channel_folder_id: folderId, name, description, is_archived: isArchived } = params
    const renderedDescription = description ? await services.render(description, user.id) : ''
    return services.committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const folder = findFolder(folderId, state, fail)
        const changes: { -readonly [Key in keyof ChannelFolder]?: ChannelFolder[Key] } = {}
        if (name !== undefined && name !== folder.name) {
          checkFolderName(name, state, folder.id, fail)
          changes.name = name
        }
        if (description !== undefined && description !== folder.description) {
          changes.description = description
          changes.renderedDescription = renderedDescription
        }
        if (isArchived !== undefined && isArchived !== folder.isArchived) {
          // Archived channels count: they come back to their folder.
          if (
            isArchived &&
            [...state.channels.values()].some(({ channel }) => channel.folderId === folder.id)
          ) {
            throw fail('FOLDER_IN_USE')
          }
          changes.isArchived = isArchived
        }
        const isChanged = Object.keys(changes).length > 0
        return {
          events: isChanged ? [tellFolders(state, { type: 'channel_folder/update', folderId, changes })] : [],
          reply: () => ({}),
        }
      },
    })
  },
})

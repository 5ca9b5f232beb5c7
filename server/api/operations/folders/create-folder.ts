/** `POST /channel_folders/create`. */

import { nowSeconds } from '../../../domain/clock.ts'
import type { ChannelFolder } from '../../../domain/entities.ts'
import { FOLDERS_EVER_MAX, FOLDERS_MAX } from '../../../domain/limits.ts'
import {
  checkFolderName,
  FOLDER_NAME_ERRORS,
  folderDescriptionType,
  folderNameType,
  tellFolders,
} from '../../changes/change-folders.ts'
import { operation } from '../../operation.ts'
import { defaulted, required } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const createFolder = operation({
  method: 'POST',
  path: '/channel_folders/create',
  summary: 'Create a channel folder',
  description: 'For administrators. The folder comes after all others.',
  access: 'user',
  params: {
    name: required(folderNameType, 'The name; no other folder has it in any case.'),
    description: defaulted(folderDescriptionType, '', 'In Markdown.'),
  },
  reply: { channel_folder_id: { schema: INTEGER, description: 'The id of the folder.' } },
  errors: ['ROLE_REQUIRED', ...FOLDER_NAME_ERRORS, 'TOO_MANY_FOLDERS', 'MESSAGE_RENDERING_FAILED'],
  events: ['channel_folder/add'],
  async run({ user, params: { name, description }, services, fail }) {
    const renderedDescription = description === '' ? '' : await services.render(description, user.id)
    const createdAt = nowSeconds(services.clock)
    return services.committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        requireAdministrator(caller, fail)
        checkFolderName(name, state, undefined, fail)
        const inUse = state.folders.filter(({ isArchived }) => !isArchived)
        if (inUse.length >= FOLDERS_MAX) throw fail('TOO_MANY_FOLDERS', { countMax: FOLDERS_MAX })
        if (state.folders.length >= FOLDERS_EVER_MAX)
          throw fail('TOO_MANY_FOLDERS', { countMax: FOLDERS_EVER_MAX })
        const folder: ChannelFolder = {
          id: state.nextFolderId,
          name,
          description,
          renderedDescription,
          createdAt,
          creatorId: caller.id,
          isArchived: false,
        }
        return {
          events: [tellFolders(state, { type: 'channel_folder/add', folder })],
          reply: () => ({ channel_folder_id: folder.id }),
        }
      },
    })
  },
})

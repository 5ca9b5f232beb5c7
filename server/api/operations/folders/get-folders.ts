/** `GET /channel_folders`. */

import { CHANNEL_FOLDER, viewFolder } from '../../../views/folder-view.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted } from '../../params.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

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

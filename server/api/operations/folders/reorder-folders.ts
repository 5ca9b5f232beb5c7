/** `PATCH /channel_folders`: reorders the folders. */

import { decideFolderOrder, REORDER_FOLDERS_ERRORS } from '../../../decisions/folders/change-folders.ts'
import type { FolderId } from '../../../domain/ids.ts'
import { FOLDERS_EVER_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { id, list, required } from '../../params.ts'

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

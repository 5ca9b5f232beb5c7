/** `PATCH /channel_folders`: puts the folders into another order. */

import type { FolderId } from '../../../domain/ids.ts'
import { FOLDERS_EVER_MAX } from '../../../domain/limits.ts'
import { tellFolders } from '../../changes/change-folders.ts'
import { operation } from '../../operation.ts'
import { id, list, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const reorderFolders = operation({
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
  errors: ['ROLE_REQUIRED', 'FOLDER_ORDER_INVALID'],
  events: ['channel_folder/reorder'],
  run: ({ user, params: { order }, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const given = new Set(order)
        const isWhole =
          order.length === state.folders.length && state.folders.every(({ id }) => given.has(id))
        if (!isWhole) throw fail('FOLDER_ORDER_INVALID')
        const isChanged = state.folders.some((folder, index) => folder.id !== order[index])
        return {
          events: isChanged ? [tellFolders(state, { type: 'channel_folder/reorder', folderIds: order })] : [],
          reply: () => ({}),
        }
      },
    }),
})

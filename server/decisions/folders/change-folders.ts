/** Changes of the folders that channels are in. */

import type { ChannelFolder } from '../../domain/entities.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { FolderId } from '../../domain/ids.ts'
import { FOLDERS_EVER_MAX, FOLDERS_MAX } from '../../domain/limits.ts'
import { findUnseenCharacter } from '../../domain/text/unseen-characters.ts'
import { checkAdministrator } from '../check-caller.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** How a folder's name can be invalid. */
const NAME_ERRORS = ['FOLDER_NAME_EMPTY', 'FOLDER_NAME_CHARACTER', 'FOLDER_NAME_TAKEN'] as const

/** How adding a folder can fail. */
export const NEW_FOLDER_ERRORS = ['ROLE_REQUIRED', ...NAME_ERRORS, 'TOO_MANY_FOLDERS'] as const

/** Adds a folder as the last; answers its id. */
export function decideNewFolder(
  scope: Scope<(typeof NEW_FOLDER_ERRORS)[number]>,
  {
    name,
    description,
    renderedDescription,
  }: Pick<ChannelFolder, 'name' | 'description' | 'renderedDescription'>,
): Decision<FolderId> {
  const { state, caller, now } = scope
  checkNewFolder(scope, name)
  const folder: ChannelFolder = {
    id: state.nextFolderId,
    name,
    description,
    renderedDescription,
    createdAt: now,
    creatorId: caller.id,
    isArchived: false,
  }
  return answering(folder.id, [{ type: 'channel_folder/add', folder }])
}

/** Throws unless the caller may add a folder of this name; the operation asks before it renders the description. */
export function checkNewFolder(scope: Scope<(typeof NEW_FOLDER_ERRORS)[number]>, name: string): void {
  const { folders } = scope.state
  checkAdministrator(scope)
  checkFolderName(scope, name)
  const inUse = folders.filter(({ isArchived }) => !isArchived)
  if (inUse.length >= FOLDERS_MAX) throw scope.fail('TOO_MANY_FOLDERS', { countMax: FOLDERS_MAX })
  if (folders.length >= FOLDERS_EVER_MAX) throw scope.fail('TOO_MANY_FOLDERS', { countMax: FOLDERS_EVER_MAX })
}

/** Changes of a folder; undefined stays as it is. */
export interface UpdateFolderRequest {
  readonly folderId: FolderId
  readonly name: string | undefined
  readonly description: string | undefined
  /** HTML. */
  readonly renderedDescription: string
  readonly isArchived: boolean | undefined
}

/** How changing a folder can fail. */
export const UPDATE_FOLDER_ERRORS = [
  'ROLE_REQUIRED',
  'FOLDER_UNKNOWN',
  ...NAME_ERRORS,
  'FOLDER_IN_USE',
] as const

/** Changes a folder; only an empty one can be archived. */
export function decideFolderUpdate(
  scope: Scope<(typeof UPDATE_FOLDER_ERRORS)[number]>,
  { folderId, name, description, renderedDescription, isArchived }: UpdateFolderRequest,
): Decision<void> {
  const { state, fail } = scope
  checkAdministrator(scope)
  const folder = state.folders.find(({ id }) => id === folderId)
  if (!folder) throw fail('FOLDER_UNKNOWN')
  const changes: { -readonly [Key in keyof ChannelFolder]?: ChannelFolder[Key] } = {}
  if (name !== undefined && name !== folder.name) {
    checkFolderName(scope, name, folderId)
    changes.name = name
  }
  if (description !== undefined && description !== folder.description) {
    changes.description = description
    changes.renderedDescription = renderedDescription
  }
  if (isArchived !== undefined && isArchived !== folder.isArchived) {
    // Archived channels count: they return to their folder when they are unarchived.
    const isInUse = [...state.channels.values()].some(({ channel }) => channel.folderId === folderId)
    if (isArchived && isInUse) throw fail('FOLDER_IN_USE')
    changes.isArchived = isArchived
  }
  if (Object.keys(changes).length === 0) return done([])
  return done([{ type: 'channel_folder/update', folderId, changes }])
}

/** How another order of folders can be refused. */
export const REORDER_FOLDERS_ERRORS = ['ROLE_REQUIRED', 'FOLDER_ORDER_INVALID'] as const

/** Changes the order of the folders. */
export function decideFolderOrder(
  scope: Scope<(typeof REORDER_FOLDERS_ERRORS)[number]>,
  { order }: { readonly order: readonly FolderId[] },
): Decision<void> {
  const { folders } = scope.state
  checkAdministrator(scope)
  const given = new Set(order)
  const isWhole = order.length === folders.length && folders.every(({ id }) => given.has(id))
  if (!isWhole) throw scope.fail('FOLDER_ORDER_INVALID')
  const isChanged = folders.some(({ id }, index) => id !== order[index])
  return done(isChanged ? [{ type: 'channel_folder/reorder', folderIds: order }] : [])
}

/** Throws if a name is not valid for a folder; archived folders keep their names. */
function checkFolderName(
  { state, fail }: Scope<(typeof NAME_ERRORS)[number]>,
  name: string,
  exceptId?: FolderId,
): void {
  if (name === '') throw fail('FOLDER_NAME_EMPTY')
  const position = findUnseenCharacter(name)
  if (position !== undefined) throw fail('FOLDER_NAME_CHARACTER', { position })
  const folded = foldCase(name)
  if (state.folders.some((one) => one.id !== exceptId && foldCase(one.name) === folded)) {
    throw fail('FOLDER_NAME_TAKEN')
  }
}

/** Changes of the folders that channels are in. */

import type { ChannelFolder } from '../../domain/entities.ts'
import type { LogEvent, NewEvent } from '../../domain/events.ts'
import { foldCase } from '../../domain/fold-case.ts'
import type { FolderId } from '../../domain/ids.ts'
import { findUnseenCharacter } from '../../domain/unseen-characters.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'
import { FOLDER_DESCRIPTION_LENGTH_MAX, FOLDER_NAME_LENGTH_MAX } from '../../domain/limits.ts'
import { text } from '../params.ts'

/** A folder's name and description as parameters. */
export const folderNameType = text({ lengthMax: FOLDER_NAME_LENGTH_MAX, trim: true, takesNull: true })
export const folderDescriptionType = text({ lengthMax: FOLDER_DESCRIPTION_LENGTH_MAX })

/** How a folder's name can be refused. */
export const FOLDER_NAME_ERRORS = ['FOLDER_NAME_EMPTY', 'FOLDER_NAME_CHARACTER', 'FOLDER_NAME_TAKEN'] as const

/** Throws where a name cannot be that of a folder; archived folders keep theirs. */
export function checkFolderName(
  name: string,
  { folders }: OrganizationState,
  exceptId: FolderId | undefined,
  fail: Fail<(typeof FOLDER_NAME_ERRORS)[number]>,
): void {
  if (name === '') throw fail('FOLDER_NAME_EMPTY')
  const position = findUnseenCharacter(name)
  if (position !== undefined) throw fail('FOLDER_NAME_CHARACTER', { position })
  const folded = foldCase(name)
  if (folders.some((one) => one.id !== exceptId && foldCase(one.name) === folded)) {
    throw fail('FOLDER_NAME_TAKEN')
  }
}

/** The folder of an id. */
export function findFolder(
  id: FolderId,
  { folders }: OrganizationState,
  fail: Fail<'FOLDER_UNKNOWN'>,
): ChannelFolder {
  const folder = folders.find((one) => one.id === id)
  if (!folder) throw fail('FOLDER_UNKNOWN')
  return folder
}

/** A change of folders; everyone sees all of them. */
export function tellFolders(
  { rights }: OrganizationState,
  event: Extract<LogEvent, { type: `channel_folder/${string}` }>,
): NewEvent {
  return { event, audience: { kind: 'users', users: rights.activeUsers } }
}

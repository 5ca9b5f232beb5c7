/** Opens an export, a folder or one packed file, for its reader. */

import { statSync } from 'node:fs'
import type { Archive, Refuse } from './archive.ts'
import { FolderArchive } from './folder-archive.ts'
import type { Loss } from './records.ts'
import { ZipArchive } from './zip-archive.ts'

/** Opens an archive and hands it to `read`, whose source closes it at the end. If `read` fails, it is closed here. */
export async function openArchive<Source>(
  path: string,
  lose: (loss: Loss) => void,
  read: (archive: Archive) => Promise<Source>,
  openFile: (path: string, refuse: Refuse) => Promise<Archive> = (file, refuse) =>
    ZipArchive.open(file, refuse),
): Promise<Source> {
  const refuse: Refuse = (name, reason) => lose({ place: undefined, reason, example: name })
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const archive: Archive = isFolder ? new FolderArchive(path) : await openFile(path, refuse)
  try {
    return await read(archive)
  } catch (error) {
    await archive.close()
    throw error
  }
}

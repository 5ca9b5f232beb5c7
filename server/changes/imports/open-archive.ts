/** Opens an export, a folder or one packed file, for its reader. */

import { open, stat } from 'node:fs/promises'
import type { Archive, Refuse } from './archive.ts'
import { FolderArchive } from './folder-archive.ts'
import { ImportError, type Loss } from './records.ts'
import { GZIP, TarArchive } from './tar-archive.ts'
import { ZipArchive } from './zip-archive.ts'

const ZIP = 0x4b50
/** The place of a tar's own mark. */
const TAR_MARK_AT = 257
const TAR_MARK = 'ustar'

/**
 * Opens an archive and hands it to `read`, whose source closes it at the end. If `read` fails, it is closed here. A file that
 * is of no kind is refused as one of the `expected` kind.
 */
export async function openArchive<Source>(
  path: string,
  lose: (loss: Loss) => void,
  read: (archive: Archive) => Promise<Source>,
  expected: 'zip' | 'tar' = 'zip',
): Promise<Source> {
  const refuse: Refuse = (name, reason) => lose({ place: undefined, reason, example: name })
  const archive = await openKind(path, refuse, expected)
  try {
    return await read(archive)
  } catch (error) {
    await archive.close()
    throw error
  }
}

async function openKind(path: string, refuse: Refuse, expected: 'zip' | 'tar'): Promise<Archive> {
  const kind = await findKind(path)
  if (kind === 'folder') return new FolderArchive(path)
  return (kind ?? expected) === 'zip' ? ZipArchive.open(path, refuse) : TarArchive.open(path, refuse)
}

/** Undefined for a file of no kind. */
async function findKind(path: string): Promise<'folder' | 'zip' | 'tar' | undefined> {
  try {
    if ((await stat(path)).isDirectory()) return 'folder'
    const file = await open(path, 'r')
    try {
      const start = Buffer.alloc(TAR_MARK_AT + TAR_MARK.length)
      await file.read(start, 0, start.length, 0)
      const magic = start.readUInt16LE()
      if (magic === ZIP) return 'zip'
      return magic === GZIP || start.toString('latin1', TAR_MARK_AT) === TAR_MARK ? 'tar' : undefined
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new ImportError(`${path} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}

/** Opens the zip of an export for its reader. */

import type { ForeignSource, Loss } from './records.ts'
import { ZipArchive } from './zip-archive.ts'

/** The source that `read` makes of a zip, which it closes in the end. If `read` fails, the zip is closed here. */
export async function openArchive<Source extends ForeignSource>(
  path: string,
  lose: (loss: Loss) => void,
  read: (zip: ZipArchive) => Promise<Source>,
): Promise<Source> {
  const zip = await ZipArchive.open(path)
  try {
    for (const { name, reason } of zip.refused) lose({ place: undefined, reason, example: name })
    return await read(zip)
  } catch (error) {
    await zip.close()
    throw error
  }
}

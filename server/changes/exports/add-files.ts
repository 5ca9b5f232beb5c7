/** The files of an export: their bytes, then the list of them. */

import type { FileStore } from '../../files/file-store.ts'
import type { ZipWriter } from './zip-writer.ts'

/** Missing files that are named. */
const MISSING_NAMED_MAX = 100

/** A file of the store. */
interface StoredFile {
  readonly id: number
  /** As the file store names it. */
  readonly key: string
  readonly path: string
  readonly size: number
}

/** Adds files, and a line for each that the store has; the paths of some of the others are `names`. */
export async function addFiles<File extends StoredFile>(
  zip: ZipWriter,
  files: AsyncIterable<File>,
  view: (file: File) => object,
  fileStore: FileStore,
): Promise<{ readonly added: number; readonly missing: number; readonly names: readonly string[] }> {
  const names: string[] = []
  let added = 0
  let missing = 0
  await zip.addLines('files', listFiles())
  return { added, missing, names }

  async function* listFiles(): AsyncGenerator<object> {
    for await (const file of files) {
      const { id, key, size, path } = file
      if ((await fileStore.size(key)) === size) {
        await zip.addFile(`files/${id}`, size, () => fileStore.open(key))
        added++
        yield view(file)
        continue
      }
      missing++
      if (names.length < MISSING_NAMED_MAX) names.push(path)
    }
  }
}

/** Reads an archive that was unpacked into a folder. Names lead nowhere else: no `..`, and no symbolic link. */

import { createReadStream, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import {
  type Archive,
  type ArchiveEntry,
  ENTRIES_MAX,
  EntryError,
  mapNames,
  WHOLE_BYTES_MAX,
} from './archive.ts'
import { ImportError } from './records.ts'

/** A folder of files. */
export class FolderArchive implements Archive {
  readonly #root: string

  /** Throws an `ImportError` if there is no such folder. */
  constructor(path: string) {
    try {
      this.#root = realpathSync(path)
    } catch (error) {
      throw new ImportError(`${path} cannot be opened: ${(error as Error).message}`, { cause: error })
    }
  }

  /** The files, also of folders in it. */
  get names(): IterableIterator<string> {
    const found = readdirSync(this.#root, { recursive: true, withFileTypes: true })
    if (found.length > ENTRIES_MAX) throw new ImportError(`the folder has more than ${ENTRIES_MAX} files`)
    return found
      .filter((one) => one.isFile())
      .map((one) => relative(this.#root, join(one.parentPath, one.name)).replaceAll(sep, '/'))
      .values()
  }

  find(name: string): ArchiveEntry | undefined {
    const path = join(this.#root, name)
    try {
      // The true path of all of its folders, too.
      if (name === '' || name.includes('\0') || realpathSync(path) !== path) return undefined
      if (!path.startsWith(`${this.#root}${sep}`)) return undefined
      const stat = lstatSync(path)
      return stat.isFile() ? { name, size: stat.size } : undefined
    } catch {
      return undefined // It does not exist, or may not be read.
    }
  }

  indexNames(partOf: (name: string) => string | undefined): (part: string) => string | undefined {
    return mapNames(this.names, partOf)
  }

  /** The path of a file that `find` found. */
  pathOf({ name }: ArchiveEntry): string {
    return join(this.#root, name)
  }

  async read(entry: ArchiveEntry): Promise<Buffer> {
    if (entry.size > WHOLE_BYTES_MAX) throw new EntryError(`it is larger than ${WHOLE_BYTES_MAX} bytes`)
    try {
      return await readFile(this.pathOf(entry))
    } catch (error) {
      throw new EntryError(`it cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }

  async *stream(entry: ArchiveEntry): AsyncGenerator<Buffer> {
    try {
      yield* createReadStream(this.pathOf(entry), { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>
    } catch (error) {
      throw new EntryError(`it cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }

  async close(): Promise<void> {}
}

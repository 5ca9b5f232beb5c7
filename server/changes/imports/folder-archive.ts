/** Reads an archive that was unpacked into a folder. Names lead nowhere else: no `..`, and no symbolic link. */

import { createReadStream, realpathSync } from 'node:fs'
import { lstat, opendir, readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type Archive, type ArchiveEntry, checkWhole, EntryError } from './archive.ts'
import { ImportError } from './records.ts'

/** Entries of a folder that the system answers at once. */
const LISTED_AT_ONCE = 1_024

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

  /** The files, also of folders in it, as the system lists them. */
  names(): AsyncGenerator<string> {
    return this.#namesIn('')
  }

  async find(name: string): Promise<ArchiveEntry | undefined> {
    const path = join(this.#root, name)
    try {
      // The true path of all of its folders, too.
      if (name === '' || name.includes('\0') || (await realpath(path)) !== path) return undefined
      if (!path.startsWith(`${this.#root}${sep}`)) return undefined
      const stat = await lstat(path)
      return stat.isFile() ? new FileEntry(name, stat.size, path) : undefined
    } catch {
      return undefined // It does not exist, or may not be read.
    }
  }

  async close(): Promise<void> {}

  async *#namesIn(folder: string): AsyncGenerator<string> {
    for await (const one of await opendir(join(this.#root, folder), { bufferSize: LISTED_AT_ONCE })) {
      if (one.isFile()) yield `${folder}${one.name}`
      else if (one.isDirectory()) yield* this.#namesIn(`${folder}${one.name}/`)
    }
  }
}

/** A file of the folder. */
export class FileEntry implements ArchiveEntry {
  readonly name: string
  readonly size: number
  readonly path: string

  constructor(name: string, size: number, path: string) {
    this.name = name
    this.size = size
    this.path = path
  }

  async read(): Promise<Buffer> {
    checkWhole(this.size)
    try {
      return await readFile(this.path)
    } catch (error) {
      throw new EntryError(`it cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }

  async *stream(): AsyncGenerator<Buffer> {
    try {
      yield* createReadStream(this.path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>
    } catch (error) {
      throw new EntryError(`it cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }
}

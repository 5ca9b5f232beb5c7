/** Files on the disk, each in its own folder together with its variants. */

import { mkdir, open as openFile, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { isFileKey } from './file-key.ts'
import { FileMissingError, type FileStore, FilesUnavailableError, FileTooLargeError } from './file-store.ts'

/** The original file, within its folder. */
const ORIGINAL = 'original'

/** A store in a folder, which it creates with the first file. */
export class DiskFileStore implements FileStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async create(key: string): Promise<void> {
    const path = this.#pathOf(key)
    const folder = dirname(path)
    try {
      // A variant of a file that is removed meanwhile would stay forever.
      if (!isVariant(key)) await mkdir(folder, { recursive: true, mode: 0o700 })
      await (await openFile(path, 'wx', 0o600)).close()
      // An entry is durable only after its folder is synced.
      for (const one of [folder, dirname(folder), this.#folder]) await syncFolder(one)
    } catch (error) {
      throw codeOf(error) === 'EEXIST' ? error : explained(error)
    }
  }

  async append(
    key: string,
    offset: number,
    chunks: AsyncIterable<Uint8Array>,
    bytesMax: number,
  ): Promise<number> {
    const file = await openFile(this.#pathOf(key), 'r+').catch(rethrow)
    try {
      const { size } = await file.stat()
      if (offset > size) throw new RangeError(`${key} has ${size} bytes, fewer than ${offset}`)
      if (offset < size) await file.truncate(offset).catch(rethrow)
      let end = offset
      try {
        for await (const chunk of chunks) {
          if (end + chunk.length > bytesMax)
            throw new FileTooLargeError(`${key} has more than ${bytesMax} bytes`)
          await writeWhole(file, chunk, end).catch(rethrow)
          end += chunk.length
        }
      } finally {
        await file.datasync().catch(rethrow)
      }
      return end
    } finally {
      await file.close()
    }
  }

  async size(key: string): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(key))).size
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw explained(error)
    }
  }

  async open(key: string, start = 0, end = Number.POSITIVE_INFINITY): Promise<Readable> {
    const file = await openFile(this.#pathOf(key), 'r').catch(rethrow)
    return file.createReadStream({ start, end })
  }

  async readAll(key: string, bytesMax: number): Promise<Uint8Array> {
    const path = this.#pathOf(key)
    const { size } = await stat(path).catch(rethrow)
    if (size > bytesMax) throw new FileTooLargeError(`${key} has more than ${bytesMax} bytes`)
    return readFile(path).catch(rethrow)
  }

  async remove(key: string): Promise<void> {
    const path = this.#pathOf(key)
    await rm(isVariant(key) ? path : dirname(path), { recursive: true, force: true }).catch(rethrow)
  }

  #pathOf(key: string): string {
    if (!isFileKey(key)) throw new Error('not a key of a file')
    const dot = key.indexOf('.')
    return dot < 0
      ? join(this.#folder, key, ORIGINAL)
      : join(this.#folder, key.slice(0, dot), key.slice(dot + 1))
  }
}

type FileHandle = Awaited<ReturnType<typeof openFile>>

async function writeWhole(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written, position + written)
    written += bytesWritten
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await openFile(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Whether it is the key of a variant. */
function isVariant(key: string): boolean {
  return key.includes('.')
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

function rethrow(error: unknown): never {
  throw explained(error)
}

/** Maps a disk error to the store's own errors; returns any other error unchanged. */
function explained(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOENT') return new FileMissingError('there is no such file', { cause: error })
  const isOfDisk = typeof (error as NodeJS.ErrnoException).syscall === 'string'
  return isOfDisk
    ? new FilesUnavailableError(`the files cannot be reached: ${code}`, { cause: error })
    : error
}

/** Files on the disk, each in a folder of its own, with what was made of it. */

import { mkdir, open as openFile, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { isFileKey } from './file-key.ts'
import { FileMissingError, type FileStore, FileTooLargeError } from './file-store.ts'

/** The file itself, within its folder. */
const ORIGINAL = 'original'

/** A store below a folder, which is made with the first file. */
export class DiskFileStore implements FileStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async create(key: string): Promise<void> {
    const path = this.#pathOf(key)
    const folder = dirname(path)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await (await openFile(path, 'wx', 0o600)).close()
    // An entry of a folder is on the disk once the folder is.
    for (const one of [folder, dirname(folder), this.#folder]) await syncFolder(one)
  }

  async append(
    key: string,
    offset: number,
    chunks: AsyncIterable<Uint8Array>,
    bytesMax: number,
  ): Promise<number> {
    const file = await openFile(this.#pathOf(key), 'r+').catch(rethrowMissing)
    try {
      const { size } = await file.stat()
      if (offset > size) throw new RangeError(`${key} has ${size} bytes, fewer than ${offset}`)
      if (offset < size) await file.truncate(offset)
      let end = offset
      try {
        for await (const chunk of chunks) {
          if (end + chunk.length > bytesMax)
            throw new FileTooLargeError(`${key} has more than ${bytesMax} bytes`)
          await writeWhole(file, chunk, end)
          end += chunk.length
        }
      } finally {
        await file.datasync()
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
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async open(key: string, start = 0, end = Number.POSITIVE_INFINITY): Promise<Readable> {
    const file = await openFile(this.#pathOf(key), 'r').catch(rethrowMissing)
    return file.createReadStream({ start, end })
  }

  async readAll(key: string, bytesMax: number): Promise<Uint8Array> {
    const path = this.#pathOf(key)
    const { size } = await stat(path).catch(rethrowMissing)
    if (size > bytesMax) throw new FileTooLargeError(`${key} has more than ${bytesMax} bytes`)
    return readFile(path).catch(rethrowMissing)
  }

  async remove(key: string): Promise<void> {
    const path = this.#pathOf(key)
    await rm(key.includes('.') ? path : dirname(path), { recursive: true, force: true })
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

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function rethrowMissing(error: unknown): never {
  if (isMissing(error)) throw new FileMissingError('there is no such file', { cause: error })
  throw error
}

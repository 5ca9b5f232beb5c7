/** Files on the disk, each in its own folder together with its variants. */

import { randomBytes } from 'node:crypto'
import { mkdir, open as openFile, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { isFileKey } from './file-key.ts'
import { FileMissingError, type FileStore, FilesUnavailableError, FileTooLargeError } from './file-store.ts'

/** The original file, within its folder. */
const ORIGINAL = 'original'
/** Random bytes in the name of a file that arrives: two processes may make the same thumbnail. */
const NAME_BYTES = 8

/** A store in a folder, which it creates with the first file. */
export class DiskFileStore implements FileStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async write(key: string, chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<number> {
    const path = this.#pathOf(key)
    const folder = dirname(path)
    // Under another name until it is whole: readers never see a part of it.
    const arriving = join(folder, `.${randomBytes(NAME_BYTES).toString('hex')}.${basename(path)}`)
    // A variant of a file that is removed meanwhile would stay forever.
    if (!isVariant(key)) await mkdir(folder, { recursive: true, mode: 0o700 }).catch(rethrow)
    const file = await openFile(arriving, 'wx', 0o600).catch(rethrow)
    try {
      let size: number
      try {
        size = await writeChunks(file, 0, chunks, bytesMax)
      } finally {
        await file.close()
      }
      await rename(arriving, path).catch(rethrow)
      await this.#syncEntry(folder).catch(rethrow)
      return size
    } catch (error) {
      await rm(arriving, { force: true }).catch(() => undefined) // It is removed with its file at the latest.
      throw error
    }
  }

  async create(key: string): Promise<void> {
    const path = this.#pathOf(key)
    const folder = dirname(path)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await (await openFile(path, 'wx', 0o600)).close()
      await this.#syncEntry(folder)
    } catch (error) {
      throw explained(error)
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
      if (offset !== size) throw new RangeError(`${key} has ${size} bytes, not ${offset}`)
      return await writeChunks(file, offset, chunks, bytesMax)
    } finally {
      await file.close()
    }
  }

  async finish(key: string): Promise<void> {
    if ((await this.size(key)) === undefined) throw new FileMissingError('there is no such file')
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

  async localPath(key: string): Promise<string | undefined> {
    return (await this.size(key)) === undefined ? undefined : this.#pathOf(key)
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

  async signAddress(): Promise<undefined> {}

  /** None: servers on other databases may use the same folder. */
  async *sweep(): AsyncGenerator<never> {}

  /** An entry is durable only after its folder is synced. */
  async #syncEntry(folder: string): Promise<void> {
    for (const one of [folder, dirname(folder), this.#folder]) await syncFolder(one)
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

/** Writes chunks at an offset and syncs them, also those before a failure; returns the end. */
async function writeChunks(
  file: FileHandle,
  offset: number,
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<number> {
  let end = offset
  try {
    for await (const chunk of chunks) {
      if (end + chunk.length > bytesMax)
        throw new FileTooLargeError(`the file has more than ${bytesMax} bytes`)
      await writeWhole(file, chunk, end).catch(rethrow)
      end += chunk.length
    }
  } finally {
    await file.datasync().catch(rethrow)
  }
  return end
}

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

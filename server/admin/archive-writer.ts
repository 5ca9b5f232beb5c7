/** Writes a backup's archive to a file or to the standard output, with bounded memory. */

import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { createTarPacker } from 'modern-tar'
import { BackupError, EntryDigest } from './backup-format.ts'

/** The file of an archive. */
interface Place {
  /** Gives it its name. */
  keep(): Promise<void>
  drop(): Promise<void>
}

/** An archive in progress. */
export class ArchiveWriter {
  readonly #packer = createTarPacker()
  readonly #digest = new EntryDigest()
  readonly #written: Promise<void>
  readonly #place: Place
  /** Compressed bytes so far. */
  bytes = 0

  private constructor(target: Writable, place: Place) {
    const count = new Transform({
      transform: (chunk: Buffer, _, callback) => {
        this.bytes += chunk.length
        callback(null, chunk)
      },
    })
    const source = Readable.fromWeb(this.#packer.readable as Parameters<typeof Readable.fromWeb>[0])
    this.#written = pipeline(source, createZstdCompress(), count, target, { end: target !== process.stdout })
    this.#written.catch((error: unknown) => this.#packer.controller.error(error))
    this.#place = place
  }

  /** Opens an archive; `-` is the standard output. A file gets its name only when it is complete. */
  static async open(path: string): Promise<ArchiveWriter> {
    if (path === '-') return new ArchiveWriter(process.stdout, { keep: async () => {}, drop: async () => {} })
    if (await exists(path)) throw new BackupError(`${path} already exists`)
    if (!(await exists(dirname(path)))) throw new BackupError(`there is no folder ${dirname(path)}`)
    const partial = `${path}.partial`
    // It holds the hashes of passwords and keys: only its owner may read it.
    const target = createWriteStream(partial, { mode: 0o600, flush: true })
    const keep = async () => {
      await rename(partial, path)
      await syncFolder(dirname(path))
    }
    return new ArchiveWriter(target, { keep, drop: () => rm(partial, { force: true }) })
  }

  /** Adds an entry; resolves when the compressor has taken its bytes, which must be `size` in number. */
  async add(
    name: string,
    size: number,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    this.#digest.begin(name, size)
    const entry = this.#packer.controller
      .add({ name, size, type: 'file', mode: 0o600, mtime: new Date() })
      .getWriter()
    for await (const chunk of chunks) {
      this.#digest.add(chunk)
      await entry.ready
      await entry.write(chunk)
    }
    await entry.close()
  }

  /** Adds the last entry, which gets the checksum of all others; resolves when the archive is durable. */
  async end(name: string, describe: (sha256: string) => object): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(describe(this.#digest.finish())))
    const entry = this.#packer.controller
      .add({ name, size: bytes.length, type: 'file', mode: 0o600 })
      .getWriter()
    await entry.write(bytes)
    await entry.close()
    this.#packer.controller.finalize()
    await this.#written
    await this.#place.keep()
  }

  /** Abandons the archive. */
  async abort(error: unknown): Promise<void> {
    this.#packer.controller.error(error)
    await this.#written.catch(() => undefined) // The caller has the reason already.
    await this.#place.drop()
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

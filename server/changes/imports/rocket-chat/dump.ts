/**
 * The collections of a `mongodump`: a folder of `.bson` or `.bson.gz` files, that folder as a zip, or one file of
 * `--archive`, which may be packed, too. Anything but a plain file becomes one in a temporary folder, so that files within
 * it can be read from anywhere.
 */

import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Archive } from '../archive.ts'
import { boundBytes } from '../bounded-bytes.ts'
import { FileEntry, FolderArchive } from '../folder-archive.ts'
import { ImportError, type Loss } from '../records.ts'
import { ZipArchive } from '../zip-archive.ts'
import { EntryError } from '../archive.ts'
import { splitArchive } from './mongo-archive.ts'

const BLOCK_BYTES = 1024 * 1024
const GZIP = 0x8b1f
const ZIP = 0x4b50

/** The files of some collections. */
export class Dump {
  readonly #paths: ReadonlyMap<string, string>
  readonly #folder: string

  constructor(paths: ReadonlyMap<string, string>, folder: string) {
    this.#paths = paths
    this.#folder = folder
  }

  /** The path of a collection's plain file; undefined if the dump has none. */
  pathOf(collection: string): string | undefined {
    return this.#paths.get(collection)
  }

  /** Removes what was unpacked. */
  close(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true })
  }
}

/** The collections of a dump that are wanted, and the report of entries that cannot come over. */
interface Wanting {
  readonly wanted: ReadonlySet<string>
  readonly lose: (loss: Loss) => void
}

/** Opens a dump; collections that are not `wanted` are left alone. Rejects with an `ImportError`. */
export async function openDump(path: string, wanting: Wanting): Promise<Dump> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
  try {
    return new Dump(await findCollections(path, wanting, folder), folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (error instanceof EntryError) throw new ImportError(`${path}: ${error.message}`, { cause: error })
    throw error
  }
}

async function findCollections(path: string, wanting: Wanting, folder: string) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw new ImportError(`${path} cannot be opened: there is no such file`)
  if (stat.isDirectory()) return fromFiles(new FolderArchive(path), wanting, folder)
  const magic = await readMagic(path)
  if (magic === ZIP) {
    const zip = await ZipArchive.open(path, (name, reason) =>
      wanting.lose({ place: undefined, reason, example: name }),
    )
    try {
      return await fromFiles(zip, wanting, folder)
    } finally {
      await zip.close()
    }
  }
  return splitArchive(path, magic === GZIP, { wanted: wanting.wanted, folder })
}

/** Plain files of a folder are read where they are. */
async function fromFiles(archive: Archive, { wanted, lose }: Wanting, folder: string) {
  const paths = new Map<string, string>()
  for await (const name of archive.names()) {
    const [, collection = '', packed] = /([^/]+)\.bson(\.gz)?$/.exec(name) ?? []
    const entry = wanted.has(collection) ? await archive.find(name) : undefined
    if (!entry) continue
    if (paths.has(collection)) {
      lose({ place: undefined, reason: 'a collection that is there twice', example: name })
      continue
    }
    if (entry instanceof FileEntry && packed === undefined) {
      paths.set(collection, entry.path)
      continue
    }
    const path = join(folder, `${paths.size}.bson`)
    const source = Readable.from(entry.stream())
    const target = createWriteStream(path, { mode: 0o600 })
    try {
      if (packed === undefined) await pipeline(source, target)
      else
        await pipeline(
          source,
          createGunzip({ chunkSize: BLOCK_BYTES }),
          (unpacked) => boundBytes(unpacked as AsyncIterable<Buffer>, entry.size),
          target,
        )
    } catch (error) {
      throw new EntryError(`${name} is damaged: ${(error as Error).message}`, { cause: error })
    }
    paths.set(collection, path)
  }
  return paths
}

async function readMagic(path: string): Promise<number> {
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.alloc(2)
    await file.read(bytes, 0, 2, 0)
    return bytes.readUInt16LE(0)
  } finally {
    await file.close()
  }
}

/** The bytes of a plain file, in parts. */
export function readBlocks(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: BLOCK_BYTES }) as AsyncIterable<Buffer>
}

/** The store for the tus library: one request's view of its user's uploads. */

import { DataStore, Metadata, Upload } from '@tus/server'
import {
  beginArchive,
  beginTusUpload,
  declareTusSize,
  findTusUpload,
  giveUpTusUpload,
  type TusUpload,
} from '../../../db/files/tus-uploads.ts'
import { deleteFileRecord } from '../../../db/files/uploads.ts'
import { fail } from '../../errors/api-error.ts'
import type { Services } from '../../api/services.ts'
import { submit } from '../../changes/submit.ts'
import { finishUpload } from '../../changes/uploads/store-upload.ts'
import { BYTES_PER_MIB } from '../../changes/uploads/uploads.ts'
import { checkArchive, decideArchive } from '../../decisions/organization/change-imports.ts'
import type { User } from '../../domain/entities.ts'
import type { ImportId } from '../../domain/ids.ts'
import { FileMissingError, FileTooLargeError } from '../../files/file-store.ts'
import type { RequestBody } from '../request-body.ts'
import type { SyncedSizes } from './synced-sizes.ts'

/** The supported extensions of the protocol. */
export const EXTENSIONS = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'expiration',
  'termination',
]
/** The lifetime of an upload, and how long its answer stays available. */
export const UPLOAD_EXPIRY_MS = 24 * 60 * 60 * 1000
/** Unfinished uploads of one user: a user who selects a folder starts them all at once. */
const UNFINISHED_COUNT_MAX = 100
/** Their bytes, as a multiple of the largest file: the unused space that a user may occupy. */
const UNFINISHED_FILES_MAX = 10
const NO_CHUNKS: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

/** The import that the metadata of an upload names; undefined for any other file. */
function importOf(metadata: string): ImportId | undefined {
  const id = readMetadata(metadata, 'import_id')
  if (id === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(id)) throw fail('IMPORT_UNKNOWN')
  return Number(id) as ImportId
}

/** A field of the header Upload-Metadata. */
function readMetadata(metadata: string, field: string): string | undefined {
  for (const pair of metadata.split(',')) {
    const [key, value = ''] = pair.split(' ')
    if (key === field) return Buffer.from(value, 'base64').toString('utf8')
  }
  return undefined
}

/** The upload's part of one request. */
export interface UploadRequest {
  readonly user: User
  readonly body: RequestBody | undefined
  /** The header Upload-Metadata, unparsed. */
  readonly metadata: string
  /** The header Upload-Offset, unparsed; empty without one. */
  readonly offset: string
}

/**
 * The uploads of a user. Bytes up to a reported offset are on disk. The last byte is reported only once the client has
 * the answer that makes the upload a regular file: a client that missed the answer sends that byte again, and then gets
 * it.
 */
export class UploadStore extends DataStore {
  override extensions = EXTENSIONS
  readonly #services: Services
  readonly #request: UploadRequest
  readonly #sizes: SyncedSizes
  #known: { readonly upload: TusUpload; size: number | undefined; readonly arrived: number } | undefined

  constructor(services: Services, sizes: SyncedSizes, request: UploadRequest) {
    super()
    this.#services = services
    this.#sizes = sizes
    this.#request = request
  }

  /** The upload that this request created; the client learns its address from the answer. */
  createdKey: string | undefined

  /** When the requested upload was created, in milliseconds; undefined if it was not found. */
  get createdAtMs(): number | undefined {
    return this.#known?.upload.createdAtMs
  }

  override async create(upload: Upload): Promise<Upload> {
    const { fileStore } = this.#services
    await this.#begin(upload)
    this.createdKey = upload.id
    await fileStore.create(upload.id)
    this.#known = { upload: await this.find(upload.id), size: upload.size, arrived: 0 }
    return upload
  }

  async #begin({ id: key, size }: Upload): Promise<void> {
    const { sql, state, uploads, clock } = this.#services
    const { user, metadata } = this.#request
    const begun = { key, size: size ?? null, metadata, createdAtMs: clock.nowMs() }
    const importId = importOf(metadata)
    if (importId !== undefined) {
      checkArchive({ state, caller: user, fail }, importId)
      return beginArchive(sql, user.id, { ...begun, importId })
    }
    const bytesOfUnknown = uploads.mibMax * BYTES_PER_MIB
    const bounds = {
      countMax: UNFINISHED_COUNT_MAX,
      bytesMax: UNFINISHED_FILES_MAX * bytesOfUnknown,
      bytesOfUnknown,
    }
    if (!(await beginTusUpload(sql, user.id, begun, bounds))) throw fail('UNFINISHED_UPLOADS_EXCEEDED')
  }

  /** Bytes that the library accepts: it asks before the upload is found, whose own limit holds later. */
  bytesMax(isNew: boolean): number {
    const { uploads, importArchiveMib } = this.#services
    return BYTES_PER_MIB * (isNew ? this.mibMax : Math.max(uploads.mibMax, importArchiveMib))
  }

  /** MiB of the largest file, for the upload that this request begins or goes on with. */
  get mibMax(): number {
    const { uploads, importArchiveMib } = this.#services
    const isArchive = this.#known
      ? this.#known.upload.importId !== null
      : importOf(this.#request.metadata) !== undefined
    return isArchive ? importArchiveMib : uploads.mibMax
  }

  override async getUpload(key: string): Promise<Upload> {
    const upload = await this.find(key)
    const size = upload.size ?? undefined
    const arrived = upload.reply === null ? await this.#sizes.read(key) : upload.size
    if (arrived === null || arrived === undefined) throw fail('RESUMABLE_UPLOAD_UNKNOWN')
    this.#known = { upload, size, arrived }
    // A client that already asks from the end gets the answer without sending a byte; an empty file has no byte to hold
    // back.
    const isAtEnd = this.#request.offset === String(arrived)
    const isReported = arrived !== size || arrived === 0 || upload.isAnswered || isAtEnd
    return new Upload({
      id: key,
      offset: isReported ? arrived : arrived - 1,
      ...(size === undefined ? {} : { size }),
      ...(upload.metadata === '' ? {} : { metadata: Metadata.parse(upload.metadata) }),
      creation_date: new Date(upload.createdAtMs).toISOString(),
    })
  }

  /** Reads the body of the request rather than the library's copy; returns the new offset. */
  override async write(_copy: unknown, key: string, offset: number): Promise<number> {
    const { body } = this.#request
    const { fileStore } = this.#services
    if (!this.#known) throw new Error(`upload ${key} is written to before it was found`)
    const { size, arrived } = this.#known
    try {
      if (arrived === size) return offset + (await countBytes(body, size - offset))
      const end = await fileStore.append(key, offset, body ?? NO_CHUNKS, size ?? this.mibMax * BYTES_PER_MIB)
      this.#sizes.note(key, end)
      return end
    } catch (error) {
      if (error instanceof FileTooLargeError) throw fail('UPLOAD_LENGTH_EXCEEDED')
      if (error instanceof FileMissingError) throw fail('RESUMABLE_UPLOAD_UNKNOWN')
      // This process was stopped for so long that another one has the upload.
      if (error instanceof RangeError) throw fail('UPLOAD_OFFSET_CONFLICT')
      throw error
    }
  }

  /** Makes a whole upload a file of its user, or the archive of an import; answers the body of the reply. */
  async finish({ key, metadata, importId }: TusUpload, size: number): Promise<object> {
    const { user } = this.#request
    const filename = readMetadata(metadata, 'filename') ?? ''
    if (importId === null) {
      const stored = await finishUpload(this.#services, user, { key, name: filename, size })
      return { url: stored.url, filename: stored.filename }
    }
    const archive = { key, bytes: size }
    await submit(this.#services, user.id, decideArchive, { importId, archive })
    return { import_id: importId, filename }
  }

  override async declareUploadLength(key: string, size: number): Promise<void> {
    const { mibMax } = this
    if (size > mibMax * BYTES_PER_MIB) throw fail('RESUMABLE_UPLOAD_TOO_LARGE', { mibMax })
    await declareTusSize(this.#services.sql, key, size)
    if (this.#known) this.#known.size = size
  }

  override async remove(key: string): Promise<void> {
    const { reply } = await this.find(key)
    if (reply !== null || !(await this.giveUp(key))) throw fail('RESUMABLE_UPLOAD_WHOLE')
  }

  /** Removes an unfinished upload; returns whether there was one. */
  async giveUp(key: string): Promise<boolean> {
    const { sql, fileStore } = this.#services
    if (!(await giveUpTusUpload(sql, key))) return false
    this.#sizes.forget(key)
    await fileStore.remove(key)
    await deleteFileRecord(sql, key)
    return true
  }

  /** The user's own upload; other users' uploads look absent. */
  async find(key: string): Promise<TusUpload> {
    const { sql, clock } = this.#services
    const upload = await findTusUpload(sql, key, this.#request.user.id)
    if (!upload) throw fail('RESUMABLE_UPLOAD_UNKNOWN')
    if (upload.createdAtMs + UPLOAD_EXPIRY_MS < clock.nowMs()) throw fail('RESUMABLE_UPLOAD_EXPIRED')
    return upload
  }
}

/** Counts the bytes that arrive, up to a limit. */
async function countBytes(body: RequestBody | undefined, bytesMax: number): Promise<number> {
  let count = 0
  for await (const { length } of body ?? NO_CHUNKS) {
    count += length
    if (count > bytesMax) throw fail('UPLOAD_LENGTH_EXCEEDED')
  }
  return count
}

/** The store for the tus library: one request's view of its user's uploads. */

import { DataStore, Metadata, Upload } from '@tus/server'
import {
  beginTusUpload,
  declareTusSize,
  findTusUpload,
  giveUpTusUpload,
  type TusUpload,
} from '../../../db/files/tus-uploads.ts'
import { deleteFileRecord } from '../../../db/files/uploads.ts'
import { fail } from '../../errors/api-error.ts'
import type { Services } from '../../api/services.ts'
import { BYTES_PER_MIB } from '../../changes/uploads/uploads.ts'
import type { User } from '../../domain/entities.ts'
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
    const { sql, fileStore, uploads, clock } = this.#services
    const { user, metadata } = this.#request
    const size = upload.size ?? null
    const bytesOfUnknown = uploads.mibMax * BYTES_PER_MIB
    const isBegun = await beginTusUpload(
      sql,
      user.id,
      { key: upload.id, size, metadata, createdAtMs: clock.nowMs() },
      { countMax: UNFINISHED_COUNT_MAX, bytesMax: UNFINISHED_FILES_MAX * bytesOfUnknown, bytesOfUnknown },
    )
    if (!isBegun) throw fail('UNFINISHED_UPLOADS_EXCEEDED')
    this.createdKey = upload.id
    await fileStore.create(upload.id)
    this.#known = { upload: await this.find(upload.id), size: upload.size, arrived: 0 }
    return upload
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
    const { fileStore, uploads } = this.#services
    if (!this.#known) throw new Error(`upload ${key} is written to before it was found`)
    const { size, arrived } = this.#known
    try {
      if (arrived === size) return offset + (await countBytes(body, size - offset))
      const end = await fileStore.append(
        key,
        offset,
        body ?? NO_CHUNKS,
        size ?? uploads.mibMax * BYTES_PER_MIB,
      )
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

  override async declareUploadLength(key: string, size: number): Promise<void> {
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

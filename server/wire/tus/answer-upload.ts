/** Answers requests of the resumable protocol with the tus library; loaded at the first one. */

import { DataStore, ERRORS, Server } from '@tus/server'
import { giveUpTusUpload, markTusAnswered, storeTusReply } from '../../../db/files/tus-uploads.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import type { Services } from '../../api/services.ts'
import { BYTES_PER_MIB } from '../../changes/uploads/uploads.ts'
import type { UserId } from '../../domain/ids.ts'
import { createFileKey } from '../../files/file-key.ts'
import { FileMissingError } from '../../files/file-store.ts'
import { TUS_BASE, tusAddress } from '../../files/tus-address.ts'
import type { TusAnswer, TusRequest } from './messages.ts'
import { CACHED_MAX, type SyncedSizes } from './synced-sizes.ts'
import { EXTENSIONS, UPLOAD_EXPIRY_MS, UploadStore } from './upload-store.ts'
import type { EndTurn, UploadTurns } from './upload-turns.ts'

/** The tools that all requests of a process share. */
export interface UploadTools {
  readonly services: Services
  readonly turns: UploadTurns
  readonly sizes: SyncedSizes
  /** The cached owners of uploads: an owner never changes. */
  readonly owners: Map<string, UserId>
}

const VERSION = '1.0.0'
const BODY_TYPE = 'application/offset+octet-stream'
const METHODS = { all: ['OPTIONS', 'POST'], one: ['DELETE', 'HEAD', 'OPTIONS', 'PATCH'] } as const

/** Rejects with an `ApiError` if the request is refused. */
export async function answerUpload(request: TusRequest, tools: UploadTools): Promise<TusAnswer> {
  check(request)
  return new UploadAnswer(request, tools).answer()
}

/** The capabilities for `OPTIONS`: extensions and the size of the largest file. */
export async function describeUploads({ uploads }: Services): Promise<TusAnswer> {
  const datastore = new DataStore()
  datastore.extensions = EXTENSIONS
  const server = new Server({ path: TUS_BASE, datastore, maxSize: uploads.mibMax * BYTES_PER_MIB })
  const { status, headers } = await server.handleWeb(
    new Request(`http://localhost${TUS_BASE}`, { method: 'OPTIONS' }),
  )
  return { status, headers, body: '', onEnd: undefined }
}

/** Checks that the library lacks, or answers with other statuses than the protocol's. */
function check({ method, key, headers }: TusRequest): void {
  const allowed: readonly string[] = key === undefined ? METHODS.all : METHODS.one
  if (!allowed.includes(method)) throw fail('METHOD_NOT_ALLOWED', { allowed: [...allowed] })
  if (headers.get('tus-resumable') !== VERSION) throw fail('TUS_VERSION_UNSUPPORTED')
  if (method !== 'PATCH') return
  if (headers.get('content-type') !== BODY_TYPE) throw fail('TUS_CONTENT_TYPE')
  if (!headers.has('upload-offset'))
    throw fail('PARAMETER_INVALID', { message: 'The header Upload-Offset is missing' })
}

/** One request on its way through the library. */
class UploadAnswer {
  readonly #request: TusRequest
  readonly #tools: UploadTools
  readonly #store: UploadStore
  #failure: ApiError | undefined
  #isFinishing = false
  /** The turn of an upload that this request completed; it lasts until the answer is sent or lost. */
  #finished: { readonly key: string; readonly endTurn: EndTurn } | undefined

  constructor(request: TusRequest, tools: UploadTools) {
    const { user, body, headers } = request
    this.#request = request
    this.#tools = tools
    const metadata = headers.get('upload-metadata') ?? ''
    const offset = headers.get('upload-offset') ?? ''
    this.#store = new UploadStore(tools.services, tools.sizes, { user, body, metadata, offset })
  }

  async answer(): Promise<TusAnswer> {
    try {
      return await this.#answer()
    } catch (error) {
      await this.#dropUnanswered()
      throw error
    }
  }

  async #answer(): Promise<TusAnswer> {
    const { method, key, headers } = this.#request
    const response = await this.#createServer().handleWeb(
      // The store reads the body: the library would copy it three times.
      new Request(`http://localhost${TUS_BASE}/${key ?? ''}`, { method, headers }),
    )
    const body = await response.text()
    if (this.#failure) throw this.#failure
    if (response.status >= 400) throw fail('PARAMETER_INVALID', { message: body.trim() })
    const finished = this.#finished
    if (finished) {
      return {
        status: response.status,
        headers: response.headers,
        body,
        onEnd: (isSent) => this.#end(finished, isSent),
      }
    }
    const { createdAtMs } = this.#store
    if (createdAtMs !== undefined && (method === 'POST' || method === 'PATCH'))
      response.headers.set('Upload-Expires', new Date(createdAtMs + UPLOAD_EXPIRY_MS).toUTCString())
    const onEnd = async (isSent: boolean) => void (isSent || (await this.#dropUnanswered()))
    return { status: response.status, headers: response.headers, body, onEnd }
  }

  /** Removes an upload that this request created and whose address the client never got: nobody can resume it. */
  async #dropUnanswered(): Promise<void> {
    const { createdKey } = this.#store
    // If it was being stored as a file, it may be one already.
    if (createdKey === undefined || this.#isFinishing) return
    await this.#store.giveUp(createdKey).catch(this.#tools.services.onError)
  }

  #createServer(): Server {
    const { method, key, body, origin } = this.#request
    const { services, turns } = this.#tools
    return new Server({
      path: TUS_BASE,
      datastore: this.#store,
      locker: { newLock: (id) => new TurnLock(id, turns, () => body?.cut()) },
      maxSize: () => this.#store.bytesMax(method === 'POST'),
      namingFunction: createFileKey,
      getFileIdFromRequest: () => key,
      generateUrl: (_, { id }) => origin + tusAddress(id),
      // Before the turn: users cannot end other users' requests.
      onIncomingRequest: async (_, id) => {
        if (method !== 'POST') await this.#checkOwner(id)
      },
      onUploadCreate: async (_, { size = 0 }) => {
        const { quotaMib } = services.uploads
        // An upload that is certain to be refused in the end is refused at once.
        const isOver = quotaMib !== null && services.state.uploadSpaceUsed + size > quotaMib * BYTES_PER_MIB
        if (isOver) throw fail('UPLOAD_QUOTA')
        return {}
      },
      onUploadFinish: async (_, { id, size = 0 }) => {
        const reply = await this.#finish(id, size)
        // The protocol's own status for a PATCH has no body.
        const status = method === 'PATCH' ? { status_code: 200 } : {}
        return { ...status, body: reply, headers: { 'Content-Type': 'application/json' } }
      },
      onResponseError: (_, error) => {
        this.#failure = this.#toApiError(error)
        return { status_code: this.#failure.status, body: '' }
      },
    })
  }

  async #checkOwner(key: string): Promise<void> {
    const { owners } = this.#tools
    const { user } = this.#request
    if (owners.get(key) === user.id) return
    await this.#store.find(key)
    if (owners.size >= CACHED_MAX) owners.clear()
    owners.set(key, user.id)
  }

  /** Stores the upload as a regular file, once; returns the answer's body. */
  async #finish(key: string, size: number): Promise<string> {
    const { services, turns } = this.#tools
    this.#isFinishing = true
    const endTurn = await turns.take(key)
    try {
      const upload = await this.#store.find(key)
      let { reply } = upload
      if (reply === null) {
        await services.fileStore.finish(key).catch(refuseMissing)
        reply = JSON.stringify(await this.#store.finish(upload, size))
        await storeTusReply(services.sql, key, reply)
      }
      this.#finished = { key, endTurn }
      return reply
    } catch (error) {
      // A permanently refused upload is removed.
      if (error instanceof ApiError) await giveUpTusUpload(services.sql, key)
      endTurn()
      throw error
    }
  }

  async #end({ key, endTurn }: { key: string; endTurn: EndTurn }, isSent: boolean): Promise<void> {
    const { services, sizes } = this.#tools
    try {
      if (isSent) await markTusAnswered(services.sql, key)
    } catch (error) {
      services.onError(error)
    } finally {
      sizes.forget(key)
      endTurn()
    }
  }

  #toApiError(error: unknown): ApiError {
    if (error instanceof ApiError) return error
    switch (error) {
      case ERRORS.FILE_NOT_FOUND:
        return fail('RESUMABLE_UPLOAD_UNKNOWN')
      case ERRORS.INVALID_OFFSET:
        return fail('UPLOAD_OFFSET_CONFLICT')
      case ERRORS.ERR_SIZE_EXCEEDED:
        return fail('UPLOAD_LENGTH_EXCEEDED')
      case ERRORS.ERR_MAX_SIZE_EXCEEDED:
        return fail('RESUMABLE_UPLOAD_TOO_LARGE', { mibMax: this.#store.mibMax })
      case ERRORS.INVALID_TERMINATION:
        return fail('RESUMABLE_UPLOAD_WHOLE')
      case ERRORS.INVALID_LENGTH:
      case ERRORS.INVALID_METADATA:
      case ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION:
        return fail('PARAMETER_INVALID', { message: (error as { body: string }).body.trim() })
      default:
        throw error
    }
  }
}

/** A store that lost bytes of an upload: the client begins anew. */
function refuseMissing(error: unknown): never {
  if (error instanceof FileMissingError) throw fail('RESUMABLE_UPLOAD_UNKNOWN')
  throw error
}

/** A turn in the library's form. */
class TurnLock {
  readonly #key: string
  readonly #turns: UploadTurns
  readonly #onWanted: () => void
  #endTurn: EndTurn | undefined

  constructor(key: string, turns: UploadTurns, onWanted: () => void) {
    this.#key = key
    this.#turns = turns
    this.#onWanted = onWanted
  }

  async lock(): Promise<void> {
    this.#endTurn = await this.#turns.take(this.#key, this.#onWanted)
  }

  async unlock(): Promise<void> {
    this.#endTurn?.()
  }
}

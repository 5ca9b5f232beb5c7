/**
 * Files in an object store that speaks S3. All objects of a file begin with its key: the whole file, its variants, and
 * while it grows its records.
 */

import type { Readable } from 'node:stream'
import type { StoreAddress } from '../../domain/settings/store-address.ts'
import { isFileKey } from '../file-key.ts'
import {
  FileMissingError,
  type FileStore,
  FilesUnavailableError,
  FileTooLargeError,
  type SignedAnswer,
} from '../file-store.ts'
import { abortUpload, GrowingObject, readRecordName } from './growing-object.ts'
import { openObject } from './open-object.ts'
import { type ListedObject, readObjects, readUploads } from './read-answers.ts'
import { StoreRefusal, StoreRequests } from './s3-requests.ts'

/** The name of the original after its key. */
const ORIGINAL = 'original'
/** The object with the id of the organization that the files belong to. */
const OWNER = 'organization'
/** Seconds for which a signed address works: a client follows it at once. */
const SIGNED_SECONDS = 60

/** A file in a listing of its key. */
interface Listed {
  /** Bytes of the whole object; undefined without one. */
  readonly whole: number | undefined
  /** Bytes in the newest record; undefined without one. A late process may leave one beside the whole object. */
  readonly growing: number | undefined
  readonly records: readonly string[]
}

/** Files in a bucket, all below one prefix. */
export class S3FileStore implements FileStore {
  readonly #requests: StoreRequests
  /** The start of all names. */
  readonly #base: string

  constructor(address: StoreAddress, answerMsMax?: number) {
    this.#requests = new StoreRequests(address, answerMsMax)
    this.#base = address.prefix
  }

  async write(key: string, chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<number> {
    const name = this.#nameOf(key)
    const original = originalOf(key)
    if (original !== key) await this.#requireWhole(original)
    const object = GrowingObject.begin(this.#requests, name, bytesMax)
    try {
      for await (const chunk of chunks) {
        requireRoom(object.bytes + chunk.length, bytesMax)
        await object.take(chunk, false)
      }
      const { bytes } = object
      await this.#join(object, name)
      await this.#delete(object.records)
      // The original may be gone since it was looked for, and its variants with it.
      if (original !== key) await this.#requireWhole(original).catch((error) => this.#withdraw(name, error))
      return bytes
    } catch (error) {
      // If the store fails, its records stay until the file is removed.
      if (!(error instanceof FilesUnavailableError)) await this.#giveUp(object)
      throw error
    }
  }

  async create(key: string): Promise<void> {
    await GrowingObject.begin(this.#requests, this.#nameOf(key), Number.POSITIVE_INFINITY).record()
  }

  async append(
    key: string,
    offset: number,
    chunks: AsyncIterable<Uint8Array>,
    bytesMax: number,
  ): Promise<number> {
    const name = this.#nameOf(key)
    const { growing, whole } = await this.#find(name)
    const size = whole ?? growing
    if (size === undefined) throw new FileMissingError('there is no such file')
    if (size !== offset) throw new RangeError(`${key} has ${size} bytes, not ${offset}`)
    let object: GrowingObject | undefined
    try {
      for await (const chunk of chunks) {
        if (whole !== undefined) throw new RangeError(`${key} has ended its growth`)
        object ??= await GrowingObject.load(this.#requests, name, size, bytesMax)
        requireRoom(object.bytes + chunk.length, bytesMax)
        await object.take(chunk, true)
      }
    } finally {
      await object?.record()
    }
    await object?.tidy()
    return object?.bytes ?? size
  }

  async finish(key: string): Promise<void> {
    const name = this.#nameOf(key)
    const { growing, whole, records } = await this.#find(name)
    if (whole === undefined) {
      if (growing === undefined) throw new FileMissingError('there is no such file')
      await this.#join(
        await GrowingObject.load(this.#requests, name, growing, Number.POSITIVE_INFINITY),
        name,
      )
    }
    await this.#delete(records)
  }

  async size(key: string): Promise<number | undefined> {
    const { growing, whole } = await this.#find(this.#nameOf(key))
    return whole ?? growing
  }

  async open(key: string, start = 0, end = Number.POSITIVE_INFINITY): Promise<Readable> {
    return openObject(this.#requests, this.#nameOf(key), start, end)
  }

  async localPath(): Promise<undefined> {}

  async readAll(key: string, bytesMax: number): Promise<Uint8Array> {
    return this.#requests.read(this.#nameOf(key), bytesMax)
  }

  async remove(key: string): Promise<void> {
    const name = this.#nameOf(key)
    if (originalOf(key) !== key) return this.#delete([name])
    const names: string[] = []
    const records = new Map<string, number>()
    for await (const listed of this.#list(`${this.#base}${key}/`)) {
      const record = readRecordName(listed.name)
      names.push(listed.name)
      if (record) records.set(record.name, Math.max(record.bytes, records.get(record.name) ?? 0))
    }
    for (const [growing, bytes] of records) {
      const object = await GrowingObject.load(this.#requests, growing, bytes, 0).catch(ignoreMissing)
      await object?.abort()
    }
    // The original goes first: then no variant is made any more.
    await this.#delete(names.sort((one, other) => Number(other === name) - Number(one === name)))
  }

  signAddress(key: string, { contentType, disposition, cacheControl }: SignedAnswer): Promise<string> {
    const query = {
      'response-content-type': contentType,
      'response-content-disposition': disposition,
      'response-cache-control': cacheControl,
    }
    return Promise.resolve(this.#requests.sign(this.#nameOf(key), SIGNED_SECONDS, query))
  }

  async *sweep(before: Date, organization: string): AsyncGenerator<string> {
    await this.#requireOwner(organization)
    for await (const upload of this.#listUploads()) {
      if (upload.beganAtMs < before.getTime()) await abortUpload(this.#requests, upload.name, upload.uploadId)
    }
    let last = ''
    for await (const { name, changedAtMs } of this.#list(this.#base)) {
      const key = name.slice(this.#base.length, name.lastIndexOf('/'))
      if (key === last || changedAtMs >= before.getTime() || !isFileKey(key)) continue
      last = key
      yield key
    }
  }

  /** Makes an object whole. If only the answer was lost, another try finds no multipart upload any more. */
  async #join(object: GrowingObject, name: string): Promise<void> {
    const { bytes } = object
    try {
      await object.join()
    } catch (error) {
      if (!(error instanceof FileMissingError) || (await this.#find(name)).whole !== bytes) throw error
    }
  }

  async #find(name: string): Promise<Listed> {
    let whole: number | undefined
    let growing: number | undefined
    const records: string[] = []
    for await (const listed of this.#list(name)) {
      if (listed.name === name) whole = listed.bytes
      const record = readRecordName(listed.name)
      if (record?.name !== name) continue
      growing = Math.max(record.bytes, growing ?? 0)
      records.push(listed.name)
    }
    return { whole, growing, records }
  }

  async *#list(prefix: string): AsyncGenerator<ListedObject> {
    let next: Readonly<Record<string, string>> | undefined = {}
    while (next) {
      const query = { 'list-type': '2', prefix, ...next }
      const page = readObjects((await this.#requests.send({ method: 'GET', query })).text)
      yield* page.items
      next = page.next
    }
  }

  /** Multipart uploads; none if the store cannot list them. */
  async *#listUploads() {
    let next: Readonly<Record<string, string>> | undefined = {}
    while (next) {
      const query = { uploads: '', prefix: this.#base, ...next }
      const answer = await this.#requests.send({ method: 'GET', query }).catch(ignoreUnknownCall)
      if (!answer) return
      const page = readUploads(answer.text)
      yield* page.items
      next = page.next
    }
  }

  /** The first organization that sweeps owns the files: another one knows none of them, and would remove them all. */
  async #requireOwner(organization: string): Promise<void> {
    const name = `${this.#base}${OWNER}`
    const owner = (await this.#requests.read(name).catch(ignoreMissing))?.toString()
    if (owner === undefined)
      await this.#requests.send({ method: 'PUT', name, body: [Buffer.from(organization)] })
    else if (owner !== organization)
      throw new Error(`the files at FILES_URL belong to the organization ${owner}, not to ${organization}`)
  }

  async #requireWhole(key: string): Promise<void> {
    const { whole } = await this.#find(this.#nameOf(key))
    if (whole === undefined) throw new FileMissingError('there is no such file')
  }

  async #withdraw(name: string, error: unknown): Promise<never> {
    await this.#delete([name])
    throw error
  }

  async #giveUp(object: GrowingObject): Promise<void> {
    await object.abort()
    await this.#delete(object.records)
  }

  async #delete(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#requests.send({ method: 'DELETE', name })
  }

  #nameOf(key: string): string {
    if (!isFileKey(key)) throw new Error('not a key of a file')
    const original = originalOf(key)
    return `${this.#base}${original}/${key === original ? ORIGINAL : key.slice(original.length + 1)}`
  }
}

/** The key of the original of a file. */
function originalOf(key: string): string {
  const dot = key.indexOf('.')
  return dot < 0 ? key : key.slice(0, dot)
}

function requireRoom(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw new FileTooLargeError(`the file has more than ${bytesMax} bytes`)
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof FileMissingError)) throw error
}

function ignoreUnknownCall(error: unknown): undefined {
  if (!(error instanceof StoreRefusal && [405, 501].includes(error.status))) throw error
}

/**
 * An object that grows. A store takes objects whole, or in parts of at least 5 MiB, so bytes that do not fill a part yet
 * wait in a record: an object of its own, which names the multipart upload with its parts and holds the bytes after
 * them. The name of a record has the number of bytes so far. Bytes count once a record has them. A record with fewer
 * bytes is obsolete, so a process that stopped and comes back late takes nothing away.
 */

import { createHash } from 'node:crypto'
import { FileMissingError, FilesUnavailableError } from '../file-store.ts'
import { readUploadId } from './read-answers.ts'
import { StoreRefusal, type StoreRequests } from './s3-requests.ts'

/** The smallest part of a multipart upload that is not its last one. */
const PART_BYTES_MIN = 5 * 1024 * 1024
/** Parts of one object: stores refuse more than 10,000. */
const PARTS_MAX = 9_900
/** Bytes that memory for a part starts with. */
const FIRST_BYTES = 64 * 1024
/** Digits of the number of bytes in the name of a record. */
const OFFSET_DIGITS = 16
const RECORD_MARK = '_growing-'
/** Codes with which a store says that a multipart upload or one of its parts is gone. */
const LOST_CODES: readonly string[] = ['NoSuchUpload', 'InvalidPart', 'InvalidPartOrder', 'EntityTooSmall']
/** Statuses of a store that has no abandoned parts, or no call to abandon them. */
const NO_ABORT_STATUSES: readonly number[] = [404, 405, 501]

/** The parts so far; all have the same number of bytes. */
interface Parts {
  readonly partBytes: number
  /** Undefined until there is a part. */
  readonly uploadId: string | undefined
  readonly etags: readonly string[]
}

/** The name of a record of an object. */
function recordName(name: string, bytes: number): string {
  return `${name}${RECORD_MARK}${String(bytes).padStart(OFFSET_DIGITS, '0')}`
}

/** The object and the number of bytes of a record; undefined if the name is not one of a record. */
export function readRecordName(
  record: string,
): { readonly name: string; readonly bytes: number } | undefined {
  const at = record.lastIndexOf(RECORD_MARK)
  if (at < 0) return undefined
  return { name: record.slice(0, at), bytes: Number(record.slice(at + RECORD_MARK.length)) }
}

/** The bytes of a part, so that all of a file fit into the parts that there may be. */
function partBytesFor(bytesMax: number): number {
  return Math.max(PART_BYTES_MIN, Number.isFinite(bytesMax) ? Math.ceil(bytesMax / PARTS_MAX) : 0)
}

/** An object in the hands of one writer. */
export class GrowingObject {
  readonly #requests: StoreRequests
  readonly #name: string
  readonly #partBytes: number
  readonly #etags: string[]
  #uploadId: string | undefined
  /** The bytes after the parts. */
  #memory = new Uint8Array(0)
  #tailBytes = 0
  #hash = createHash('sha256')
  /** The bytes in the newest record; undefined if there is none. */
  #recordedBytes: number | undefined
  /** Records that this writer replaced. */
  readonly #obsolete: string[] = []
  #isBroken = false

  private constructor(requests: StoreRequests, name: string, { partBytes, uploadId, etags }: Parts) {
    this.#requests = requests
    this.#name = name
    this.#partBytes = partBytes
    this.#uploadId = uploadId
    this.#etags = [...etags]
  }

  /** A new object without a record. */
  static begin(requests: StoreRequests, name: string, bytesMax: number): GrowingObject {
    return new GrowingObject(requests, name, {
      partBytes: partBytesFor(bytesMax),
      uploadId: undefined,
      etags: [],
    })
  }

  /** The object as a record has it; rejects with a `FileMissingError` if the record is gone. */
  static async load(
    requests: StoreRequests,
    name: string,
    bytes: number,
    bytesMax: number,
  ): Promise<GrowingObject> {
    const answer = await requests.read(recordName(name, bytes))
    const end = answer.indexOf('\n')
    const parts = JSON.parse(answer.subarray(0, end).toString()) as Partial<Parts>
    const { partBytes = 0, uploadId, etags = [] } = parts
    const object = new GrowingObject(requests, name, {
      // The size of the file may have been unknown before.
      partBytes: uploadId === undefined ? Math.max(partBytes, partBytesFor(bytesMax)) : partBytes,
      uploadId,
      etags,
    })
    object.#add(answer.subarray(end + 1))
    object.#recordedBytes = bytes
    if (object.bytes !== bytes) throw new Error(`a record of ${bytes} bytes has ${object.bytes}`)
    return object
  }

  get bytes(): number {
    return this.#etags.length * this.#partBytes + this.#tailBytes
  }

  /** Copies a chunk, and stores each part that is full; records each one if `isRecorded`. */
  async take(chunk: Uint8Array, isRecorded: boolean): Promise<void> {
    try {
      for (let taken = 0; taken < chunk.length; ) {
        const part = chunk.subarray(taken, taken + this.#partBytes - this.#tailBytes)
        this.#add(part)
        taken += part.length
        if (this.#tailBytes < this.#partBytes) continue
        await this.#begin(isRecorded)
        await this.#storePart()
        if (isRecorded) await this.record()
      }
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  /** Makes the bytes so far durable, except those that the store did not take. */
  async record(): Promise<void> {
    if (this.#isBroken || this.#recordedBytes === this.bytes) return
    if (this.#recordedBytes !== undefined) this.#obsolete.push(recordName(this.#name, this.#recordedBytes))
    await this.#put(this.bytes)
  }

  /** Removes the records that this writer replaced. */
  async tidy(): Promise<void> {
    for (const name of this.#obsolete.splice(0)) await this.#requests.send({ method: 'DELETE', name })
    this.#free()
  }

  /** Makes it one whole object; rejects with a `FileMissingError` if the store lost a part. */
  async join(): Promise<void> {
    const { uploadId } = this
    if (uploadId === undefined) {
      const body = [this.#memory.subarray(0, this.#tailBytes)]
      await this.#requests.send({ method: 'PUT', name: this.#name, body, sha256: this.#hash.digest('hex') })
      this.#free()
      return
    }
    try {
      if (this.#tailBytes > 0) await this.#storePart()
      const parts = this.#etags.map(
        (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escape(etag)}</ETag></Part>`,
      )
      await this.#requests.send({
        method: 'POST',
        name: this.#name,
        query: { uploadId },
        headers: { 'Content-Type': 'application/xml' },
        body: [Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)],
        takes: 'join',
      })
    } catch (error) {
      if (error instanceof StoreRefusal && LOST_CODES.includes(error.code))
        throw new FileMissingError('the object store lost a part of the file', { cause: error })
      throw error
    }
    this.#free()
  }

  /** Gives up the multipart upload, if there is one. */
  async abort(): Promise<void> {
    const { uploadId } = this
    if (uploadId === undefined) return
    await abortUpload(this.#requests, this.#name, uploadId)
  }

  /** The names of the records that this writer wrote. */
  get records(): readonly string[] {
    return this.#recordedBytes === undefined
      ? this.#obsolete
      : [...this.#obsolete, recordName(this.#name, this.#recordedBytes)]
  }

  get uploadId(): string | undefined {
    return this.#uploadId
  }

  /** Begins a multipart upload before the first part, and records it, so that it can be given up after a crash. */
  async #begin(isRecorded: boolean): Promise<void> {
    if (this.#uploadId !== undefined) return
    const { text } = await this.#requests.send({ method: 'POST', name: this.#name, query: { uploads: '' } })
    this.#uploadId = readUploadId(text)
    if (!isRecorded) await this.#put(0)
  }

  async #storePart(): Promise<void> {
    const { headers } = await this.#requests.send({
      method: 'PUT',
      name: this.#name,
      query: { partNumber: String(this.#etags.length + 1), uploadId: this.#uploadId as string },
      body: [this.#memory.subarray(0, this.#tailBytes)],
      sha256: this.#hash.digest('hex'),
      takes: 'part',
    })
    if (!headers.etag) throw new FilesUnavailableError('the object store takes a part without an ETag')
    this.#etags.push(headers.etag)
    this.#tailBytes = 0
    this.#hash = createHash('sha256')
  }

  /** Writes the record for a number of bytes: the present one, or 0 while only the multipart upload has begun. */
  async #put(bytes: number): Promise<void> {
    const parts: Parts = { partBytes: this.#partBytes, uploadId: this.#uploadId, etags: this.#etags }
    const tail = bytes === 0 ? new Uint8Array(0) : this.#memory.subarray(0, this.#tailBytes)
    const head = Buffer.from(`${JSON.stringify(parts)}\n`)
    const name = recordName(this.#name, bytes)
    await this.#requests.send({ method: 'PUT', name, body: [head, tail], takes: 'part' })
    this.#recordedBytes = bytes
  }

  #add(bytes: Uint8Array): void {
    const needed = this.#tailBytes + bytes.length
    if (needed > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.min(this.#partBytes, Math.max(needed, 4 * this.#memory.length, FIRST_BYTES)),
      )
      larger.set(this.#memory.subarray(0, this.#tailBytes))
      this.#memory = larger
    }
    this.#memory.set(bytes, this.#tailBytes)
    this.#hash.update(bytes)
    this.#tailBytes = needed
  }

  /** The garbage collector would wait for tens of MiB. All of it is sent: the store has answered. */
  #free(): void {
    if (this.#isBroken) return
    this.#memory.buffer.transfer(0)
    this.#memory = new Uint8Array(0)
  }
}

/** Gives up a multipart upload; does nothing if it is gone. */
export async function abortUpload(requests: StoreRequests, name: string, uploadId: string): Promise<void> {
  try {
    await requests.send({ method: 'DELETE', name, query: { uploadId } })
  } catch (error) {
    const isGone = error instanceof StoreRefusal && NO_ABORT_STATUSES.includes(error.status)
    if (!isGone) throw error
  }
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

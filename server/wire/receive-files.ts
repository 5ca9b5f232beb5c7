/** Streams the files of a multipart body to the file store: only a few chunks are in memory. */

import { Busboy } from '@fastify/busboy'
import { fail } from '../errors/api-error.ts'
import type { ArrivedFiles } from '../api/operation.ts'
import type { ArrivedFile } from '../changes/uploads/uploads.ts'
import { FilesUnavailableError, FileTooLargeError } from '../files/file-store.ts'
import { FIELD_NAME_BYTES_MAX, FILES_MAX, HEADERS_PER_PART_MAX } from './decode-body.ts'
import { FIELDS_MAX, tooManyFields } from './decode-form.ts'
import { MultipartHeads, multipartType, readBoundary } from './multipart-head.ts'

/** Bytes per write to the parser. */
const SLICE_BYTES = 64 * 1024
/** Bytes of all fields beside a file. */
const FIELD_BYTES_MAX = 64 * 1024
/** Bytes of a body beside its file: fields and boundaries, of which there may be many. */
const BYTES_BESIDE_MAX = 1024 * 1024

/** A body with files, and how to store them. */
export interface ComingFiles {
  readonly contentType: string
  /** Ends early if the client disconnects; then `isGone` is true. */
  readonly body: AsyncIterable<Uint8Array>
  readonly isGone: () => boolean
  /** Receives the other fields. */
  readonly fields: Map<string, string>
  readonly bytesMax: number
  /** Stores a file; if its chunks reject, so does this, and nothing is stored. */
  receive(name: string, chunks: AsyncIterable<Uint8Array>): Promise<ArrivedFile>
  /** Called if a file could not be stored. */
  onError(error: unknown): void
  /** Removes a stored file. */
  discard(file: ArrivedFile): Promise<void>
}

/** The client disconnected before the end of its body. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

class SecondFileError extends Error {
  override readonly name = 'SecondFileError'
}

/**
 * Receives the first file of a body. Stops reading at a second one, and if the first is too large. Rejects with a
 * `ClientGoneError`, with an error about the body, or with the error of `receive`; then no file is stored.
 */
export async function receiveFiles(coming: ComingFiles): Promise<ArrivedFiles> {
  const form = new ComingForm(coming)
  try {
    return await form.read()
  } catch (error) {
    return await form.giveUp(error)
  }
}

type FileStream = NodeJS.ReadableStream & { destroy(error: Error): unknown }

/** A multipart body under way. */
class ComingForm {
  readonly #coming: ComingFiles
  readonly #heads: MultipartHeads
  readonly #parser: InstanceType<typeof Busboy>
  readonly #finished: Promise<void>
  readonly #failure = Promise.withResolvers<never>()
  #fieldBytes = 0
  #stream: FileStream | undefined
  #first: Promise<ArrivedFile> | undefined

  constructor(coming: ComingFiles) {
    this.#coming = coming
    const boundary = readBoundary(coming.contentType)
    this.#heads = new MultipartHeads(boundary)
    this.#parser = new Busboy({
      headers: { 'content-type': multipartType(boundary) },
      preservePath: true, // The store cleans the name; an empty name means no file.
      limits: {
        fields: FIELDS_MAX,
        parts: FIELDS_MAX + FILES_MAX,
        headerPairs: HEADERS_PER_PART_MAX,
        fieldNameSize: FIELD_NAME_BYTES_MAX,
        fieldSize: FIELD_BYTES_MAX + 1, // A longer field is cut off and then counts as too large.
        fileSize: coming.bytesMax,
      },
    })
    this.#failure.promise.catch(() => undefined) // It may reject before anything awaits it.
    this.#finished = new Promise<void>((resolve) => void this.#parser.on('finish', resolve))
    this.#listen()
  }

  /** Reads the body to its end; rejects with the first failure. */
  async read(): Promise<ArrivedFiles> {
    const { body, bytesMax } = this.#coming
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > bytesMax + BYTES_BESIDE_MAX) throw new FileTooLargeError('the body is larger than any file')
      for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
        const slice = chunk.subarray(start, start + SLICE_BYTES)
        this.#heads.push(slice)
        await this.#feed(slice)
      }
    }
    if (this.#coming.isGone()) throw new ClientGoneError('the client is gone')
    this.#parser.end()
    await Promise.race([this.#finished, this.#failure.promise])
    return { count: this.#first ? 1 : 0, first: await this.#first }
  }

  /** Discards what arrived; resolves if the failure is one of the file alone, which its operation answers. */
  async giveUp(error: unknown): Promise<ArrivedFiles> {
    this.#stream?.destroy(error as Error)
    let cause = error
    const arrived = await this.#first?.catch((reason: unknown) => {
      // If the store stops reading, the parser reports a file that is cut short.
      if (reason instanceof FilesUnavailableError) cause = reason
    })
    if (arrived) await this.#coming.discard(arrived)
    if (cause instanceof FilesUnavailableError) {
      this.#coming.onError(cause)
      return { count: 1, first: 'not_kept' }
    }
    if (error instanceof FileTooLargeError) return { count: 1, first: 'too_large' }
    if (error instanceof SecondFileError) return { count: 2, first: undefined }
    throw error
  }

  #listen(): void {
    const { fields } = this.#coming
    const { reject } = this.#failure
    this.#parser.on('error', () => this.#refuse())
    this.#parser.on('fieldsLimit', () => reject(tooManyFields()))
    this.#parser.on('partsLimit', () => reject(tooManyFields()))
    // The parser's types promise a name and a value, but a part may have neither.
    this.#parser.on('field', (name: string | undefined, value: string | undefined) => {
      this.#fieldBytes += value?.length ?? 0
      if (this.#fieldBytes > FIELD_BYTES_MAX) reject(fail('BODY_TOO_LARGE', { bytesMax: FIELD_BYTES_MAX }))
      else if (name !== undefined) fields.set(name, value ?? '')
    })
    this.#parser.on('file', (_name, file, fileName: string | undefined) => {
      file.on('error', () => this.#refuse()) // For a file that is cut short.
      // Forms send an empty file name if no file was chosen.
      if (fileName === '') file.resume()
      else if (this.#first) {
        file.resume()
        reject(new SecondFileError('a second file'))
      } else this.#receive(fileName ?? '', file)
    })
  }

  #receive(fileName: string, file: FileStream): void {
    const { bytesMax } = this.#coming
    const tooLarge = () => new FileTooLargeError(`the file has more than ${bytesMax} bytes`)
    file.on('limit', () => this.#failure.reject(tooLarge()))
    this.#stream = file
    this.#first = this.#coming.receive(fileName, file as AsyncIterable<Uint8Array>)
    this.#first.catch(this.#failure.reject)
  }

  #refuse(): void {
    const isGone = this.#coming.isGone()
    this.#failure.reject(isGone ? new ClientGoneError('the client is gone') : fail('BODY_MALFORMED'))
  }

  #feed(slice: Uint8Array): Promise<void> {
    const taken = new Promise<void>((resolve) => void this.#parser.write(slice, () => resolve()))
    return Promise.race([taken, this.#failure.promise])
  }
}

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
  const { contentType, body, fields, bytesMax } = coming
  const boundary = readBoundary(contentType)
  const heads = new MultipartHeads(boundary)
  const parser = new Busboy({
    headers: { 'content-type': multipartType(boundary) },
    preservePath: true, // The store cleans the name; an empty name means no file.
    limits: {
      fields: FIELDS_MAX,
      parts: FIELDS_MAX + FILES_MAX,
      headerPairs: HEADERS_PER_PART_MAX,
      fieldNameSize: FIELD_NAME_BYTES_MAX,
      fieldSize: FIELD_BYTES_MAX + 1, // A longer field is cut off and then counts as too large.
      fileSize: bytesMax,
    },
  })
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => undefined) // It may reject before anything awaits it.
  const malformed = () =>
    failure.reject(coming.isGone() ? new ClientGoneError('the client is gone') : fail('BODY_MALFORMED'))
  let fieldBytes = 0
  let stream: (NodeJS.ReadableStream & { destroy(error: Error): unknown }) | undefined
  let first: Promise<ArrivedFile> | undefined
  const finished = new Promise<void>((resolve) => void parser.on('finish', resolve))
  parser.on('error', malformed)
  parser.on('fieldsLimit', () => failure.reject(tooManyFields()))
  parser.on('partsLimit', () => failure.reject(tooManyFields()))
  // The parser's types promise a name and a value, but a part may have neither.
  parser.on('field', (name: string | undefined, value: string | undefined) => {
    fieldBytes += value?.length ?? 0
    if (fieldBytes > FIELD_BYTES_MAX) failure.reject(fail('BODY_TOO_LARGE', { bytesMax: FIELD_BYTES_MAX }))
    else if (name !== undefined) fields.set(name, value ?? '')
  })
  parser.on('file', (_name, file, fileName: string | undefined) => {
    file.on('error', malformed) // For a file that is cut short.
    // Forms send an empty file name if no file was chosen.
    if (fileName === '') file.resume()
    else if (first) {
      file.resume()
      failure.reject(new SecondFileError('a second file'))
    } else {
      file.on('limit', () =>
        failure.reject(new FileTooLargeError(`the file has more than ${bytesMax} bytes`)),
      )
      stream = file
      first = coming.receive(fileName ?? '', file as AsyncIterable<Uint8Array>)
      first.catch(failure.reject)
    }
  })
  const feed = (slice: Uint8Array) =>
    Promise.race([new Promise<void>((resolve) => void parser.write(slice, () => resolve())), failure.promise])
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > bytesMax + BYTES_BESIDE_MAX) throw new FileTooLargeError('the body is larger than any file')
      for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
        const slice = chunk.subarray(start, start + SLICE_BYTES)
        heads.push(slice)
        await feed(slice)
      }
    }
    if (coming.isGone()) throw new ClientGoneError('the client is gone')
    parser.end()
    await Promise.race([finished, failure.promise])
    return { count: first ? 1 : 0, first: await (first as Promise<ArrivedFile> | undefined) }
  } catch (error) {
    stream?.destroy(error as Error)
    let cause = error
    const arrived = await (first as Promise<ArrivedFile> | undefined)?.catch((reason: unknown) => {
      // If the store stops reading, the parser reports a file that is cut short.
      if (reason instanceof FilesUnavailableError) cause = reason
    })
    if (arrived) await coming.discard(arrived)
    if (cause instanceof FilesUnavailableError) {
      coming.onError(cause)
      return { count: 1, first: 'not_kept' }
    }
    if (error instanceof FileTooLargeError) return { count: 1, first: 'too_large' }
    if (error instanceof SecondFileError) return { count: 2, first: undefined }
    throw error
  }
}

/** Writes a file to a client, no faster than the client reads it. */

import type { Readable } from 'node:stream'
import type { ServedFile } from '../api/served-file.ts'
import type { RateStatus } from '../api/door/rate-limit.ts'
import type { HttpResponse } from './transport/transport.ts'
import { endWithoutBody, writeHead } from './write-head.ts'

/** The part of a request that chooses the answer. */
export interface FileRequest {
  readonly requestId: string
  readonly method: string
  readonly rate: RateStatus | undefined
  readonly range: string
  readonly ifRange: string
  readonly ifNoneMatch: string
  /** Whether the client should close the connection after it. */
  readonly isLast: boolean
  readonly isTlsOnly: boolean
}

/** Bytes of a file; both ends are included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The status and, if there is a body, its range. */
export type FileAnswer =
  | { readonly status: 200 | 206; readonly range: ByteRange }
  | { readonly status: 304 | 416 }

/** Chooses the part of a file that a request gets. */
export function chooseAnswer({ size, etag }: ServedFile, request: FileRequest): FileAnswer {
  const { range: header, ifRange, ifNoneMatch } = request
  if (ifNoneMatch === '*' || ifNoneMatch.includes(etag)) return { status: 304 }
  const isRanged = header !== '' && (ifRange === '' || ifRange === etag)
  const range = isRanged ? readByteRange(header, size) : undefined
  if (range === 'unsatisfiable') return { status: 416 }
  return range ? { status: 206, range } : { status: 200, range: { start: 0, end: size - 1 } }
}

/**
 * The range of bytes of a `Range` header. Undefined means the whole file: no range, several, or an unreadable one.
 * `unsatisfiable` means that the file has no such bytes.
 */
function readByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/.exec(header) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}

/** A file, the request for it, and the answer. */
export interface AnsweredFile<Answer = FileAnswer> {
  readonly file: ServedFile
  readonly request: FileRequest
  readonly answer: Answer
}

/** An answer in progress. */
export interface FileWriting {
  /**
   * Resolves when it is written. If the file cannot be opened it rejects, and nothing is written. If the file cannot be
   * read it rejects, and the connection is closed.
   */
  readonly done: Promise<void>
  /** The client is gone: the library's object must not be used from now on. */
  abort(): void
}

/** Writes an answer; the client must still be connected. Calls `onProgress` with the bytes that the client has read. */
export function writeFile(
  res: HttpResponse,
  { file, request, answer }: AnsweredFile,
  onProgress: (bytes: number) => void,
): FileWriting {
  const isWithBody = 'range' in answer && lengthOf(answer.range) > 0 && request.method !== 'HEAD'
  if (isWithBody) return stream(res, { file, request, answer }, onProgress)
  res.cork(() => {
    writeFileHead(res, file, request, answer)
    // If it gets the length itself, uWebSockets.js waits for a body.
    if (answer.status !== 304)
      res.writeHeader('Content-Length', String('range' in answer ? lengthOf(answer.range) : 0))
    endWithoutBody(res, request.isLast)
  })
  return { done: Promise.resolve(), abort() {} }
}

function stream(
  res: HttpResponse,
  { file, request, answer }: AnsweredFile<Extract<FileAnswer, { range: ByteRange }>>,
  onProgress: (bytes: number) => void,
): FileWriting {
  const total = lengthOf(answer.range)
  let isGone = false
  let source: Readable | undefined
  /** The unsent chunk, its offset in the answer, and the callback that waits for it. */
  let pending: { readonly chunk: Uint8Array; readonly start: number; readonly taken: () => void } | undefined
  let isHeadWritten = false
  const send = async (chunk: Uint8Array): Promise<void> => {
    const start = isHeadWritten ? res.getWriteOffset() : 0
    let isTaken = false
    res.cork(() => {
      if (!isHeadWritten) writeFileHead(res, file, request, answer)
      if (!isHeadWritten && request.isLast) res.writeHeader('Connection', 'close')
      isHeadWritten = true
      isTaken = res.tryEnd(chunk, total)[0]
    })
    if (isTaken) return onProgress(chunk.length)
    await new Promise<void>((taken) => {
      pending = { chunk, start, taken }
    })
  }
  const write = async (): Promise<void> => {
    source = await file.open(answer.range.start, answer.range.end)
    try {
      if (isGone) return
      let sent = 0
      res.onWritable((offset) => {
        if (!pending) return true
        const { chunk, start, taken } = pending
        const [isTaken] = res.tryEnd(chunk.subarray(offset - start), total)
        onProgress(isTaken ? chunk.length : 0)
        if (isTaken) {
          pending = undefined
          taken()
        }
        return isTaken
      })
      for await (const chunk of source as AsyncIterable<Uint8Array>) {
        if (isGone) return
        // A store may disregard the range; more bytes would be taken for the next answer on the connection.
        const part = chunk.subarray(0, total - sent)
        if (part.length > 0) await send(part)
        sent += part.length
        if (sent === total) break
      }
      if (!isGone && sent < total) throw new Error(`a file has ${sent} bytes instead of ${total}`)
    } catch (error) {
      if (isGone) return
      isGone = true
      res.close()
      throw error
    } finally {
      source?.destroy()
    }
  }
  return {
    done: write(),
    abort() {
      isGone = true
      pending?.taken()
      source?.destroy()
    },
  }
}

function writeFileHead(
  res: HttpResponse,
  file: ServedFile,
  { requestId, rate, isTlsOnly }: FileRequest,
  answer: FileAnswer,
): void {
  const { status } = answer
  writeHead(res, { status, requestId, contentType: file.contentType, rate, isTlsOnly })
  res.writeHeader('ETag', file.etag)
  res.writeHeader('Accept-Ranges', 'bytes')
  for (const [name, value] of Object.entries(file.headers)) res.writeHeader(name, value)
  if (status === 416) res.writeHeader('Content-Range', `bytes */${file.size}`)
  if (status === 206) {
    const { start, end } = answer.range
    res.writeHeader('Content-Range', `bytes ${start}-${end}/${file.size}`)
  }
}

function lengthOf({ start, end }: ByteRange): number {
  return end - start + 1
}

/** Reads an answer, unpacked, up to a number of bytes: a few bytes of a packed answer may stand for gigabytes. */

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Bytes that an unpacker makes at a time; it makes few more than are read. */
const CHUNK_BYTES = 16 * 1024

const UNPACKERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  'x-gzip': () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: () => createInflate({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
}

/** The answer is longer than the request allows. */
export class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError'
}

/** The bytes that are read of an answer. */
export interface ReadBounds {
  readonly bytesMax: number
  /** Whether the start of a longer answer is enough; else a longer one is an error. */
  readonly isStartEnough: boolean
}

/** Rejects if the answer is longer, is cut off, or is packed in another way than was asked for. */
export async function readUnpacked(
  answer: IncomingMessage,
  { bytesMax, isStartEnough }: ReadBounds,
  signal: AbortSignal,
): Promise<Buffer> {
  const coding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const unpacker = UNPACKERS[coding]?.()
  if (!unpacker && coding !== 'identity') throw new Error('the answer is packed in an unknown way')
  // An error of the answer must reach the reader of the unpacker.
  if (unpacker) answer.on('error', (error) => unpacker.destroy(error)).pipe(unpacker)
  const source: Readable = unpacker ?? answer
  const end = () => source.destroy(signal.reason as Error)
  signal.addEventListener('abort', end, { once: true })
  try {
    signal.throwIfAborted()
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of source as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > bytesMax && !isStartEnough) throw new AnswerTooLongError('the answer is too long')
      chunks.push(chunk)
      if (length > bytesMax) break
    }
    return Buffer.concat(chunks, Math.min(length, bytesMax))
  } finally {
    signal.removeEventListener('abort', end)
    source.destroy()
  }
}

/** Bytes and milliseconds for the rest of an answer that nobody reads, so that its connection can be used again. */
const PASSED_BYTES_MAX = 16 * 1024
const PASSED_MS_MAX = 1_000

/** Resolves at the end of an answer, or when the rest is not worth waiting for. Never rejects. */
export function passOver(answer: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let length = 0
    const timer = setTimeout(resolve, PASSED_MS_MAX)
    answer.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > PASSED_BYTES_MAX) answer.destroy()
    })
    answer.on('error', () => undefined) // It closes, too.
    answer.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Uploads a file in requests of several MiB, each after the answer to the one before. */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { serveCalls } from '../start/remote.ts'

/** A file to upload, or a piece of one. */
export interface Sending {
  readonly port: number
  readonly method: string
  readonly path: string
  /** Lines of every head, each with its end; `{offset}` stands for the start of the body. */
  readonly headers: string
  readonly fromBytes: number
  readonly toBytes: number
}

const CHUNK_BYTES = 8 * 1024 * 1024
const template = Buffer.from(
  Uint8Array.from({ length: CHUNK_BYTES }, (_, index) => (index * 31 + (index >> 9) * 7) % 256),
)

/** The chunk of a file at an offset: each chunk is different. */
function fill(chunk: Buffer, offset: number): Buffer {
  for (let place = 0; place < chunk.length; place += 4096) chunk.writeDoubleLE(offset + place + 1, place)
  return chunk
}

/** The end of an answer: its status, and its body if its length is declared. */
async function readAnswer(socket: Socket): Promise<{ status: number; body: string }> {
  let text = ''
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    text += chunk.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) continue
    const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
    const body = text.slice(end + 4)
    if (body.length >= length) return { status: Number(text.split(' ', 2)[1]), body }
  }
}

const calls = {
  /** Returns the milliseconds and the last answer's body; rejects if a status is not 200 or 204. */
  async send({
    port,
    method,
    path,
    headers,
    fromBytes,
    toBytes,
  }: Sending): Promise<{ ms: number; body: string }> {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    await once(socket, 'connect')
    const chunk = Buffer.from(template)
    let answer = { status: 0, body: '' }
    const startMs = performance.now()
    for (let offset = fromBytes; offset < toBytes; ) {
      // After an interruption, the rest of the chunk.
      const chunkStart = offset - (offset % CHUNK_BYTES)
      const bytes = fill(chunk, chunkStart).subarray(offset - chunkStart, toBytes - chunkStart)
      const { length } = bytes
      const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\n${headers}Content-Length: ${length}\r\n\r\n`
      const answered = readAnswer(socket)
      socket.write(head.replaceAll('{offset}', String(offset)), 'latin1')
      socket.write(bytes)
      answer = await answered
      offset += length
      if (answer.status !== 200 && answer.status !== 204)
        throw new Error(`answered ${answer.status}: ${answer.body}`)
    }
    const ms = performance.now() - startMs
    socket.destroy()
    return { ms, body: answer.body }
  },

  /** Sends part of a request and disconnects. */
  async sendPart({ port, method, path, headers, fromBytes }: Sending, partBytes: number): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\n${headers}Content-Length: ${CHUNK_BYTES}\r\n\r\n`
    socket.write(head.replaceAll('{offset}', String(fromBytes)), 'latin1')
    const part = fill(Buffer.from(template), fromBytes).subarray(0, partBytes)
    await new Promise<void>((resolve) => socket.write(part, () => resolve()))
  },

  /** The SHA-256 hash of a file of this size. */
  hash({ bytes }: { bytes: number }): string {
    const hash = createHash('sha256')
    const chunk = Buffer.from(template)
    for (let offset = 0; offset < bytes; offset += CHUNK_BYTES)
      hash.update(fill(chunk, offset).subarray(0, Math.min(CHUNK_BYTES, bytes - offset)))
    return hash.digest('hex')
  },
}

export type UploadLoad = typeof calls
serveCalls(calls)

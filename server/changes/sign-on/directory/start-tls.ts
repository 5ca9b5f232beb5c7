/**
 * The request for TLS on a plain connection to a directory (RFC 4511, 4.14). The library has one, too, but it reads on
 * after the answer: bytes that an attacker appends to it in the clear would count as the first ones of the encrypted
 * directory, such as "the password is right". And it opens a lost connection anew, without TLS.
 */

import type { Socket } from 'node:net'
import { DirectoryError } from './directory-error.ts'

/** The extended request for TLS, as message 1. */
const REQUEST = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
])
/** Bytes of an answer: it has a status, and perhaps a text. */
const ANSWER_BYTES_MAX = 2_000

/** Asks for TLS; resolves when the directory agrees, with not a byte read beyond its answer. */
export async function askForTls(socket: Socket): Promise<void> {
  const answer = Promise.withResolvers<void>()
  let bytes = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    try {
      if (isAgreed(bytes)) answer.resolve()
    } catch (error) {
      answer.reject(error)
    }
  }
  const onError = (error: Error) => answer.reject(error)
  const onClose = () => answer.reject(new DirectoryError('the connection was closed'))
  socket.on('data', onData).on('error', onError).on('close', onClose)
  try {
    socket.write(REQUEST)
    await answer.promise
    socket.pause()
  } finally {
    socket.off('data', onData).off('error', onError).off('close', onClose)
  }
}

/** Whether the answer is there and agrees; throws if it refuses, or is not one. */
function isAgreed(bytes: Buffer): boolean {
  const message = readElement(bytes, 0)
  if (!message || bytes.length < message.end) {
    if (bytes.length > ANSWER_BYTES_MAX)
      throw new DirectoryError('it answers the request for TLS with something else')
    return false
  }
  if (bytes.length > message.end)
    throw new DirectoryError('it sends something after its answer to the request for TLS')
  const id = readElement(bytes, message.start)
  const response = id && readElement(bytes, id.end)
  const status = response && readElement(bytes, response.start)
  const isAnswer = message.tag === 0x30 && response?.tag === 0x78 && status?.tag === 0x0a
  if (!isAnswer || bytes[status.start] !== 0) throw new DirectoryError('it offers no TLS')
  return true
}

interface Element {
  readonly tag: number
  /** The place of its content, and that after it. */
  readonly start: number
  readonly end: number
}

/** The head of an element in BER; undefined if it is not there yet. */
function readElement(bytes: Buffer, at: number): Element | undefined {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) return undefined
  const start = at + 2
  if (first < 0x80) return { tag, start, end: start + first }
  const size = first & 0x7f
  if (size === 0 || size > 4) throw new DirectoryError('it answers the request for TLS with something else')
  if (bytes.length < start + size) return undefined
  return { tag, start: start + size, end: start + size + bytes.readUIntBE(start, size) }
}

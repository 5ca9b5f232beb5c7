/** Rules of the seam between the server and the library that speaks HTTP, on each transport. */

import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import type { HttpResponse, Transport } from '../../server/wire/transport/transport.ts'
import { TRANSPORTS } from './start-transport.ts'

export const MIB = 1024 * 1024

/** Declares rules of a file that hold on each transport. */
export function rulesOf(t: Test) {
  return (title: string, check: (t: Test, transport: Transport, name: string) => Promise<void>): void => {
    t.test(title, async (t) => {
      for (const [name, transport] of TRANSPORTS) await t.test(name, async (t) => check(t, transport, name))
    })
  }
}

/** Bytes without a pattern that a lost or repeated piece would keep. */
export function makeBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at)
  return bytes
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The body of the last answer. */
export function bodyOf(text: string): string {
  return text.slice(text.lastIndexOf('\r\n\r\n') + 4)
}

/** Sends a body of known length as the server does with files: what is not taken is sent again from the offset. */
export function sendByEnd(res: HttpResponse, bytes: Buffer, pieceBytes: number) {
  const counts = { refused: 0, taken: 0, isOver: false }
  let at = 0
  const tryEnd = (from: number, to: number) => {
    let isTaken = false
    res.cork(() => {
      isTaken = res.tryEnd(bytes.subarray(from, to), bytes.length)[0]
    })
    return isTaken
  }
  const send = (): boolean => {
    while (at < bytes.length) {
      const isTaken = tryEnd(at, Math.min(bytes.length, at + pieceBytes))
      at = Math.min(bytes.length, at + pieceBytes)
      if (!isTaken) {
        counts.refused++
        return false
      }
      counts.taken++
    }
    counts.isOver = true
    return true
  }
  res.onWritable((offset) => {
    const start = at - ((at - 1) % pieceBytes) - 1
    return tryEnd(Math.max(offset, start), at) ? send() : false
  })
  send()
  return counts
}

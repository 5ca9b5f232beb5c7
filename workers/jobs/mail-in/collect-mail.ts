/** Collects a mail in memory while it arrives, within its limits. */

import { hash } from 'node:crypto'
import type { SMTPServerDataStream } from 'smtp-server'

/** Bytes of a mail: the common limit of mail servers, which leaves some 18 MB for files. */
export const MAIL_BYTES_MAX = 25 * 1024 * 1024
/** Bytes of all mails that arrive at the same time: they are in memory until they are stored. */
const ARRIVING_BYTES_MAX = 100 * 1024 * 1024
/** Milliseconds of a whole mail: the slowest lines send the largest mail in less. */
const MAIL_MS_MAX = 300_000
/** Bytes at the start of a mail in which its id is looked for. */
const HEADERS_BYTES_MAX = 64 * 1024

/** The bytes of all mails that arrive now. */
export interface Arriving {
  bytes: number
}

/** A mail that was not collected: it is too large, there is no room, or its sender has gone. */
export type Uncollected = 'too_large' | 'full' | 'cut'

/** The bytes of a mail; their room is the caller's to give back. `cut` ends a connection that takes too long. */
export async function collectMail(
  stream: SMTPServerDataStream,
  arriving: Arriving,
  cut: () => void,
): Promise<Buffer | Uncollected> {
  const chunks: Buffer[] = []
  let bytes = 0
  let failure: Uncollected | undefined
  const timer = setTimeout(() => {
    cut()
    stream.destroy(new Error('the mail takes too long'))
  }, MAIL_MS_MAX)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (failure) continue // The sender reads no answer before its end.
      if (bytes + chunk.length > MAIL_BYTES_MAX) failure = 'too_large'
      else if (arriving.bytes + chunk.length > ARRIVING_BYTES_MAX) failure = 'full'
      if (failure) {
        chunks.length = 0
        arriving.bytes -= bytes
        bytes = 0
        continue
      }
      bytes += chunk.length
      arriving.bytes += chunk.length
      chunks.push(chunk)
    }
  } catch {
    failure = 'cut'
  } finally {
    clearTimeout(timer)
  }
  if (failure === undefined) return Buffer.concat(chunks)
  arriving.bytes -= bytes
  return failure
}

/** The mark of a mail to one address, equal for each delivery: by its id, or by its bytes if it has none. */
export function markOf(recipient: string, raw: Buffer): string {
  const start = raw.subarray(0, HEADERS_BYTES_MAX).toString('latin1')
  const headers = start.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const [, id] = /^message-id:\s*(<[^<>\s]{1,900}>)/im.exec(headers) ?? []
  const text = id === undefined ? `bytes ${hash('sha256', raw)}` : `id ${id}`
  return hash('sha256', `${recipient} ${text}`)
}

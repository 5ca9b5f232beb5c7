/** Ends of answers that uWebSockets.js lacks; its responses get them as methods, so they cost others nothing. */

import type * as Uws from 'uWebSockets.js'
import { DROP_MS_MAX, DROPPED_BYTES_MAX, type LastEnd, type OnWaiting } from './transport.ts'

/** Bytes after which the library sends an answer within its handler; a shorter one waits until the packet is parsed. */
const SENT_AT_ONCE_BYTES_MIN = 16 * 1024
const SPACE = ' '.charCodeAt(0)
/** The library ends a header by these bytes; here they belong to the body. */
const LINE_END = '\r\n'

/** A response of the library with the property of the seam. */
type UwsResponse = Uws.HttpResponse & { onRest?: (bytes: number, isLast: boolean) => void }

const METHODS = {
  /**
   * By `tryEnd`, which buffers nothing that the client does not take. As long as the answer is not whole, the library
   * takes no further request, and closes the connection if one comes.
   */
  endWhole(this: UwsResponse, body: string | Uint8Array, onWaiting: OnWaiting): void {
    if (!this.tryEnd(body, 0)[1]) waitForClient(this, body, onWaiting)
  },

  /**
   * As a header, so that the answer is not over for the library. It closes a connection with an open answer when another
   * request follows, even in the same packet. After a whole answer it would serve that request, also if the answer says
   * that it is the last.
   */
  endLast(this: UwsResponse, body: string | Uint8Array | undefined, end: LastEnd, isUnread: boolean): void {
    const isSent = body !== undefined && end === 'cut'
    this.writeHeader('Connection', body === undefined ? `close${LINE_END}` : 'close')
    if (body !== undefined) {
      const text = Buffer.from(body)
      const padding = Buffer.alloc(isSent ? SENT_AT_ONCE_BYTES_MIN : 0, SPACE)
      const bytes = text.length + padding.length + LINE_END.length
      const start = Buffer.from(`${bytes}${LINE_END}${LINE_END}`)
      this.writeHeader('Content-Length', Buffer.concat([start, text, padding]))
    }
    if (isSent) {
      this.onAborted(() => undefined)
      this.close()
    } else dropRest(this, end, isUnread)
  },
}

/** Gives a response, and so all others, the methods. */
export function extendResponse(res: Uws.HttpResponse): void {
  const prototype = Object.getPrototypeOf(res) as object
  if (!('endWhole' in prototype)) Object.assign(prototype, METHODS)
}

/** Sends the rest of an answer as the client takes it. */
function waitForClient(res: UwsResponse, body: string | Uint8Array, onWaiting: OnWaiting): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const onTaken = onWaiting(bytes.length - res.getWriteOffset())
  res.onAborted(() => onTaken?.())
  if (!onTaken) {
    res.close()
    return
  }
  res.onWritable((offset) => {
    const [isTaken, hasEnded] = res.tryEnd(bytes.subarray(offset), bytes.length)
    if (hasEnded) onTaken()
    return isTaken
  })
}

/** Reads and drops what the client still sends, and closes the connection when it is over, or too much, or too slow. */
function dropRest(res: UwsResponse, end: LastEnd, isUnread: boolean): void {
  let isGone = false
  let bytes = 0
  const close = () => {
    if (!isGone) res.close()
  }
  const timer = setTimeout(close, DROP_MS_MAX)
  res.onAborted(() => {
    isGone = true
    clearTimeout(timer)
  })
  // In later turns: within its own call the library has not sent the answer yet.
  if (end === 'cut') setImmediate(close)
  res.onRest = (count, isLast) => {
    bytes += count
    if (isLast || bytes > DROPPED_BYTES_MAX) setImmediate(close)
  }
  if (isUnread) res.onData((chunk, isLast) => res.onRest?.(chunk.byteLength, isLast))
}

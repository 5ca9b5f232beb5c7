/** Reads an object from a position to another, and goes on after a broken connection. */

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { explain, readWithinTime, StoreRefusal, type StoreRequests } from './s3-requests.ts'

/** Connections in a row that may break without a byte. */
const BREAKS_MAX = 2

/** Both ends are included. Rejects with a `FileMissingError` if there is no such object. */
export async function openObject(
  requests: StoreRequests,
  name: string,
  start: number,
  end: number,
): Promise<Readable> {
  let response = await openAt(start)
  const stream = Readable.from(read(), { objectMode: false })
  // A stream that is never read ends here.
  stream.once('close', () => response?.destroy())
  return stream

  async function* read(): AsyncGenerator<Uint8Array> {
    let position = start
    for (let breaks = 0; response; ) {
      try {
        for await (const chunk of readWithinTime(response)) {
          position += chunk.length
          breaks = 0
          yield chunk
        }
        return
      } catch (error) {
        if (++breaks > BREAKS_MAX) throw explain(error)
      }
      response = await openAt(position)
    }
  }

  /** Undefined if the object has no byte there. */
  async function openAt(position: number): Promise<IncomingMessage | undefined> {
    try {
      const range = `bytes=${position}-${Number.isFinite(end) ? end : ''}`
      const isWhole = position === 0 && !Number.isFinite(end)
      return await requests.open({ method: 'GET', name, headers: isWhole ? {} : { Range: range } })
    } catch (error) {
      if (error instanceof StoreRefusal && error.status === 416) return undefined
      throw error
    }
  }
}

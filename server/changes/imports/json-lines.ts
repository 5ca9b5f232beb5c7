/** Reads lines of JSON, each of bounded length: a bad one is reported and skipped. */

import { createReadStream } from 'node:fs'

/** Bytes of one line: a post comes with all of its replies. */
const LINE_BYTES_MAX = 32 * 1024 * 1024
const LINE_END = 0x0a

/** The values of the lines; `lose` gets the number of each line that is none, with the reason. */
export async function* readJsonLines(
  parts: AsyncIterable<Buffer>,
  lose: (line: number, reason: string) => void,
): AsyncGenerator<unknown> {
  let number = 0
  for await (const line of splitLines(parts)) {
    number++
    if (line === undefined) lose(number, 'a line that is too long')
    else if (line.length > 0 && line.trim() !== '') {
      let value: unknown
      try {
        value = JSON.parse(line)
      } catch {
        lose(number, 'a line that is not JSON')
        continue
      }
      yield value
    }
  }
}

/** Whole lines; undefined in place of one that is too long. */
export async function* splitLines(parts: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  let held: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    length += part.length
    // The rest of a line that is too long is read and dropped.
    if (length <= LINE_BYTES_MAX) held.push(part)
    else held = []
  }
  const take = () => {
    const line = length > LINE_BYTES_MAX ? undefined : Buffer.concat(held).toString('utf8')
    held = []
    length = 0
    return line
  }
  for await (const part of parts) {
    let start = 0
    for (let end = part.indexOf(LINE_END); end >= 0; end = part.indexOf(LINE_END, start)) {
      add(part.subarray(start, end))
      yield take()
      start = end + 1
    }
    if (start < part.length) add(part.subarray(start))
  }
  if (length > 0) yield take()
}

/** The bytes of a file, in parts. */
export function readParts(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>
}

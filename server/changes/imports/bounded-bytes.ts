/** Unpacked bytes within bounds: some kilobytes may stand for terabytes. */

/** How much larger than its packed form a file may be. */
const RATIO_MAX = 200
/** Bytes that any file may have. */
const SMALL_BYTES = 64 * 1024 * 1024

/** The same bytes; throws if there are too many for a file of this packed size. */
export async function* boundBytes(source: AsyncIterable<Buffer>, packedSize: number): AsyncGenerator<Buffer> {
  const bytesMax = Math.max(packedSize * RATIO_MAX, SMALL_BYTES)
  let bytes = 0
  for await (const part of source) {
    bytes += part.length
    if (bytes > bytesMax) throw new Error(`it is more than ${RATIO_MAX} times as large as its packed form`)
    yield part
  }
}

/** Removes parts of a file that would occupy the library for minutes: it cannot be cancelled, and has few threads. */

/** Frames of a WebP: for each, the library scans all frames before it. */
const WEBP_FRAMES_MAX = 5_000
const PNG_SIGNATURE_BYTES = 8
/** Length and type before the data of a PNG chunk, and the checksum after it. */
const PNG_CHUNK_BYTES = 12
/** PNG chunks about the picture, besides the required ones; each is used only once. */
const PNG_CHUNKS: ReadonlySet<string> = new Set([
  'bKGD',
  'cHRM',
  'cICP',
  'eXIf',
  'gAMA',
  'iCCP',
  'pHYs',
  'sBIT',
  'sRGB',
  'tRNS',
])
const RIFF_HEADER_BYTES = 12
const RIFF_CHUNK_BYTES = 8

/** The same picture, perhaps in fewer bytes; undefined if it has too many frames. */
export function sanitizeImage(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file[0] === 0x89) return withoutTexts(file)
  if (file[0] === 0x52) return countFrames(file) > WEBP_FRAMES_MAX ? undefined : bytes // The R of RIFF.
  return bytes
}

/** A PNG without its texts: it may have any number of compressed ones, each expanding a thousandfold. */
function withoutTexts(file: Buffer): Buffer {
  const retained: Buffer[] = []
  const seen = new Set<string>()
  let retainedFrom = 0
  let start = PNG_SIGNATURE_BYTES
  while (start + PNG_CHUNK_BYTES <= file.length) {
    const type = file.toString('latin1', start + 4, start + 8)
    const end = start + PNG_CHUNK_BYTES + file.readUInt32BE(start)
    const isNeeded = type < 'a' || (PNG_CHUNKS.has(type) && !seen.has(type))
    if (!isNeeded) {
      retained.push(file.subarray(retainedFrom, start))
      retainedFrom = end
    } else if (type >= 'a') seen.add(type)
    start = end
  }
  return retained.length === 0 ? file : Buffer.concat([...retained, file.subarray(retainedFrom)])
}

function countFrames(file: Buffer): number {
  let count = 0
  let start = RIFF_HEADER_BYTES
  while (start + RIFF_CHUNK_BYTES <= file.length) {
    if (file.toString('latin1', start, start + 4) === 'ANMF') count++
    const length = file.readUInt32LE(start + 4)
    start += RIFF_CHUNK_BYTES + length + (length % 2)
  }
  return count
}

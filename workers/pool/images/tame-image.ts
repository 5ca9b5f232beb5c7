/** Takes out of a file what would keep the library busy for minutes: it cannot be ended from outside, and has few threads. */

/** Frames of a WebP: for each, the library looks through all before it. */
const WEBP_FRAMES_MAX = 5_000
const PNG_SIGNATURE_BYTES = 8
/** Its length and its type before the data of a chunk of a PNG, its checksum after them. */
const PNG_CHUNK_BYTES = 12
/** What of a PNG is about its picture, besides what it cannot be read without; each of these counts once. */
const PNG_KEPT: ReadonlySet<string> = new Set([
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

/** The same picture, perhaps in fewer bytes; undefined where it has too many frames. */
export function tameImage(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file[0] === 0x89) return withoutTexts(file)
  if (file[0] === 0x52) return countFrames(file) > WEBP_FRAMES_MAX ? undefined : bytes // An R, of RIFF.
  return bytes
}

/** A PNG without its texts, of which any number may be compressed, each to a thousandth. */
function withoutTexts(file: Buffer): Buffer {
  const kept: Buffer[] = []
  const seen = new Set<string>()
  let keptFrom = 0
  let start = PNG_SIGNATURE_BYTES
  while (start + PNG_CHUNK_BYTES <= file.length) {
    const type = file.toString('latin1', start + 4, start + 8)
    const end = start + PNG_CHUNK_BYTES + file.readUInt32BE(start)
    const isNeeded = type < 'a' || (PNG_KEPT.has(type) && !seen.has(type))
    if (!isNeeded) {
      kept.push(file.subarray(keptFrom, start))
      keptFrom = end
    } else if (type >= 'a') seen.add(type)
    start = end
  }
  return kept.length === 0 ? file : Buffer.concat([...kept, file.subarray(keptFrom)])
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

/** Detects image formats from a file's first bytes; the file's name is ignored. */

/** First bytes of the supported formats. */
const TAKEN: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => begins(bytes, '\x89PNG\r\n\x1a\n'),
  (bytes) => begins(bytes, '\xff\xd8\xff'),
  (bytes) => begins(bytes, 'GIF87a') || begins(bytes, 'GIF89a'),
  (bytes) => begins(bytes, 'RIFF') && begins(bytes, 'WEBP', 8),
]

/** The same for unsupported image formats: TIFF, BMP, icons, AVIF and HEIC, SVG. */
const OTHERS: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => begins(bytes, 'II*\0') || begins(bytes, 'MM\0*'),
  (bytes) => begins(bytes, 'BM'),
  (bytes) => begins(bytes, '\0\0\x01\0'),
  (bytes) => begins(bytes, 'ftyp', 4),
  (bytes) => bytes.includes('<svg'),
]

/** Bytes of a file that detection reads. */
const LOOKED_AT = 1_000

/** Whether a file is a supported image, another image, or unknown. */
export function formatOf(file: Uint8Array): 'taken' | 'other_image' | 'unknown' {
  const bytes = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, LOOKED_AT))
  if (TAKEN.some((isSuch) => isSuch(bytes))) return 'taken'
  return OTHERS.some((isSuch) => isSuch(bytes)) ? 'other_image' : 'unknown'
}

function begins(bytes: Buffer, text: string, offset = 0): boolean {
  return bytes.toString('latin1', offset, offset + text.length) === text
}

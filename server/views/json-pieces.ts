/** JSON in pieces: text that was encoded before is copied rather than encoded again. */

/** A piece that is encoded once and sent to many clients, so it is worth compressing once. */
export class CachedPiece {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = ownBytes(bytes)
  }
}

/**
 * Bytes to hold for long, in memory of their own: a small buffer is part of a slab of 8 KiB and would keep it alive.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

/** Text, or its UTF-8 bytes. */
export type JsonPiece = string | Uint8Array | CachedPiece

/** Text in pieces that are not joined yet, since it may be compressed instead. */
export class PiecedText {
  readonly pieces: readonly JsonPiece[]

  constructor(pieces: readonly JsonPiece[]) {
    this.pieces = pieces
  }
}

/** A list of items that are JSON already. */
export function listPieces(items: readonly (readonly JsonPiece[])[]): JsonPiece[] {
  const pieces: JsonPiece[] = ['[']
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(',')
    for (const piece of item) pieces.push(piece)
  }
  pieces.push(']')
  return pieces
}

/** A list of cached items that each begin with a comma, so separators need no pieces. */
export function listAfterCommas(pieces: readonly JsonPiece[]): JsonPiece[] {
  const [first, ...others] = pieces
  if (first === undefined) return ['[]']
  return ['[', (first as CachedPiece).bytes.subarray(1), ...others, ']']
}

/** Whether the pieces have at least this many bytes in total. */
export function hasBytes(pieces: readonly JsonPiece[], bytesMin: number): boolean {
  let length = 0
  for (const piece of pieces) {
    length += bytesOf(piece)
    if (length >= bytesMin) return true
  }
  return false
}

/** Joins all pieces: a string if all are strings, else bytes. */
export function joinPieces(pieces: readonly JsonPiece[]): string | Buffer {
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('')
  // Written in place: thousands of commas would each need a buffer.
  const joined = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + bytesOf(piece), 0))
  let at = 0
  for (const piece of pieces) at += writePiece(joined, piece, at)
  return joined
}

/** Writes a piece into the target; returns its number of bytes. */
function writePiece(target: Buffer, piece: JsonPiece, at: number): number {
  if (typeof piece === 'string') {
    if (piece.length > 1) return target.write(piece, at)
    if (piece.length === 1) target[at] = piece.charCodeAt(0)
    return piece.length
  }
  const bytes = piece instanceof CachedPiece ? piece.bytes : piece
  target.set(bytes, at)
  return bytes.length
}

/** Single characters between pieces are ASCII. */
function bytesOf(piece: JsonPiece): number {
  if (typeof piece === 'string') return piece.length === 1 ? 1 : Buffer.byteLength(piece)
  return piece instanceof CachedPiece ? piece.bytes.length : piece.length
}

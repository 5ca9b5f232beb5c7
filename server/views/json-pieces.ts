/** JSON in pieces: what was encoded before is copied rather than encoded again. */

/** What is encoded once and told to many, so that it is worth compressing once, too. */
export class CachedPiece {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = ownBytes(bytes)
  }
}

/** Bytes for long, in memory of their own: a small buffer is part of a slab of 8 KiB, which it would keep alive. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

/** Text, or the UTF-8 of it. */
export type JsonPiece = string | Uint8Array | CachedPiece

/** A text in pieces that are not joined yet, because it may be compressed instead. */
export class PiecedText {
  readonly pieces: readonly JsonPiece[]

  constructor(pieces: readonly JsonPiece[]) {
    this.pieces = pieces
  }
}

/** A list of what is JSON already. */
export function listPieces(items: readonly (readonly JsonPiece[])[]): JsonPiece[] {
  const pieces: JsonPiece[] = ['[']
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(',')
    for (const piece of item) pieces.push(piece)
  }
  pieces.push(']')
  return pieces
}

/** A list of items each of which begins with a comma already, in a piece that is kept: so it needs no piece of its own. */
export function listAfterCommas(pieces: readonly JsonPiece[]): JsonPiece[] {
  const [first, ...others] = pieces
  if (first === undefined) return ['[]']
  return ['[', (first as CachedPiece).bytes.subarray(1), ...others, ']']
}

/** Whether the pieces have so many bytes together. */
export function hasBytes(pieces: readonly JsonPiece[], bytesMin: number): boolean {
  let length = 0
  for (const piece of pieces) {
    length += bytesOf(piece)
    if (length >= bytesMin) return true
  }
  return false
}

/** All pieces in one: text where all of them are, else bytes. */
export function joinPieces(pieces: readonly JsonPiece[]): string | Buffer {
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('')
  // Written in place: thousands of commas between pieces would each be a buffer of its own.
  const joined = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + bytesOf(piece), 0))
  let at = 0
  for (const piece of pieces) at += writePiece(joined, piece, at)
  return joined
}

/** Writes a piece where there is room for it; answers how many bytes it has. */
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

/** Single characters between pieces are of ASCII. */
function bytesOf(piece: JsonPiece): number {
  if (typeof piece === 'string') return piece.length === 1 ? 1 : Buffer.byteLength(piece)
  return piece instanceof CachedPiece ? piece.bytes.length : piece.length
}

/** JSON in pieces: what was encoded before is copied rather than encoded again. */

/** Text, or the UTF-8 of it. */
export type JsonPiece = string | Uint8Array

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

/** All pieces in one: text where all of them are, else bytes. */
export function joinPieces(pieces: readonly JsonPiece[]): string | Buffer {
  let length = 0
  let isText = true
  for (const piece of pieces) {
    if (typeof piece === 'string') length += bytesOf(piece)
    else {
      length += piece.length
      isText = false
    }
  }
  if (isText) return pieces.join('')
  // Written in place: thousands of commas between pieces would each be a buffer of its own.
  const joined = Buffer.allocUnsafe(length)
  let at = 0
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      joined.set(piece, at)
      at += piece.length
    } else if (piece.length === 1) joined[at++] = piece.charCodeAt(0)
    else at += joined.write(piece, at)
  }
  return joined.subarray(0, at)
}

/** Single characters between pieces are of ASCII. */
function bytesOf(text: string): number {
  return text.length === 1 ? 1 : Buffer.byteLength(text)
}

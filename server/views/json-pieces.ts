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
  const chunks: Uint8Array[] = []
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    if (text !== '') chunks.push(Buffer.from(text))
    text = ''
    chunks.push(piece)
  }
  if (chunks.length === 0) return text
  if (text !== '') chunks.push(Buffer.from(text))
  return Buffer.concat(chunks)
}

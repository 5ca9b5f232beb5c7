/**
 * Compresses answers by gzip (RFC 1952) from pieces. A piece that many clients get is compressed once, in a thread; the
 * rest stays uncompressed in between. So a long answer of lists costs no more than a copy of a tenth of it.
 */

import { crc32, constants, deflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { derived } from '../domain/messages/derived.ts'
import { joinPieces, type JsonPiece, CachedPiece, ownBytes } from '../views/json-pieces.ts'
import { joinChecksums, shiftOf } from './checksum.ts'

/** The cached form of a piece. */
interface CachedForm {
  readonly checksum: number
  /** Moves a checksum past the piece. */
  readonly shift: number
  /** Whether an answer used the piece before. */
  isUsed: boolean
  /** Its bytes as blocks of deflate (RFC 1951) that end at a byte and refer to nothing before them. */
  blocks: Uint8Array | undefined
}

/** Pieces that wait to be compressed; further ones wait for their next use. */
const WAITING_MAX = 4_096
/** Bytes of one uncompressed block. */
const STORED_MAX = 0xffff
const STORED_HEAD_BYTES = 5
/** No name, time or system. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** The last block, which is empty. */
const LAST_BLOCK = Buffer.from([3, 0])
const TAIL_BYTES = LAST_BLOCK.length + 8

const compress = promisify<Uint8Array, object, Buffer>(deflateRaw)
const waiting = new Set<CachedPiece>()
let isCompressing = false

/** The pieces as one gzip file. Pieces that were used before are compressed; new ones will be at their second use. */
export function gzipPieces(pieces: readonly JsonPiece[]): Buffer {
  const parts: Uint8Array[] = [HEAD]
  let checksum = 0
  let length = 0
  let loose: JsonPiece[] = []
  const endLoose = () => {
    if (loose.length === 0) return
    const bytes = Buffer.from(joinPieces(loose) as Buffer)
    loose = []
    checksum = crc32(bytes, checksum)
    length += bytes.length
    pushStored(parts, bytes)
  }
  for (const one of pieces) {
    const piece = (loose.length === 0 && MARKS.get(one)) || one
    if (!(piece instanceof CachedPiece)) {
      loose.push(piece)
      continue
    }
    endLoose()
    const found = findForm(piece)
    checksum = joinChecksums(checksum, found.checksum, found.shift)
    length += piece.bytes.length
    if (found.blocks) parts.push(found.blocks)
    else pushStored(parts, piece.bytes)
  }
  endLoose()
  const tail = Buffer.allocUnsafe(TAIL_BYTES)
  LAST_BLOCK.copy(tail)
  tail.writeUInt32LE(checksum, LAST_BLOCK.length)
  tail.writeUInt32LE(length % 2 ** 32, LAST_BLOCK.length + 4)
  parts.push(tail)
  return Buffer.concat(parts)
}

/** The separators between the long pieces of JSON: always the same. */
const MARKS: ReadonlyMap<JsonPiece, CachedPiece> = new Map(
  ['[', ']', '{', '}', ',', '[]', '{}', '},', '],', ',[', ',{'].map((text) => [
    text,
    new CachedPiece(Buffer.from(text)),
  ]),
)

/** The same object from the first use of a piece on. */
const formOf = derived(
  ({ bytes }: CachedPiece): CachedForm => ({
    checksum: crc32(bytes),
    shift: shiftOf(bytes.length),
    isUsed: false,
    blocks: undefined,
  }),
)

/** The cached form of a piece; at its second use the piece is queued for compression. */
function findForm(piece: CachedPiece): CachedForm {
  const form = formOf(piece)
  if (form.isUsed && !form.blocks && waiting.size < WAITING_MAX) {
    waiting.add(piece)
    if (!isCompressing) void compressWaiting()
  }
  form.isUsed = true
  return form
}

/** One at a time, since the threads have other work. */
async function compressWaiting(): Promise<void> {
  isCompressing = true
  for (const piece of waiting) {
    // If memory is short the piece stays uncompressed.
    const blocks = await compress(piece.bytes, { finishFlush: constants.Z_SYNC_FLUSH }).catch(() => undefined)
    formOf(piece).blocks = blocks && ownBytes(blocks) // zlib returns them in a buffer of 16 KiB.
    waiting.delete(piece)
  }
  isCompressing = false
}

function pushStored(parts: Uint8Array[], bytes: Uint8Array): void {
  for (let start = 0; start < bytes.length; start += STORED_MAX) {
    const block = bytes.subarray(start, start + STORED_MAX)
    const head = Buffer.alloc(STORED_HEAD_BYTES)
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(STORED_MAX - block.length, 3)
    parts.push(head, block)
  }
}

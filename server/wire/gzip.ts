/**
 * Answers compressed by gzip (RFC 1952) out of pieces. What is told to many is compressed once, in a thread; the rest
 * goes as it is, between. So a long answer of lists costs no more than copying a tenth of it.
 */

import { crc32, constants, deflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { derived } from '../domain/derived.ts'
import { joinPieces, type JsonPiece, KeptPiece, ownBytes } from '../views/json-pieces.ts'
import { joinChecksums, shiftOf } from './checksum.ts'

/** What is known of a kept piece. */
interface Known {
  readonly checksum: number
  /** By which a checksum is carried over the piece. */
  readonly shift: number
  /** Whether it was part of an answer before. */
  isUsed: boolean
  /** Its bytes as blocks of deflate (RFC 1951) that end with a byte and refer to nothing before them. */
  blocks: Uint8Array | undefined
}

/** Pieces that wait for being compressed; what is beyond them waits for its next use. */
const WAITING_MAX = 4_096
/** Bytes of one block that is not compressed. */
const STORED_MAX = 0xffff
const STORED_HEAD_BYTES = 5
/** No name, no time, no system. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** The last block, of nothing. */
const LAST_BLOCK = Buffer.from([3, 0])
const TAIL_BYTES = LAST_BLOCK.length + 8

const compress = promisify<Uint8Array, object, Buffer>(deflateRaw)
const waiting = new Set<KeptPiece>()
let isCompressing = false

/** The pieces as one gzip file. Pieces that came before are compressed; those that come a second time will be. */
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
    if (!(piece instanceof KeptPiece)) {
      loose.push(piece)
      continue
    }
    endLoose()
    const found = lookUp(piece)
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

/** What parts the long pieces of JSON: the same each time. */
const MARKS: ReadonlyMap<JsonPiece, KeptPiece> = new Map(
  ['[', ']', '{', '}', ',', '[]', '{}', '},', '],', ',[', ',{'].map((text) => [
    text,
    new KeptPiece(Buffer.from(text)),
  ]),
)

/** The same object from the first use of a piece on. */
const knownOf = derived(
  ({ bytes }: KeptPiece): Known => ({
    checksum: crc32(bytes),
    shift: shiftOf(bytes.length),
    isUsed: false,
    blocks: undefined,
  }),
)

/** What is known of a piece; at its second use it is put where it waits to be compressed. */
function lookUp(piece: KeptPiece): Known {
  const known = knownOf(piece)
  if (known.isUsed && !known.blocks && waiting.size < WAITING_MAX) {
    waiting.add(piece)
    if (!isCompressing) void compressWaiting()
  }
  known.isUsed = true
  return known
}

/** One after the other: the threads have other work. */
async function compressWaiting(): Promise<void> {
  isCompressing = true
  for (const piece of waiting) {
    // Without memory for it the piece goes on as it is.
    const blocks = await compress(piece.bytes, { finishFlush: constants.Z_SYNC_FLUSH }).catch(() => undefined)
    knownOf(piece).blocks = blocks && ownBytes(blocks) // They come in a buffer of 16 KiB.
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

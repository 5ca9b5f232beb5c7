/** Small reads of an open file, answered from larger blocks: one by one they take some twenty times as long. */

import type { FileHandle } from 'node:fs/promises'
import { EntryError } from './archive.ts'

/** The bytes at a place; rejects with an `EntryError` if the file ends before. */
export type ReadBytes = (position: number, length: number) => Promise<Buffer>

export function readInBlocks(file: FileHandle, blockBytes: number): ReadBytes {
  let block: Buffer = Buffer.alloc(0)
  let start = 0
  return async (position, length) => {
    if (position < start || position + length > start + block.length) {
      block = await readAt(file, position, length, Math.max(length, blockBytes))
      start = position
    }
    return block.subarray(position - start, position - start + length)
  }
}

/** At least `length` bytes, and at most `lengthMax`. */
export async function readAt(
  file: FileHandle,
  position: number,
  length: number,
  lengthMax = length,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(lengthMax)
  const { bytesRead } = await file.read(bytes, 0, lengthMax, position)
  if (bytesRead < length) throw new EntryError('it is cut off')
  return bytes.subarray(0, bytesRead)
}

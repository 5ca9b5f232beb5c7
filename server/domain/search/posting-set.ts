/** Sets of message ids in blocks, as the search index stores and combines them. */

/** Ids per block: common words need few blocks, and the bitmap of a block fits into a row. */
export const BLOCK_LENGTH = 16_384
export const BITMAP_BYTES = BLOCK_LENGTH / 8

/** The block of a message. */
export function blockOf(id: number): number {
  return Math.floor(id / BLOCK_LENGTH)
}

/** A set of offsets within one block. */
export class PostingSet {
  readonly #bits = new Uint32Array(BLOCK_LENGTH / 32)

  /** Adds a stored set: one bit for each offset, or two bytes for each that it contains. */
  addStored(stored: Uint8Array): void {
    if (stored.length === BITMAP_BYTES) this.addBitmaps(stored)
    else this.addLists(stored)
  }

  /** Adds concatenated lists of offsets. */
  addLists(lists: Uint8Array): void {
    for (let at = 0; at < lists.length; at += 2)
      this.add((lists[at] as number) | ((lists[at + 1] as number) << 8))
  }

  /** Adds concatenated bitmaps. */
  addBitmaps(bitmaps: Uint8Array): void {
    const bits = this.#bits
    const view = new DataView(bitmaps.buffer, bitmaps.byteOffset, bitmaps.byteLength)
    for (let start = 0; start < bitmaps.length; start += BITMAP_BYTES) {
      for (let word = 0; word < bits.length; word++)
        bits[word] = (bits[word] as number) | view.getUint32(start + 4 * word, true)
    }
  }

  add(offset: number): void {
    const word = offset >>> 5
    this.#bits[word] = (this.#bits[word] as number) | (1 << (offset & 31))
  }

  remove(offset: number): void {
    const word = offset >>> 5
    this.#bits[word] = (this.#bits[word] as number) & ~(1 << (offset & 31))
  }

  has(offset: number): boolean {
    return (((this.#bits[offset >>> 5] as number) >>> (offset & 31)) & 1) === 1
  }

  /** Number of offsets. */
  get size(): number {
    let count = 0
    for (const word of this.#bits) if (word !== 0) count += countBits(word)
    return count
  }

  /** Keeps only the offsets that the other set contains too. */
  intersect(other: PostingSet): void {
    for (let word = 0; word < this.#bits.length; word++)
      this.#bits[word] = (this.#bits[word] as number) & (other.#bits[word] as number)
  }

  /** Ascending. */
  offsets(): number[] {
    const found: number[] = []
    const bits = this.#bits
    for (let word = 0; word < bits.length; word++) {
      for (let left = bits[word] as number; left !== 0; left &= left - 1)
        found.push(32 * word + 31 - Math.clz32(left & -left))
    }
    return found
  }

  /** The stored form: the shorter of the two. */
  toStored(): Buffer {
    const offsets = this.offsets()
    if (2 * offsets.length >= BITMAP_BYTES) {
      const stored = Buffer.allocUnsafe(BITMAP_BYTES)
      for (const [word, bits] of this.#bits.entries()) stored.writeUInt32LE(bits >>> 0, 4 * word)
      return stored
    }
    const stored = Buffer.allocUnsafe(2 * offsets.length)
    for (const [index, offset] of offsets.entries()) stored.writeUInt16LE(offset, 2 * index)
    return stored
  }
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The stored set after adding and removing offsets, both ascending; empty if none is left. */
export function changeStored(
  stored: Uint8Array,
  added: readonly number[],
  removed: readonly number[] = [],
): Uint8Array {
  const last = stored.length < 2 ? -1 : (stored.at(-2) as number) | ((stored.at(-1) as number) << 8)
  const length = stored.length + 2 * added.length
  // New messages sort last, and most words are rare: appending needs no set.
  if (removed.length === 0 && length < BITMAP_BYTES && (added[0] ?? 0) > last) {
    const longer = Buffer.allocUnsafe(length)
    longer.set(stored)
    for (const [index, offset] of added.entries()) longer.writeUInt16LE(offset, stored.length + 2 * index)
    return longer
  }
  const set = new PostingSet()
  set.addStored(stored)
  for (const offset of removed) set.remove(offset)
  for (const offset of added) set.add(offset)
  return set.toStored()
}

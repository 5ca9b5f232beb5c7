/** Immutable sets of users: small ones as a sorted list, large ones as a bitmap over the dense user ids. */

import type { UserId } from '../ids.ts'

const LIST_LENGTH_MAX = 16 // Beyond it a bitmap of 10,000 users (1.25 KB) is smaller and faster.

/** A set of user ids. Every change creates a new set, so past events keep their audience. */
export class UserSet {
  static readonly empty = new UserSet([], undefined, 0)

  readonly size: number
  readonly #list: readonly number[] | undefined
  readonly #words: Uint32Array | undefined

  private constructor(list: readonly number[] | undefined, words: Uint32Array | undefined, size: number) {
    this.#list = list
    this.#words = words
    this.size = size
  }

  /** Picks the canonical form for its size, so equal sets are encoded alike. */
  static #fromWords(words: Uint32Array): UserSet {
    const size = countBits(words)
    if (size <= LIST_LENGTH_MAX)
      return new UserSet(new UserSet(undefined, words, size).toArray(), undefined, size)
    let length = words.length
    while (words[length - 1] === 0) length--
    return new UserSet(undefined, length === words.length ? words : words.slice(0, length), size)
  }

  /** The set of these ids; repeated ids count once. */
  static of(ids: Iterable<UserId>): UserSet {
    return UserSet.empty.with(ids)
  }

  /** The union of many sets through one bitmap: pairwise unions would copy it each time. */
  static unionOf(sets: readonly UserSet[]): UserSet {
    const [first, second, ...others] = sets.filter(({ size }) => size > 0)
    if (first === undefined) return UserSet.empty
    if (second === undefined) return first
    if (others.length === 0) return first.union(second)
    const all = [first, second, ...others]
    const top = all.reduce((max, set) => Math.max(max, set.#highest()), 0)
    const words = new Uint32Array((top >>> 5) + 1)
    for (const set of all) set.#addTo(words)
    return UserSet.#fromWords(words)
  }

  /** Approximate bytes of its members. */
  get bytes(): number {
    return this.#words ? this.#words.byteLength : 8 * this.size
  }

  has(id: UserId): boolean {
    if (this.#list) return this.#list.includes(id)
    const word = (this.#words as Uint32Array)[id >>> 5]
    // Shifts see only the lower 32 bits; larger ids must not pass for smaller ones.
    return word !== undefined && ((word >>> (id & 31)) & 1) === 1 && id >>> 0 === id
  }

  /** This set plus these ids. */
  with(ids: Iterable<UserId>): UserSet {
    const added = [...ids]
    if (added.every((id) => this.has(id))) return this
    if (this.#list && this.#list.length + added.length <= LIST_LENGTH_MAX) {
      const list = [...new Set<number>([...this.#list, ...added])].sort((a, b) => a - b)
      return new UserSet(list, undefined, list.length)
    }
    const top = added.reduce<number>((max, id) => Math.max(max, id), this.#highest())
    const words = this.#copyWords((top >>> 5) + 1)
    for (const id of added) words[id >>> 5] = (words[id >>> 5] as number) | (1 << (id & 31))
    return UserSet.#fromWords(words)
  }

  /** This set minus these ids. */
  without(ids: Iterable<UserId>): UserSet {
    const removed = [...ids].filter((id) => this.has(id))
    if (removed.length === 0) return this
    if (this.#list) {
      const list = this.#list.filter((id) => !removed.includes(id as UserId))
      return new UserSet(list, undefined, list.length)
    }
    const words = this.#copyWords(0)
    for (const id of removed) words[id >>> 5] = (words[id >>> 5] as number) & ~(1 << (id & 31))
    return UserSet.#fromWords(words)
  }

  /** Its members with the lowest ids, at most this many. */
  first(count: number): UserSet {
    return this.size <= count ? this : UserSet.of(this.toArray().slice(0, count))
  }

  /** The union of both sets. */
  union(other: UserSet): UserSet {
    if (other.size === 0) return this
    if (this.size === 0) return other
    if (other.#list) return this.with(other)
    if (this.#list) return other.with(this)
    const words = this.#copyWords((other.#words as Uint32Array).length)
    for (const [index, word] of (other.#words as Uint32Array).entries()) {
      words[index] = (words[index] as number) | word
    }
    return UserSet.#fromWords(words)
  }

  /** The intersection of both sets. */
  intersection(other: UserSet): UserSet {
    if (this.#list) return this.#filter((id) => other.has(id))
    if (other.#list) return other.intersection(this)
    return this.#combine(other, (word, otherWord) => word & otherWord)
  }

  /** The size of the intersection, without building it. */
  countShared(other: UserSet): number {
    if (this === other) return this.size
    const words = this.#words
    const otherWords = other.#words
    let count = 0
    if (words && otherWords) {
      for (let index = Math.min(words.length, otherWords.length) - 1; index >= 0; index--) {
        count += countOnes((words[index] as number) & (otherWords[index] as number))
      }
      return count
    }
    const [listed, set] = words ? [other, this] : [this, other]
    for (const id of listed.#list as readonly UserId[]) if (set.has(id)) count++
    return count
  }

  /** The members of this set that are not in the other. */
  difference(other: UserSet): UserSet {
    if (this.#list) return this.#filter((id) => !other.has(id))
    if (other.#list) return this.without(other)
    return this.#combine(other, (word, otherWord) => word & ~otherWord)
  }

  /** Calls back for each id in ascending order; faster than iteration. */
  forEach(visit: (id: UserId) => void): void {
    if (this.#list) {
      for (const id of this.#list) visit(id as UserId)
      return
    }
    const words = this.#words as Uint32Array
    for (let index = 0; index < words.length; index++) {
      let word = words[index] as number
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word)
        visit((index * 32 + bit) as UserId)
        word &= word - 1
      }
    }
  }

  /** The ids in ascending order. */
  toArray(): UserId[] {
    const ids: UserId[] = []
    this.forEach((id) => ids.push(id))
    return ids
  }

  /** The set as text, for the log: `1,5,9`, or `b` and a base64 bitmap. */
  encode(): string {
    if (this.#list) return this.#list.join(',')
    const words = this.#words as Uint32Array
    return `b${Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString('base64')}`
  }

  /** Decodes the text of `encode`. */
  static decode(text: string): UserSet {
    if (text === '') return UserSet.empty
    if (!text.startsWith('b')) return UserSet.of(text.split(',').map((id) => Number(id) as UserId))
    const bytes = Uint8Array.from(Buffer.from(text.slice(1), 'base64')) // A copy starts at a multiple of four.
    const words = new Uint32Array(bytes.buffer)
    return UserSet.#fromWords(words)
  }

  [Symbol.iterator](): Iterator<UserId> {
    return this.toArray()[Symbol.iterator]()
  }

  #filter(keeps: (id: UserId) => boolean): UserSet {
    const list = (this.#list as readonly UserId[]).filter(keeps)
    return list.length === this.size ? this : new UserSet(list, undefined, list.length)
  }

  #combine(other: UserSet, combine: (word: number, otherWord: number) => number): UserSet {
    const otherWords = other.#words as Uint32Array
    const words = (this.#words as Uint32Array).map((word, index) => combine(word, otherWords[index] ?? 0))
    const combined = UserSet.#fromWords(words)
    return combined.size === this.size ? this : combined // Same size: the result is this set.
  }

  #addTo(words: Uint32Array): void {
    if (this.#words) {
      const added = this.#words
      for (let index = 0; index < added.length; index++) {
        words[index] = (words[index] as number) | (added[index] as number)
      }
    } else {
      for (const id of this.#list ?? []) words[id >>> 5] = (words[id >>> 5] as number) | (1 << (id & 31))
    }
  }

  #highest(): number {
    if (this.#list) return this.#list.at(-1) ?? 0
    return (this.#words as Uint32Array).length * 32 - 1
  }

  #copyWords(lengthMin: number): Uint32Array {
    const length = Math.max(lengthMin, this.#words?.length ?? 0, (this.#highest() >>> 5) + 1)
    const words = new Uint32Array(length)
    if (this.#words) words.set(this.#words)
    else for (const id of this.#list ?? []) words[id >>> 5] = (words[id >>> 5] as number) | (1 << (id & 31))
    return words
  }
}

function countBits(words: Uint32Array): number {
  let count = 0
  for (const word of words) count += countOnes(word)
  return count
}

/** The number of set bits in a word. */
function countOnes(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

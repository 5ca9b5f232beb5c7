/**
 * Finds numbers by texts that are kept elsewhere, such as on the disk: each takes eight bytes of memory, where an entry of
 * a map takes some hundred.
 */

import { randomInt } from 'node:crypto'
import { countBelow, SortedNumbers } from './sorted-numbers.ts'

/** A key is a hash of 30 bits and a number of 23, which one float holds exactly. */
const NUMBERS = 2 ** 23
const HASHES = 2 ** 30

/** Numbers below 2^23 by their texts; of several with one text the largest counts. */
export class TextIndex {
  readonly #keys = new SortedNumbers()
  /** So nobody can choose texts that share a hash. */
  readonly #seed = randomInt(HASHES)
  readonly #textOf: (number: number) => Promise<string | undefined>

  constructor(textOf: (number: number) => Promise<string | undefined>) {
    this.#textOf = textOf
  }

  add(text: string, number: number): void {
    if (number >= NUMBERS) throw new Error('the number is too large')
    this.#keys.add(this.#hash(text) * NUMBERS + number)
  }

  async find(text: string): Promise<number | undefined> {
    for await (const number of this.findAll(text)) return number
    return undefined
  }

  /** All of them, from the largest on. */
  async *findAll(text: string): AsyncGenerator<number> {
    const hash = this.#hash(text)
    const all = await this.#keys.sorted()
    for (let at = countBelow(all, (hash + 1) * NUMBERS) - 1; at >= 0; at--) {
      const key = all[at] ?? 0
      if (Math.floor(key / NUMBERS) !== hash) return
      if ((await this.#textOf(key % NUMBERS)) === text) yield key % NUMBERS
    }
  }

  /** The numbers whose text a larger one has, too. */
  async *replaced(): AsyncGenerator<number> {
    const all = await this.#keys.sorted()
    let hash = -1
    let seen = new Set<string>()
    for (let at = all.length - 1; at >= 0; at--) {
      const key = all[at] ?? 0
      const isShared = Math.floor(key / NUMBERS) === hash
      hash = Math.floor(key / NUMBERS)
      if (!isShared && Math.floor((all[at - 1] ?? -1) / NUMBERS) !== hash) continue
      if (!isShared) seen = new Set()
      const text = await this.#textOf(key % NUMBERS)
      if (text === undefined) continue
      if (seen.has(text)) yield key % NUMBERS
      seen.add(text)
    }
  }

  /** FNV-1a over UTF-16 units, from a seed, with its bits mixed in the end. */
  #hash(text: string): number {
    let hash = this.#seed
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    return (hash ^ (hash >>> 13)) & (HASHES - 1)
  }
}

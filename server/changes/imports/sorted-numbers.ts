/** Many numbers in order, in eight bytes each. */

import { setImmediate } from 'node:timers/promises'

const FIRST_CAPACITY = 1_024
/** Numbers that are sorted in one go: some milliseconds, and then others have their turn. */
const PART = 65_536

export class SortedNumbers {
  #numbers = new Float64Array(FIRST_CAPACITY)
  #count = 0
  #sorted: Promise<Float64Array> | undefined

  /** Adds a number; not while they are sorted. */
  add(number: number): void {
    if (this.#count === this.#numbers.length) {
      const larger = new Float64Array(this.#numbers.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#count++] = number
    this.#sorted = undefined
  }

  /** From the smallest on; they are valid until the next one is added. */
  sorted(): Promise<Float64Array> {
    return (this.#sorted ??= sortInParts(this.#numbers.subarray(0, this.#count)))
  }
}

/** How many of the sorted numbers are smaller. */
export function countBelow(sorted: Float64Array, number: number): number {
  let start = 0
  let end = sorted.length
  while (start < end) {
    const middle = (start + end) >>> 1
    if ((sorted[middle] ?? 0) < number) start = middle + 1
    else end = middle
  }
  return start
}

/** Sorts parts, and merges each two neighbours until there is one. */
async function sortInParts(numbers: Float64Array): Promise<Float64Array> {
  for (let start = 0; start < numbers.length; start += PART) {
    if (start > 0) await setImmediate()
    numbers.subarray(start, start + PART).sort()
  }
  const left = new Float64Array(numbers.length)
  for (let length = PART; length < numbers.length; length *= 2)
    for (let start = 0; start + length < numbers.length; start += 2 * length) {
      await setImmediate()
      left.set(numbers.subarray(start, start + length))
      mergeInto(numbers.subarray(start, start + 2 * length), left.subarray(0, length))
    }
  return numbers
}

/** Merges `left` with the right part of `both`, whose left part is free. */
function mergeInto(both: Float64Array, left: Float64Array): void {
  let right = left.length
  let at = 0
  for (const number of left) {
    while (right < both.length && (both[right] as number) < number) both[at++] = both[right++] as number
    both[at++] = number
  }
}

/** Many numbers in order, in eight bytes each. */

const FIRST_CAPACITY = 1_024

export class SortedNumbers {
  #numbers = new Float64Array(FIRST_CAPACITY)
  #count = 0
  #isSorted = true

  add(number: number): void {
    if (this.#count === this.#numbers.length) {
      const larger = new Float64Array(this.#numbers.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#count++] = number
    this.#isSorted = false
  }

  /** From the smallest on; they are valid until the next one is added. */
  get all(): Float64Array {
    const all = this.#numbers.subarray(0, this.#count)
    if (!this.#isSorted) all.sort()
    this.#isSorted = true
    return all
  }

  /** How many are smaller. */
  countBelow(number: number): number {
    const { all } = this
    let start = 0
    let end = all.length
    while (start < end) {
      const middle = (start + end) >>> 1
      if ((all[middle] ?? 0) < number) start = middle + 1
      else end = middle
    }
    return start
  }
}

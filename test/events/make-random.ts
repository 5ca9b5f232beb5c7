/** Random choices from a seed. */

export interface Random {
  /** A whole number from 0 and below a bound. */
  readonly below: (bound: number) => number
  pick<Item>(items: readonly Item[]): Item
  /** One or more items, in their order. */
  some<Item>(items: readonly Item[]): Item[]
}

/** Numbers from 0 to below 1 (mulberry32): small, and good enough for tests. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Choices by such numbers. */
export function makeRandom(seed: number): Random {
  const next = randomNumbers(seed)
  const below = (bound: number) => Math.floor(next() * bound)
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item
  return {
    below,
    pick,
    some(items) {
      const kept = items.filter(() => below(2) === 0)
      return kept.length > 0 ? kept : [pick(items)]
    },
  }
}

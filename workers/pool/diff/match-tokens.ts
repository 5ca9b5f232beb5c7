/** Matches equal runs of two token lists: the longest run first, then the longest on either side of it. */

/** Equal runs, ascending in both lists; empty if the lists have no tokens in common. */
export interface Match {
  readonly oldStart: number
  readonly start: number
  readonly length: number
}

/**
 * From this many tokens on, very frequent ones are not looked up; like other implementations, so that results agree.
 */
const LONG_LENGTH = 200
/** Runs of up to this many tokens are coincidences, except in short texts. */
const CHANCE_LENGTH = 2

/**
 * The matches of two versions' keys. Deterministic: work is counted, and tokens left after `stepsMax` count as
 * different.
 */
export function matchTokens(old: readonly string[], now: readonly string[], stepsMax: number): Match[] {
  const matches = joinAdjacent(findMatches(old, now, stepsMax))
  const chance = Math.min(CHANCE_LENGTH, now.length / 4)
  return matches.filter(({ length }) => length > chance)
}

function findMatches(old: readonly string[], now: readonly string[], stepsMax: number): Match[] {
  const { a, b, placesOf } = number(old, now)
  /**
   * For each position in `now` and the one before, the length of the run that ends there; two rows, used alternately.
   */
  let lengths = new Int32Array(b.length + 1)
  let nextLengths = new Int32Array(b.length + 1)
  let steps = 0

  const findLongest = (aLow: number, aHigh: number, bLow: number, bHigh: number): Match | undefined => {
    let best = 0
    let aBest = aLow
    let bBest = bLow
    let written: readonly number[] = []
    for (let i = aLow; i < aHigh; i++) {
      const places = placesOf[a[i] as number] as readonly number[]
      steps += 1 + places.length
      for (const j of places) {
        if (j < bLow) continue
        if (j >= bHigh) break
        const length = (lengths[j] as number) + 1
        nextLengths[j + 1] = length
        if (length > best) {
          best = length
          aBest = i - length + 1
          bBest = j - length + 1
        }
      }
      for (const j of written) lengths[j + 1] = 0
      const swapped = lengths
      lengths = nextLengths
      nextLengths = swapped
      written = places
    }
    for (const j of written) lengths[j + 1] = 0
    // Frequent tokens start no run, but may extend one.
    while (aBest > aLow && bBest > bLow && a[aBest - 1] === b[bBest - 1]) {
      aBest--
      bBest--
      best++
    }
    while (aBest + best < aHigh && bBest + best < bHigh && a[aBest + best] === b[bBest + best]) best++
    steps += best
    return best === 0 ? undefined : { oldStart: aBest, start: bBest, length: best }
  }

  const matches: Match[] = []
  const ranges = [[0, a.length, 0, b.length]]
  for (let range = ranges.pop(); range && steps < stepsMax; range = ranges.pop()) {
    const [aLow, aHigh, bLow, bHigh] = range as [number, number, number, number]
    const match = findLongest(aLow, aHigh, bLow, bHigh)
    if (!match) continue
    matches.push(match)
    const aEnd = match.oldStart + match.length
    const bEnd = match.start + match.length
    if (aLow < match.oldStart && bLow < match.start) ranges.push([aLow, match.oldStart, bLow, match.start])
    if (aEnd < aHigh && bEnd < bHigh) ranges.push([aEnd, aHigh, bEnd, bHigh])
  }
  return matches.sort((one, other) => one.oldStart - other.oldStart)
}

/** Keys as numbers, with their positions in `now`; very frequent ones have none. */
function number(old: readonly string[], now: readonly string[]) {
  const ids = new Map<string, number>()
  const placesOf: number[][] = []
  const idOf = (key: string) => {
    const existing = ids.get(key)
    if (existing !== undefined) return existing
    ids.set(key, placesOf.length)
    return placesOf.push([]) - 1
  }
  const b = now.map(idOf)
  for (const [place, id] of b.entries()) placesOf[id]?.push(place)
  if (b.length >= LONG_LENGTH) {
    const frequent = Math.floor(b.length / 100) + 1
    for (const [id, places] of placesOf.entries()) if (places.length > frequent) placesOf[id] = []
  }
  return { a: old.map(idOf), b, placesOf }
}

function joinAdjacent(matches: readonly Match[]): Match[] {
  const joined: Match[] = []
  for (const match of matches) {
    const last = joined.at(-1)
    const isAdjacent =
      last && last.oldStart + last.length === match.oldStart && last.start + last.length === match.start
    if (isAdjacent) joined[joined.length - 1] = { ...last, length: last.length + match.length }
    else joined.push(match)
  }
  return joined
}

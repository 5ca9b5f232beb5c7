/** Runs the sides of a comparison in turns, so that other load on the machine affects all. */

import type { Round } from './figure.ts'

/** The share of a turn that warms up. */
const WARM_UP_SHARE = 1 / 4

/** The length of a turn, or of the uncounted one before the first. */
export const turnLength = (round: number, full: number) =>
  round < 0 ? Math.ceil(full * WARM_UP_SHARE) : full

/** Runs A, B, A, B and so on, after one uncounted turn of each. */
export function interleave<Sample>(
  count: number,
  ours: (round: number) => Promise<Sample>,
  limit: (round: number) => Promise<Sample>,
): Promise<Round<Sample>[]> {
  return takeTurns(count, { ours, limit })
}

/** Runs any number of sides in turns, after one uncounted turn of each; a round has one sample of each side. */
export async function takeTurns<Sample, Side extends string>(
  count: number,
  sides: Readonly<Record<Side, (round: number) => Promise<Sample>>>,
): Promise<Record<Side, Sample>[]> {
  const rounds: Record<Side, Sample>[] = []
  for (let round = -1; round < count; round++) {
    const found = {} as Record<Side, Sample>
    for (const side of Object.keys(sides) as Side[]) found[side] = await sides[side](round)
    if (round >= 0) rounds.push(found)
  }
  return rounds
}

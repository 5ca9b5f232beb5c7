/** Runs both sides of a comparison in turns, so that other load on the machine affects both. */

import type { Round } from './figure.ts'

/** Runs A, B, A, B and so on, after one uncounted turn of each. */
export async function interleave<Sample>(
  count: number,
  ours: (round: number) => Promise<Sample>,
  limit: (round: number) => Promise<Sample>,
): Promise<Round<Sample>[]> {
  await ours(-1)
  await limit(-1)
  const rounds: Round<Sample>[] = []
  for (let round = 0; round < count; round++) {
    rounds.push({ ours: await ours(round), limit: await limit(round) })
  }
  return rounds
}

/** Compares the reads per second of Parley and of its limit, with the processor time that each server takes. */

import type { ReadLoad, WantedRead } from '../load/read-load.ts'
import { compareRates, type Figure } from '../measure/figure.ts'
import { interleave } from '../measure/interleave.ts'
import { readCpuMs } from '../measure/read-cpu.ts'
import type { Remote } from '../start/remote.ts'

/** A server, and the connected load that asks it. */
interface Side {
  readonly load: Remote<ReadLoad>
  readonly pid: number
}

interface ReadComparison {
  readonly name: string
  readonly reads: readonly WantedRead[]
  readonly ours: Side
  readonly limit: Side
  readonly rounds: number
  /** Of one turn. */
  readonly turnMs: number
  /** The ratio that is wanted. */
  readonly min: number
}

export async function compareReads(
  { name, reads, ours, limit, rounds, turnMs, min }: ReadComparison,
  notes: Readonly<Record<string, number>> = {},
): Promise<Figure> {
  const busyMs = { ours: 0, limit: 0 }
  const read = async (side: keyof typeof busyMs, { load, pid }: Side) => {
    const startMs = readCpuMs(pid)
    const perSecond = await load.call('read', { reads, ms: turnMs })
    busyMs[side] += readCpuMs(pid) - startMs
    return perSecond
  }
  const found = await interleave(
    rounds,
    () => read('ours', ours),
    () => read('limit', limit),
  )
  const share = (ms: number) => `${Math.round((100 * ms) / ((rounds + 1) * turnMs))} %`
  const busy = { 'busy ours': share(busyMs.ours), 'busy limit': share(busyMs.limit) }
  return compareRates(name, found, { unit: '/s', min }, { ...notes, ...busy })
}

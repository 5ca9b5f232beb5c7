/** A process's use of the processor. */

import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10

/** Milliseconds that a process has kept a processor busy. */
export function readCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The name before may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

/** The processor time of a process. */

import { readdirSync, readFileSync } from 'node:fs'

const NS_PER_MS = 1e6

/** Milliseconds of processor time of a process in its living threads, exact to less than one. */
export function readCpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + readThreadNs(pid, thread), 0) / NS_PER_MS
}

function readThreadNs(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0])
  } catch (error) {
    // The thread ended since the folder was read.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}

/** Tells what another process of this machine is doing, as far as the system shows it. */
import { readFileSync, readlinkSync } from 'node:fs'

/** Tells whether a process runs: one that has ended but that nobody has taken note of does not. */
export function isRunning(pid: number): boolean {
  return isIdTaken(pid) && !/^[ZX]/.test(readStat(pid)?.[0] ?? '')
}

/** Tells whether a process id is in use, be it by one that has ended but that nobody has taken note of. */
export function isIdTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // It is another user's.
  }
}

/** Returns the id of a process's parent; undefined when it is gone, or where there is no /proc. */
export function findParent(pid: number): number | undefined {
  const parent = readStat(pid)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** Returns a process's working folder; undefined when it is gone or not ours to look at, or where there is no /proc. */
export function findWorkingFolder(pid: number | string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // The reasons above; which one makes no difference to anybody.
  }
}

/** Reads state, parent and so on: what follows "pid (name) ", where the name may hold spaces and brackets. */
function readStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // It is gone, or there is no /proc.
  }
}

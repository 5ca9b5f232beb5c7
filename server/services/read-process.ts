/** Inspects other processes of this machine, as far as the system permits. */
import { readFileSync, readlinkSync } from 'node:fs'

/** Whether a process runs; an ended process that was not reaped does not. */
export function isRunning(pid: number): boolean {
  return isIdTaken(pid) && !/^[ZX]/.test(readStat(pid)?.[0] ?? '')
}

/** Whether a process id is in use, even by an ended process that was not reaped. */
export function isIdTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // The process belongs to another user.
  }
}

/** Returns the id of a process's parent; undefined if it is gone, or without /proc. */
export function findParent(pid: number): number | undefined {
  const parent = readStat(pid)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** Returns a process's working folder; undefined if it is gone or not readable, or without /proc. */
export function findWorkingFolder(pid: number | string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // One of the reasons above; callers need not distinguish them.
  }
}

/** Reads state, parent and so on: the part after "pid (name) ", where the name may contain spaces and brackets. */
function readStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // It is gone, or there is no /proc.
  }
}

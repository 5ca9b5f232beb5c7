/** Finds running processes by their files, so that tests can show that none is left. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Returns the ids of living processes with the text in their working folder or command line. */
export function findProcesses(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && describe(pid).includes(text))
}

function describe(pid: number): string {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`
  } catch {
    return '' // It has ended, belongs to another user, or is a zombie.
  }
}

/** Finds running processes by what they work on, so that tests can show that none is left. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Returns the ids of the living processes whose working folder or command line holds the text. */
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
    return '' // It ended meanwhile, is not ours to look at, or waits only for its parent to take note of its end.
  }
}

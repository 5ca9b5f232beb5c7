/** The memory of another process, as the system sees it. */

import { readFileSync } from 'node:fs'

/** Resident bytes. Linux only, like the server. */
export function readRss(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`)
  return Number(kilobytes) * 1024
}

/** An import as operators run it: a command of its own, whose memory and processor time are watched. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const LOOK_MS = 50
/** Of `/proc/PID/stat`, by Linux on every processor. */
const TICKS_PER_SECOND = 100

/** An import that has ended. */
export interface ImportRun {
  /** As the import reports them; of one that was killed, until then. */
  readonly seconds: number
  readonly processorSeconds: number
  readonly peakMib: number
  /** Undefined if it was killed. */
  readonly summary: { readonly messages: number; readonly already_imported: number } | undefined
}

/** Imports a zip of Slack; `watch` may kill the process. */
export async function runImport(
  databaseUrl: string,
  path: string,
  folder: string,
  watch: (child: ChildProcess) => void = () => undefined,
): Promise<ImportRun> {
  const startMs = performance.now()
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(ROOT, 'server/admin/main.ts'), 'import', 'slack', path],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder },
    },
  )
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  let usage = { peakMib: 0, processorSeconds: 0 }
  const look = setInterval(() => {
    usage = readUsage(child.pid as number) ?? usage
  }, LOOK_MS)
  watch(child)
  const [code, signal] = await once(child, 'close')
  clearInterval(look)
  const wallSeconds = (performance.now() - startMs) / 1_000
  if (signal !== null) return { seconds: wallSeconds, ...usage, summary: undefined }
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  const summary = JSON.parse(output) as NonNullable<ImportRun['summary']> & { readonly seconds: number }
  return { seconds: Math.max(summary.seconds, 0.1), ...usage, summary }
}

/** The largest memory and the processor time of a process; undefined once it has ended. Linux only. */
function readUsage(pid: number) {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    if (peak === undefined) return undefined
    const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return { peakMib: Number(peak) / 1_024, processorSeconds: (user + system) / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}

/** Runs test files, each in a process of its own, some at a time. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Test files at a time: they wait about as much as they work. */
const JOBS = 3
/** What a test has, by its own clock; a file that outlasts even twice that hangs, and is ended. */
const TIMEOUT_SECONDS = Number(process.env.PARLEY_TEST_TIMEOUT_SECONDS ?? '120')

/** What the files said together. */
interface Tally {
  assertions: number
  readonly failed: string[]
}

/** Says how each file went, and of those that failed what tap said; resolves to whether all went well. */
export async function runFiles(
  root: string,
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const startMs = performance.now()
  const tally: Tally = { assertions: 0, failed: [] }
  const running = new Set<ChildProcess>()
  const waiting = files.values()
  let isStopped = false
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true
    for (const child of running) child.kill(signal)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  // Each job takes the next file from the one iterator.
  const work = async () => {
    for (const file of waiting) {
      if (isStopped) return
      await runFile(file)
    }
  }
  const runFile = async (file: string) => {
    const child = spawn(process.execPath, [file], {
      cwd: root,
      env: { ...env, TAP: '1', TAP_TIMEOUT: String(TIMEOUT_SECONDS) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    running.add(child)
    const killer = setTimeout(() => child.kill('SIGKILL'), 2 * TIMEOUT_SECONDS * 1000)
    const [tap, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
    clearTimeout(killer)
    running.delete(child)
    report(file, tap, signal ?? code, tally)
  }
  await Promise.all(Array.from({ length: JOBS }, work))

  process.off('SIGINT', stop)
  process.off('SIGTERM', stop)
  const seconds = Math.round((performance.now() - startMs) / 1000)
  process.stdout.write(`\n# ${files.length} files, ${tally.assertions} assertions, ${seconds} s\n`)
  for (const file of tally.failed) process.stdout.write(`# failed: ${file}\n`)
  return tally.failed.length === 0 && !isStopped
}

/** One line for a file that went well; for another what tap said, without what went well in it. */
function report(file: string, tap: string, end: number | string, tally: Tally): void {
  const [, total, pass] = /^# \{ total: (\d+)(?:, pass: (\d+))?/m.exec(tap) ?? []
  const assertions = Number(total ?? 0)
  tally.assertions += assertions
  // A file that ends early has said nothing of a total, and one without a test tests nothing.
  if (end === 0 && assertions > 0 && pass === total) {
    process.stdout.write(
      `ok - ${file} # ${assertions} assertions, ${/^# time=.*$/m.exec(tap)?.[0].slice(7)}\n`,
    )
    return
  }
  tally.failed.push(file)
  const lines = tap.split('\n').filter((line) => !/^\s*(?:ok \d+ .*|\d+\.\.\d+|)$/.test(line))
  process.stdout.write(`${lines.join('\n')}\nnot ok - ${file} # ended by ${end}\n`)
}

/**
 * Runs test files in parallel, each in the next free process: otherwise loading takes most of the time of a
 * file.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FileResult } from './run-in-turn.ts'

/**
 * Parallel test files: most of their time they wait, for a database or a browser. With five, two processors had nothing to
 * do for a fifth of the run. Each takes some 300 MB, and up to 50 connections of the database.
 */
const JOBS = 7
/** The limit of a test without an assertion, more than that of a wait; a file that takes more than twice this hangs, and is killed. */
const TIMEOUT_SECONDS = Number(process.env.PARLEY_TEST_TIMEOUT_SECONDS ?? '600')
/** The time for a process to end when it is idle or hangs. */
const END_MS_MAX = 60_000
/** Files that need their own process. */
const ALONE: readonly string[] = [
  'test/clients/tus-js.test.ts', // The library listens to signals.
  'test/packages/client.test.ts', // The same library.
  'test/clients/zulip-js.test.ts', // The library replaces FormData.
  'test/browser/passkeys.test.ts', // The library replaces globals that others share.
  'test/db/ended-pool.test.ts', // Checks all timers of the process.
  'test/wire/on-other-transport.test.ts', // Loads other test files, which a process loads only once.
  'test/events/slow-clients.test.ts', // Measures the memory of the process.
]

/** Most code of a test runs a few times: optimizing it would take a tenth of the processor time of all tests. */
const NODE_FLAGS = ['--invocation-count-for-turbofan=30000']

/** The output of all files. */
interface Tally {
  assertions: number
  readonly failed: string[]
  /** Tests that did not run, with the reason. */
  readonly skipped: string[]
  readonly print: (text: string) => void
}

/** A process, which runs one file after another, and the last file if it passed. */
interface Lane {
  process?: TestProcess | undefined
  rightFile?: string | undefined
}

/** The result of a file: its output, or the end of its process. */
type Outcome = FileResult | { readonly endedBy: number | string }

/** Prints the result of each file, with tap's output for failed ones; resolves to whether all passed. */
export async function runFiles(
  root: string,
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void = (text) => process.stdout.write(text),
): Promise<boolean> {
  const startMs = performance.now()
  const tally: Tally = { assertions: 0, failed: [], skipped: [], print }
  const running = new Set<TestProcess>()
  const waiting = files.values()
  let isStopped = false
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true
    for (const one of running) one.kill(signal)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  const begin = () => {
    const one = new TestProcess(root, env)
    running.add(one)
    return one
  }
  const end = async (lane: Lane) => {
    const { process: one, rightFile } = lane
    if (!one) return
    const outcome = await one.end()
    // Output after the last file has passed still fails the run.
    if (rightFile !== undefined && outcome.endedBy !== 0)
      report(`${rightFile}, after its end`, outcome, one.takeOutput(), tally)
    running.delete(one)
    lane.process = undefined
  }
  const run = async (file: string, lane: Lane) => {
    const one = (lane.process ??= begin())
    const outcome = await one.run(file)
    lane.rightFile = report(file, outcome, one.takeOutput(), tally) ? file : undefined
    // Leftovers of a failure must not fail other files.
    if (lane.rightFile === undefined) await end(lane)
  }
  // Each job takes the next file from the shared iterator.
  const work = async () => {
    const shared: Lane = {}
    for (const file of waiting) {
      if (isStopped) break
      const lane: Lane = ALONE.includes(file) ? {} : shared
      await run(file, lane)
      if (lane !== shared) await end(lane)
    }
    await end(shared)
  }
  await Promise.all(Array.from({ length: JOBS }, work))

  process.off('SIGINT', stop)
  process.off('SIGTERM', stop)
  const seconds = Math.round((performance.now() - startMs) / 1000)
  print(`\n# ${files.length} files, ${tally.assertions} assertions, ${seconds} s\n`)
  for (const test of tally.skipped) print(`# skipped: ${test}\n`)
  for (const file of tally.failed) print(`# failed: ${file}\n`)
  return tally.failed.length === 0 && !isStopped
}

/** A process that runs files in turn. */
class TestProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<{ readonly endedBy: number | string }>
  #output = ''

  constructor(root: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [...NODE_FLAGS, join(import.meta.dirname, 'run-in-turn.ts')], {
      cwd: root,
      // The root test of the process waits for nothing; that of each file does.
      env: { ...env, TAP: '1', TAP_TIMEOUT: '0', PARLEY_TEST_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text
    })
    this.#ended = once(this.#child, 'close').then(([code, signal]) => ({ endedBy: signal ?? code }))
  }

  async run(file: string): Promise<Outcome> {
    const killer = setTimeout(() => this.kill('SIGKILL'), 2 * TIMEOUT_SECONDS * 1000)
    const answered = new Promise<FileResult>((resolve) => {
      // Tap also sends messages to a parent.
      this.#child.on('message', (message: object) => {
        killer.refresh() // Progress.
        if ('tap' in message) resolve(message as FileResult)
      })
    })
    this.#child.send(file, () => undefined) // A process that is gone has ended, which suffices.
    const outcome = await Promise.race([answered, this.#ended])
    clearTimeout(killer)
    this.#child.removeAllListeners('message')
    return outcome
  }

  /** The output of files besides tap's lines since the last time. */
  takeOutput(): string {
    const output = this.#output
    this.#output = ''
    return output
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async end(): Promise<{ readonly endedBy: number | string }> {
    const killer = setTimeout(() => this.kill('SIGKILL'), END_MS_MAX)
    this.#child.send('', () => undefined)
    const outcome = await this.#ended
    clearTimeout(killer)
    return outcome
  }
}

/** One line for a file that passed; otherwise tap's output without the passed parts. */
function report(file: string, outcome: Outcome, output: string, tally: Tally): boolean {
  const fault = 'tap' in outcome ? findFault(outcome, ALONE.includes(file)) : `ended by ${outcome.endedBy}`
  const assertions = 'tap' in outcome ? outcome.assertions : 0
  tally.assertions += assertions
  if (fault === undefined && 'tap' in outcome) {
    const { ms, cpuMs, skipped } = outcome
    for (const test of skipped) tally.skipped.push(`${file}: ${test.replace(' # SKIP ', ': ')}`)
    tally.print(`ok - ${file} # ${assertions} assertions, ${ms} ms, of the processor ${cpuMs} ms\n`)
    return true
  }
  tally.failed.push(file)
  tally.print(`${output}${faultyPart(outcome)}\nnot ok - ${file} # ${fault}\n`)
  return false
}

/** Tap's output without the passed parts. */
function faultyPart(outcome: Outcome): string {
  const lines = 'tap' in outcome ? outcome.tap.split('\n') : []
  return lines.filter((line) => !/^\s*(?:ok \d+ .*|\d+\.\.\d+|)$/.test(line)).join('\n')
}

/** The reason why a file counts as failed. */
function findFault(
  { assertions, passed, skipped, isRight, left, changed }: FileResult,
  isAlone: boolean,
): string | undefined {
  const faults = isAlone ? [...left] : [...left, ...changed]
  if (assertions === 0) faults.push('it has no test')
  const missing = assertions - passed - skipped.length
  if (missing !== 0) faults.push(`${missing} of ${assertions} assertions failed`)
  else if (!isRight) faults.push('it is wrong as a whole')
  return faults.length === 0 ? undefined : faults.join(', ')
}

/** Runs test files, some at a time, each in the process that is free next: most of a file's time is loading otherwise. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FileResult } from './run-in-turn.ts'

/** Test files at a time: they wait about as much as they work. */
const JOBS = 3
/** What a test has, by its own clock; a file that outlasts even twice that hangs, and is ended. */
const TIMEOUT_SECONDS = Number(process.env.PARLEY_TEST_TIMEOUT_SECONDS ?? '120')
/** What a process has to end when it has nothing more to do, or hangs. */
const END_MS_MAX = 10_000
/** Files that have a process of their own. */
const ALONE: readonly string[] = [
  'test/clients/tus-js.test.ts', // The library listens to signals.
  'test/packages/client.test.ts', // The same library.
  'test/clients/zulip-js.test.ts', // The library puts something else in the place of FormData.
  'test/db/ended-pool.test.ts', // Looks at all timers of the process.
  'test/events/slow-clients.test.ts', // Looks at the memory of the process.
]

/** What the files said together. */
interface Tally {
  assertions: number
  readonly failed: string[]
  readonly print: (text: string) => void
}

/** How a file went: what it said, or how the process ended under it. */
type Outcome = FileResult | { readonly endedBy: number | string }

/** Says how each file went, and of those that failed what tap said; resolves to whether all went well. */
export async function runFiles(
  root: string,
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void = (text) => process.stdout.write(text),
): Promise<boolean> {
  const startMs = performance.now()
  const tally: Tally = { assertions: 0, failed: [], print }
  const running = new Set<TestProcess>()
  const waiting = files.values()
  let isStopped = false
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true
    for (const one of running) one.kill(signal)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  // Each job takes the next file from the one iterator.
  const work = async () => {
    let runner: TestProcess | undefined
    let rightFile: string | undefined
    const end = async () => {
      const outcome = await runner?.end()
      // What came when its last file had been told to be right fails the run all the same.
      if (runner && outcome && rightFile !== undefined && outcome.endedBy !== 0) {
        report(`${rightFile}, after its end`, outcome, runner.takeOutput(), tally)
      }
      if (runner) running.delete(runner)
      runner = undefined
    }
    for (const file of waiting) {
      if (isStopped) break
      if (ALONE.includes(file)) await end()
      runner ??= new TestProcess(root, env)
      running.add(runner)
      const outcome = await runner.run(file)
      rightFile = report(file, outcome, runner.takeOutput(), tally) ? file : undefined
      // What a failure has left behind is not to fail others.
      if (rightFile === undefined || ALONE.includes(file)) await end()
    }
    await end()
  }
  await Promise.all(Array.from({ length: JOBS }, work))

  process.off('SIGINT', stop)
  process.off('SIGTERM', stop)
  const seconds = Math.round((performance.now() - startMs) / 1000)
  print(`\n# ${files.length} files, ${tally.assertions} assertions, ${seconds} s\n`)
  for (const file of tally.failed) print(`# failed: ${file}\n`)
  return tally.failed.length === 0 && !isStopped
}

/** A process that runs files in turn. */
class TestProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<{ readonly endedBy: number | string }>
  #output = ''

  constructor(root: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [join(import.meta.dirname, 'run-in-turn.ts')], {
      cwd: root,
      // The process's own root test has nothing to wait for; each file's has.
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
      // Tap, too, tells a parent this and that.
      this.#child.on('message', (message: object) => {
        killer.refresh() // It gets on.
        if ('tap' in message) resolve(message as FileResult)
      })
    })
    this.#child.send(file, () => undefined) // A process that is gone has ended, which is answer enough.
    const outcome = await Promise.race([answered, this.#ended])
    clearTimeout(killer)
    this.#child.removeAllListeners('message')
    return outcome
  }

  /** What the files have printed beside tap's lines since the last time. */
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

/** One line for a file that went well; for another what tap said, without what went well in it. */
function report(file: string, outcome: Outcome, output: string, tally: Tally): boolean {
  const [tap, fault] =
    'tap' in outcome
      ? [outcome.tap, findFault(outcome, ALONE.includes(file))]
      : ['', `ended by ${outcome.endedBy}`]
  const assertions = 'tap' in outcome ? outcome.assertions : 0
  tally.assertions += assertions
  if (fault === undefined && 'tap' in outcome) {
    const { ms, cpuMs } = outcome
    tally.print(`ok - ${file} # ${assertions} assertions, ${ms} ms, of the processor ${cpuMs} ms\n`)
    return true
  }
  tally.failed.push(file)
  const lines = tap.split('\n').filter((line) => !/^\s*(?:ok \d+ .*|\d+\.\.\d+|)$/.test(line))
  tally.print(`${output}${lines.join('\n')}\nnot ok - ${file} # ${fault}\n`)
  return false
}

function findFault(
  { assertions, passed, isRight, left, changed }: FileResult,
  isAlone: boolean,
): string | undefined {
  const faults = isAlone ? [...left] : [...left, ...changed]
  if (assertions === 0) faults.push('it has no test')
  if (passed !== assertions) faults.push(`${assertions - passed} of ${assertions} assertions failed`)
  else if (!isRight) faults.push('it is wrong as a whole')
  return faults.length === 0 ? undefined : faults.join(', ')
}

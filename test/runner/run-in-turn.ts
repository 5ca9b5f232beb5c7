/**
 * Runs test files one after another as the parent requests by IPC, so that the modules of the server are
 * loaded and compiled once. Each file has its own root test, must leave nothing open, and must restore the
 * process.
 */

import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import tap, { Test } from 'tap'
import { pollUntil } from '../services/poll-until.ts'
import { setRootTest } from './root-test.ts'

const ROOT = join(import.meta.dirname, '../..')
const TAP_OF_FILE = import.meta.resolve('./tap-of-file.mjs')
/** The least time between two reports of progress: each assertion is some. */
const PROGRESS_MS = 1_000
/** Tap's line of a skipped test: its title and the reason, without which it counts as failed. */
const SKIPPED = /^\s*ok \d+ - (.* # SKIP .+)$/
const TIMEOUT_MS = Number(process.env.PARLEY_TEST_TIMEOUT_SECONDS) * 1000
/** Listeners that decide how the process ends; modules may add others when they load. */
const ENDS = ['uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM'] as const
/** Set by sharp when it loads. */
const LOADED = 'VIPSHOME'

/** The result of a file. */
export interface FileResult {
  readonly tap: string
  readonly assertions: number
  readonly passed: number
  /** The tests that need a program which is not installed, each with tap's reason. */
  readonly skipped: readonly string[]
  /** Whether tap found no failure, including the plan and assertions after the end. */
  readonly isRight: boolean
  readonly ms: number
  /** Processor time of this process. */
  readonly cpuMs: number
  /**
   * Further failures of the file: resources that would keep a process alive (timers, sockets and the like),
   * and unhandled errors.
   */
  readonly left: readonly string[]
  /** Its changes of the process, which would affect later files. */
  readonly changed: readonly string[]
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context
    if (specifier !== 'tap' || !parentURL?.endsWith('.test.ts')) return nextResolve(specifier, context)
    return { url: `${TAP_OF_FILE}?of=${encodeURIComponent(parentURL)}`, shortCircuit: true }
  },
})
tap.hookDomain.destroy() // Unhandled errors belong to the root test of the file.
/** Unhandled errors: they may arrive after the end of the root test, when nothing else reports them. */
let uncaught: unknown[] = []
/** The root test of the running file. */
let running: Pick<Test, 'threw'> | undefined
process.on('uncaughtException', (error) => {
  uncaught.push(error)
  running?.threw(error) // Tap prints its place with the output of the file.
})
process.on('message', (file: string) => {
  if (file === '') process.exit(takeUncaught().length > 0 ? 1 : 0) // No more files.
  void runFile(file).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())

async function runFile(file: string): Promise<FileResult> {
  const before = process.getActiveResourcesInfo()
  const processBefore = describeProcess()
  process.exitCode = 0
  process.chdir(ROOT) // Tap's test folders change the working folder.
  const cpuBefore = process.cpuUsage()
  const path = join(ROOT, file)
  process.argv[1] = path // The name of the folders of its tests.
  const root = new Test({ name: file, timeout: TIMEOUT_MS, cb: () => import(path) })
  followNoPromises(root)
  setRootTest(root)
  running = root
  let text = ''
  let reportedMs = 0
  root.on('data', (chunk) => {
    text += chunk
    if (performance.now() - reportedMs < PROGRESS_MS) return
    reportedMs = performance.now()
    // Progress extends the time: a busy machine is no failure.
    if (root.timer) root.setTimeout(TIMEOUT_MS)
    process.send?.({ kind: 'progress' })
  })
  await new Promise<void>((resolve) => root.runMain(resolve))
  root.setTimeout(0) // As a parent would.
  await nextTurn() // Promises rejected meanwhile are reported now.
  const open = await waitUntilClosed(before)
  running = undefined
  // Only now, since assertions after the end count, too.
  const { total, pass } = root.counts
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    tap: text,
    assertions: total,
    passed: pass,
    skipped: text.split('\n').flatMap((line) => SKIPPED.exec(line)?.slice(1) ?? []),
    isRight: root.results?.ok === true && process.exitCode === 0,
    ms: Math.round(root.time),
    cpuMs: Math.round((user + system) / 1000),
    left: [
      ...open.map((kind) => `${kind} left open`),
      ...takeUncaught().map((error) => `nobody caught ${String(error)}`),
    ],
    changed: findChanges(processBefore, describeProcess()).map((what) => `${what} left changed`),
  }
}

/**
 * To name the test of an unhandled error, tap follows every promise, including those of the server under test. Here such
 * an error belongs to the whole file; its stack shows the place.
 */
function followNoPromises(test: Pick<Test, 'hookDomain'>): void {
  test.hookDomain.destroy()
  if (test instanceof Test) test.on('subtestAdd', followNoPromises)
}

/** Prints the unhandled errors, perhaps of an earlier file, and clears them. */
function takeUncaught(): unknown[] {
  const taken = uncaught
  uncaught = []
  for (const error of taken) console.error(error)
  return taken
}

function findChanges(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  // Libraries add globals when they first load.
  const names = new Set([
    ...before.keys(),
    ...[...after.keys()].filter((name) => !name.startsWith('global ')),
  ])
  return [...names].filter((name) => !Object.is(before.get(name), after.get(name)))
}

/** Sockets need some turns to close. */
async function waitUntilClosed(before: readonly string[]): Promise<string[]> {
  let left: string[] = []
  await pollUntil('everything is closed', () => {
    left = process.getActiveResourcesInfo()
    for (const kind of before) if (left.includes(kind)) left.splice(left.indexOf(kind), 1)
    return left.length === 0
  }).catch(() => undefined)
  return left
}

/** Process state that a test file might change and not restore, by name; unchanged parts are equal. */
function describeProcess(): Map<string, unknown> {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
    // Node creates its own globals on first access. Each copy of the helpers of compiled TypeScript sets them anew when it
    // loads, which may be long after it was asked for.
    .filter(([name, { value }]) => value !== undefined && !name.startsWith('__'))
    .map(([name, { value }]) => [`global ${name}`, value] as const)
  return new Map<string, unknown>([
    ['Date.now', Date.now],
    ['Math.random', Math.random],
    ...Object.entries(process.env)
      .filter(([name]) => name !== LOADED)
      .map(([name, value]) => [`env ${name}`, value] as const),
    ...ENDS.map((name) => [`listeners of ${name}`, process.listenerCount(name)] as const),
    ...globals,
  ])
}

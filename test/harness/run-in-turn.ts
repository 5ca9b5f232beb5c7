/**
 * A process that runs test files one after another, as its parent says by IPC: the server's modules are loaded and
 * compiled once for all of them. Each file has a root test of its own, and must leave nothing open, and the process as
 * it was.
 */

import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import tap, { Test } from 'tap'
import { pollUntil } from '../services/poll-until.ts'
import { describeProcess } from './describe-process.ts'
import { setRootTest } from './root-test.ts'

const ROOT = join(import.meta.dirname, '../..')
const TAP_OF_FILE = import.meta.resolve('./tap-of-file.mjs')
const TIMEOUT_MS = Number(process.env.PARLEY_TEST_TIMEOUT_SECONDS) * 1000

/** What came of a file. */
export interface FileResult {
  readonly tap: string
  readonly assertions: number
  readonly passed: number
  /** Whether tap found nothing wrong, the plan and what came after the end included. */
  readonly isRight: boolean
  readonly ms: number
  /** Of the processor, in this process. */
  readonly cpuMs: number
  /**
   * What is to fail the file beside its assertions: what would keep a process from ending (kinds of timers, sockets
   * and the like), and errors that nobody caught.
   */
  readonly left: readonly string[]
  /** What it has changed in the process, and so for the files that come after it. */
  readonly changed: readonly string[]
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context
    if (specifier !== 'tap' || !parentURL?.endsWith('.test.ts')) return nextResolve(specifier, context)
    return { url: `${TAP_OF_FILE}?of=${encodeURIComponent(parentURL)}`, shortCircuit: true }
  },
})
tap.hookDomain.destroy() // What nobody catches belongs to the file's root test.
/** Errors that nobody caught: the root test may have ended when they come, and then nobody else would hear of them. */
let uncaught: unknown[] = []
process.on('uncaughtException', (error) => uncaught.push(error))
process.on('message', (file: string) => {
  if (file === '') process.exit(takeUncaught().length > 0 ? 1 : 0) // There are no more.
  void runFile(file).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())

async function runFile(file: string): Promise<FileResult> {
  const before = process.getActiveResourcesInfo()
  const processBefore = describeProcess()
  process.exitCode = 0
  process.chdir(ROOT) // Test folders of tap leave the process in theirs.
  const cpuBefore = process.cpuUsage()
  const path = join(ROOT, file)
  process.argv[1] = path // By which the folders of its tests are called.
  const root = new Test({ name: file, timeout: TIMEOUT_MS, cb: () => import(path) })
  setRootTest(root)
  let text = ''
  root.on('data', (chunk) => {
    text += chunk
    // What gets on may take its time: a busy machine is no failure.
    if (root.timer) root.setTimeout(TIMEOUT_MS)
    process.send?.({ kind: 'progress' })
  })
  await new Promise<void>((resolve) => root.runMain(resolve))
  root.setTimeout(0) // A parent would do so.
  await nextTurn() // A promise that was rejected meanwhile is reported now.
  const open = await waitUntilClosed(before)
  // Only now: an assertion after the end counts, too.
  const { total, pass } = root.counts
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    tap: text,
    assertions: total,
    passed: pass,
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

/** Prints the errors that nobody caught, perhaps of an earlier file, and forgets them. */
function takeUncaught(): unknown[] {
  const taken = uncaught
  uncaught = []
  for (const error of taken) console.error(error)
  return taken
}

function findChanges(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  // Libraries bring globals of their own when they are first loaded.
  const names = new Set([
    ...before.keys(),
    ...[...after.keys()].filter((name) => !name.startsWith('global ')),
  ])
  return [...names].filter((name) => !Object.is(before.get(name), after.get(name)))
}

/** Sockets take some turns to close. */
async function waitUntilClosed(before: readonly string[]): Promise<string[]> {
  let left: string[] = []
  await pollUntil('everything is closed', () => {
    left = process.getActiveResourcesInfo()
    for (const kind of before) if (left.includes(kind)) left.splice(left.indexOf(kind), 1)
    return left.length === 0
  }).catch(() => undefined)
  return left
}

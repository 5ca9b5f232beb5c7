/**
 * A process that runs test files one after another, as its parent says by IPC: the server's modules are loaded and
 * compiled once for all of them. Each file has a root test of its own, and must leave nothing open.
 */

import { registerHooks } from 'node:module'
import { join } from 'node:path'
import tap, { Test } from 'tap'
import { pollUntil } from '../services/poll-until.ts'
import { setRootTest } from './root-test.ts'

const ROOT = join(import.meta.dirname, '../..')
const TAP_OF_FILE = import.meta.resolve('./tap-of-file.mjs')
const TIMEOUT_MS = Number(process.env.PARLEY_TEST_TIMEOUT_SECONDS) * 1000

/** What came of a file. */
export interface FileResult {
  readonly tap: string
  readonly assertions: number
  readonly passed: number
  /** Whether tap found nothing wrong, the plan included. */
  readonly isRight: boolean
  readonly ms: number
  /** Of the processor, in this process. */
  readonly cpuMs: number
  /** What would keep a process from ending: kinds of timers, sockets and the like. */
  readonly leftOpen: readonly string[]
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context
    if (specifier !== 'tap' || !parentURL?.endsWith('.test.ts')) return nextResolve(specifier, context)
    return { url: `${TAP_OF_FILE}?of=${encodeURIComponent(parentURL)}`, shortCircuit: true }
  },
})
tap.hookDomain.destroy() // What nobody catches belongs to the file's root test.
process.on('message', (file: string) => {
  if (file === '') process.exit() // There are no more.
  void runFile(file).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())

async function runFile(file: string): Promise<FileResult> {
  const before = process.getActiveResourcesInfo()
  const cpuBefore = process.cpuUsage()
  const path = join(ROOT, file)
  process.argv[1] = path // By which the folders of its tests are called.
  const root = new Test({ name: file, timeout: TIMEOUT_MS, cb: () => import(path) })
  setRootTest(root)
  let text = ''
  root.on('data', (chunk) => {
    text += chunk
  })
  await new Promise<void>((resolve) => root.runMain(resolve))
  root.setTimeout(0) // A parent would do so.
  const { total, pass } = root.counts
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    tap: text,
    assertions: total,
    passed: pass,
    isRight: root.results?.ok === true,
    ms: Math.round(root.time),
    cpuMs: Math.round((user + system) / 1000),
    leftOpen: await waitUntilClosed(before),
  }
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

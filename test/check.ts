/** `npm run check`: format, types, lint, unused code, layers, lock, licences, words and documents, in parallel; prints only errors. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '..')

/** The checks, by tool. */
const CHECKS: Readonly<Record<string, readonly [tool: string, ...args: string[]]>> = {
  format: ['biome', 'format', '.'],
  types: ['tsc', '--noEmit', '--project', '.'],
  'client types': ['tsc', '--noEmit', '--project', 'packages/client'],
  'browser types': ['tsc', '--noEmit', '--project', 'client'],
  'service worker types': ['tsc', '--noEmit', '--project', 'client/worker'],
  'example types': ['tsc', '--noEmit', '--project', 'examples'],
  lint: ['oxlint', '--type-aware'],
  'unused code': ['knip', '--no-progress'],
  layers: ['node', 'test/layers.test.ts'],
  'module state': ['node', 'test/module-state.test.ts'],
  lock: ['node', 'test/lock.test.ts'],
  licences: ['node', 'test/third-party.test.ts'],
  words: ['node', 'test/words.test.ts'],
  documents: ['node', 'test/documents.test.ts'],
}

interface Result {
  readonly name: string
  readonly isRight: boolean
  readonly output: string
}

async function run(name: string, [tool, ...args]: readonly [string, ...string[]]): Promise<Result> {
  const file = tool === 'node' ? process.execPath : join(ROOT, 'node_modules/.bin', tool)
  const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<boolean>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0))
  })
  const [out, err, isRight] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { name, isRight, output: `${out}${err}`.trim() }
}

const results = await Promise.all(Object.entries(CHECKS).map(([name, command]) => run(name, command)))
const wrong = results.filter(({ isRight }) => !isRight)
for (const { name, output } of wrong) process.stdout.write(`\n${name}:\n\n${output}\n`)
process.exitCode = wrong.length > 0 ? 1 : 0

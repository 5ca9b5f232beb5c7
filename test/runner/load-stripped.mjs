/**
 * Preloaded into each process of a run, also into those that tests start. It loads the project's TypeScript as JavaScript
 * that `strip-types.ts` has prepared: otherwise each process strips the types of some 900 modules itself, which is half of
 * the processor time of a start, and a run starts hundreds of processes. Node strips other files itself.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

const root = new URL('../../', import.meta.url).href
const { PARLEY_TEST_CACHE: cache } = process.env

/** Whether it is a file of the project: Node does not strip those of packages either. */
function isOwn(url) {
  return url.startsWith(root) && url.endsWith('.ts') && !url.includes('/node_modules/')
}

/** The project's own imports name files by relative addresses, which need no search. */
function resolve(specifier, context, nextResolve) {
  const { parentURL = '' } = context
  if (!specifier.startsWith('.') || !specifier.endsWith('.ts') || !isOwn(parentURL))
    return nextResolve(specifier, context)
  return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
}

function load(url, context, nextLoad) {
  const source = isOwn(url) ? readStripped(fileURLToPath(url)) : undefined
  return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
}

/** Undefined for a file that was written since, and for one that does not exist: Node says so. */
function readStripped(file) {
  try {
    const name = createHash('sha1').update(readFileSync(file)).digest('hex')
    return readFileSync(`${cache}/stripped/${process.version}/${name}`)
  } catch {
    return undefined
  }
}

// Processes that tests start live for seconds: optimizing their code takes a sixth of the processor time of a start. The
// runner's own processes live for minutes, and get a flag of their own.
if (isMainThread && !process.execArgv.some((flag) => flag.startsWith('--invocation-count')))
  setFlagsFromString('--no-opt')

// The launcher may start with an older Node, which has neither.
if (cache !== undefined) {
  // Only now: Node keeps compiled modules apart by the flags that hold when the cache is opened, and V8 refuses those of others.
  nodeModule.enableCompileCache?.(cache)
  nodeModule.registerHooks?.({ resolve, load })
}

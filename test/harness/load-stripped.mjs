/**
 * Preloaded into every test process. Loads the project's TypeScript as JavaScript that `npm test` has
 * stripped of types once: otherwise Node would strip hundreds of modules in each of some hundred processes.
 * It also gives tap a cheaper way to catch unhandled errors, and compiles less.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { setFlagsFromString } from 'node:v8'

// Most code of a test runs a few times: optimizing it would take a tenth of the processor time of all tests.
setFlagsFromString('--invocation-count-for-turbofan=30000')

const root = new URL('../../', import.meta.url).href
const stripped = process.env.PARLEY_TEST_STRIPPED
const domain = new URL('./error-domain.mjs', import.meta.url)

/** The project's own imports name files by relative addresses, which need no search. */
function resolve(specifier, context, nextResolve) {
  const { parentURL = '' } = context
  const isOwn = specifier.startsWith('.') && specifier.endsWith('.ts') && findFile(parentURL)
  if (!isOwn) return nextResolve(specifier, context)
  return { url: new URL(specifier, parentURL).href, shortCircuit: true }
}

function load(url, context, nextLoad) {
  const file = findFile(url)
  try {
    if (file) return { format: 'module', source: readFileSync(file), shortCircuit: true }
  } catch {} // Written later, or by the test itself.
  return nextLoad(url, context)
}

function findFile(url) {
  if (url.endsWith('/node_modules/async-hook-domain/dist/mjs/index.js')) return domain
  if (!url.startsWith(root) || !url.endsWith('.ts')) return undefined
  return `${stripped}/${decodeURIComponent(url.slice(root.length))}`
}

if (stripped !== undefined) registerHooks({ resolve, load })

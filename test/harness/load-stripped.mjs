/**
 * Preloaded into every process of the tests: answers the project's TypeScript from where `npm test` has stripped it
 * of its types once. Node would do so again in each of some hundred processes, for hundreds of modules each time.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const root = new URL('../../', import.meta.url).href
const stripped = process.env.PARLEY_TEST_STRIPPED

function load(url, context, nextLoad) {
  if (!url.startsWith(root) || !url.endsWith('.ts')) return nextLoad(url, context)
  const file = `${stripped}/${decodeURIComponent(url.slice(root.length))}`
  try {
    return { format: 'module', source: readFileSync(file), shortCircuit: true }
  } catch {
    return nextLoad(url, context) // Written since, or by the test itself.
  }
}

if (stripped !== undefined) registerHooks({ load })

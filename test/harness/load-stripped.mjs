/**
 * Preloaded into every process of the tests. Answers the project's TypeScript from where `npm test` has stripped it of
 * its types once: Node would do so again in each of some hundred processes, for hundreds of modules each time. And
 * gives tap a cheaper way to learn of errors that nobody caught.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const root = new URL('../../', import.meta.url).href
const stripped = process.env.PARLEY_TEST_STRIPPED
const domain = new URL('./error-domain.mjs', import.meta.url)

function load(url, context, nextLoad) {
  const file = findFile(url)
  try {
    if (file) return { format: 'module', source: readFileSync(file), shortCircuit: true }
  } catch {} // Written since, or by the test itself.
  return nextLoad(url, context)
}

function findFile(url) {
  if (url.endsWith('/node_modules/async-hook-domain/dist/mjs/index.js')) return domain
  if (!url.startsWith(root) || !url.endsWith('.ts')) return undefined
  return `${stripped}/${decodeURIComponent(url.slice(root.length))}`
}

if (stripped !== undefined) registerHooks({ load })

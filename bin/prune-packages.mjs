/**
 * Deletes files of packages that a running server never loads: a third of what npm installs. Source maps, declarations
 * and static libraries serve only developers, and many packages bring their code in several forms.
 */
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const UNUSED_FILES = /\.(map|d\.[cm]?ts|a)$/
const UNUSED_FOLDERS = ['test', 'tests', '__tests__', 'benchmark', 'benchmarks', 'examples', 'pgxs']

/** By package: its parts that nothing here loads, mostly further forms of its code. */
export const UNUSED_PARTS = {
  '@redis': ['client'], // An optional part of @tus/server: a store that nobody uses.
  'chrono-node': ['dist/esm', 'src'],
  'highlight.js': ['es', 'scss', 'styles'],
  katex: ['contrib', 'dist/contrib', 'dist/fonts', 'src'],
  luxon: ['build/amd', 'build/cjs-browser', 'build/es6', 'build/global', 'src'],
  'swagger-ui-dist': [
    'swagger-ui-es-bundle-core.js',
    'swagger-ui-es-bundle.js',
    'swagger-ui-standalone-preset.js',
    'swagger-ui.js',
  ],
}

/** Deletes what is not used from a folder of installed packages. */
export function prunePackages(folder) {
  for (const [name, parts] of Object.entries(UNUSED_PARTS)) {
    for (const part of parts) rmSync(path.join(folder, name, part), { recursive: true, force: true })
  }
  pruneFolder(folder)
}

function pruneFolder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory() && !UNUSED_FOLDERS.includes(entry.name)) pruneFolder(file)
    else if (entry.isDirectory() || UNUSED_FILES.test(entry.name)) rmSync(file, { recursive: true })
  }
}

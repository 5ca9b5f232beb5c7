/** The whole project as JavaScript for `load-stripped.mjs`, which most of it keeps from run to run. */

import { hash } from 'node:crypto'
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

const FILES = '{bench,client,db,examples,packages,server,test,workers}/**/*.ts'

/** Writes each TypeScript file of the project, stripped as Node would, below the compile cache by the hash of its text. */
export function stripTypes(root: string, compileCache: string): void {
  const folder = join(compileCache, 'stripped', process.version)
  mkdirSync(folder, { recursive: true })
  const former = new Set(readdirSync(folder))
  // Node warns that the function is experimental, but itself runs it.
  const warn = process.emitWarning.bind(process)
  process.emitWarning = () => {}
  for (const file of globSync(FILES, { cwd: root, exclude: (name) => name === 'node_modules' })) {
    const code = readFileSync(join(root, file), 'utf8')
    const name = hash('sha1', code, 'hex')
    if (former.delete(name)) continue
    const stripped = strip(code)
    if (stripped === undefined) continue
    // Another run may read it at this moment.
    const draft = join(folder, `${name}.${process.pid}`)
    writeFileSync(draft, stripped)
    renameSync(draft, join(folder, name))
  }
  process.emitWarning = warn
  for (const name of former) rmSync(join(folder, name), { force: true })
}

/** Invalid TypeScript is left out: Node reports the error when it runs the file. */
function strip(code: string): string | undefined {
  try {
    return stripTypeScriptTypes(code)
  } catch {
    return undefined
  }
}

/** The whole project as JavaScript, made once for all processes of a run. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const FOLDERS = ['bench', 'client', 'db', 'packages', 'server', 'test', 'workers']

/** Writes each TypeScript file of the project, stripped as Node would, to the same path below `target`. */
export function stripTypes(root: string, target: string): void {
  // Node warns that the function is experimental, but itself runs it.
  const warn = process.emitWarning.bind(process)
  process.emitWarning = () => {}
  for (const folder of FOLDERS) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    for (const name of names.filter((name) => name.endsWith('.ts'))) {
      const file = join(target, folder, name)
      mkdirSync(dirname(file), { recursive: true })
      const code = strip(readFileSync(join(root, folder, name), 'utf8'))
      if (code !== undefined) writeFileSync(file, code)
    }
  }
  process.emitWarning = warn
}

/** Invalid TypeScript is left out: Node reports the error when it runs the file. */
function strip(code: string): string | undefined {
  try {
    return stripTypeScriptTypes(code)
  } catch {
    return undefined
  }
}

/** TypeScript as the JavaScript of a package: Node strips no types inside `node_modules`. */

import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

/** Specifiers of our own modules, after `from`, in `import()` and in a bare `import`. */
const OWN_MODULE = /(\bfrom\s*|\bimport\s*\(\s*|^\s*import\s*)(['"])(\.{1,2}\/[^'"\n]+)\.ts\2/gm

/** Lines and columns stay, so traces of errors fit the source. */
function compile(source: string): string {
  return stripTypeScriptTypes(source, { mode: 'strip' }).replaceAll(OWN_MODULE, '$1$2$3.js$2')
}

/** Copies a folder, with its modules compiled; returns the paths of all files, relative to the folder above it. */
export async function compileFolder(root: string, folder: string, target: string): Promise<string[]> {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries) {
    const source = join(entry.parentPath, entry.name)
    if (!entry.isFile() || source.includes('/node_modules/') || source.endsWith('.d.ts')) continue
    const path = source.slice(root.length + 1).replace(/\.ts$/, '.js')
    await mkdir(dirname(join(target, path)), { recursive: true })
    if (source.endsWith('.ts')) await writeFile(join(target, path), compile(readFileSync(source, 'utf8')))
    else await cp(source, join(target, path))
    paths.push(path)
  }
  return paths
}

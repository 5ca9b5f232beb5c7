/** What the built client was made of: the launcher compares it before each start. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The folders that the client is built of. */
export const SOURCES = [
  'client',
  'packages/client/src',
  'packages/look',
  'packages/rules',
  'packages/texts',
  'workers/pool/emoji',
]

/** A hash of the client's sources, among which package.json has the versions of its packages. */
export function stampOf(root) {
  const hash = createHash('sha256')
  for (const folder of SOURCES) {
    const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile() && !/[/\\](dist(\.|[/\\]|$)|node_modules)/.test(entry.parentPath))
      .map((entry) => path.join(entry.parentPath, entry.name))
    for (const file of files.sort())
      hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

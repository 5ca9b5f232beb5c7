/** State of modules: only the listed. The composition root builds all other state. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['server', 'db', 'workers', 'packages/client/src']

/** Names that modules change, with the reason that no object holds them. */
const LISTED: Readonly<Record<string, string>> = {
  'server/actors/timeline.ts flattened': 'a character that is read so that a text is one string',
  'server/services/die-with-parent.ts hasSetpriv': 'whether the machine has a program: asked once',
  'server/wire/gzip.ts isCompressing': 'the one compression that runs at a time in a process',
  'server/wire/gzip.ts waiting': 'pieces that wait for it, 4,096 at most',
  'server/wire/request-body.ts freeBlocks': 'blocks of memory that all bodies share, 16 at most',
  'workers/pool/markdown/compile-linkifier.ts cache':
    'programs of linkifiers: a thread has no composition root',
}

/** A name that a module declares at its top level, with any value. */
const TOP_LEVEL = /^(?:export )?(?:(let) (\w+)|const (\w+)[^\n=]*= (?!\(|async|function))/gm

function isChanged(name: string, text: string): boolean {
  const calls = new RegExp(`(?<![\\w.#])${name}\\.(?:set|add|delete|clear|push|pop|shift|unshift|splice)\\(`)
  const writes = new RegExp(
    `(?<![\\w.#])${name}(?:\\.(?!lastIndex)\\w+|\\[[^\\]]*\\])\\s*(?:[-+*|&?]|\\?\\?|\\|\\|)?=(?!=)`,
  )
  return calls.test(text) || writes.test(text)
}

function findModuleState(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(TOP_LEVEL)]
    .filter(([, isLet, , name = '']) => isLet !== undefined || isChanged(name, text))
    .map(([, , variable, constant]) => `${file} ${variable ?? constant}`)
}

const found = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => findModuleState(`${folder}/${name}`)),
)

t.test('[KEPT1] modules have no state except for the listed, with its reason', async (t) => {
  t.same(found.toSorted(), Object.keys(LISTED).toSorted())
})

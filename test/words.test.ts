/** Plain English: words and turns that read like a translation, and may stand in no text or name of the folders listed. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')

/** Patterns of files that have only plain words. */
const CHECKED = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/{requests,permissions,messages,search,files,jobs,faults,backup}.md',
  'docs/decisions/*.md',
  'bench/**/*.ts',
  'docs/feature-level.md',
  'README.md',
  'examples/*.ts',
  'packages/client/README.md',
  'packages/client/src/**/*.ts',
  'client/**/*.ts',
  'server/{audience,events}/**/*.ts',
  'server/changes/**/*.ts',
  'server/decisions/**/*.ts',
  'server/actors/**/*.ts',
  'server/admin/*.ts',
  'server/api/*.ts',
  'server/api/{narrow,operations,registration}/**/*.ts',
  'server/views/**/*.ts',
  'server/wire/**/*.{ts,js,html,css}',
  'server/domain/**/*.ts',
  'server/errors/**/*.ts',
  'server/{log,files,services}/**/*.ts',
  'server/*.ts',
  'server/state/**/*.ts',
  'bin/*',
  'docs/{memory,metrics}.md',
  'server/measures/*.ts',
  'db/**/*.ts',
  'workers/**/*.ts',
  // The lists below name the words themselves.
  'test/!(words.test).ts',
  'test/*/**/*.{ts,mjs}',
]

/** Each with the words to use instead; `docs/glossary.md` has more. */
const LISTED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bwhom?ever\b/gi, 'a user who, everyone who'],
  [/\btold\b|\btells? of\b/gi, 'notified, sent, shown'],
  [/\busual(?:ly)?\b|\b\w+Usual\b|\busual[A-Z]\w*/g, 'default'],
  [/\bremember(?:s|ed)?\b|\bremembered[A-Z]\w*|\bKept[A-Z]\w*/g, 'cached'],
  [/\b(?:comes?|came|coming) to be\b/gi, 'is made, begins'],
  [/\bcomes? to\b/gi, 'becomes, reaches, results in'],
  [/\b(?:deeds?|worn|wishes|blame)\b/gi, 'see docs/glossary.md'],
  [/\b(?:of|to|for|by|from|with) whom\b/gi, 'two sentences'],
  [/\bthose whom?\b|\bis nobody\b/gi, 'users who'],
  // How sentences of comments and documents begin.
  [
    /(?:\/\*\*? |^\s*\* |\/\/ |[.:!] |^(?:- |\d\. )?)(?:What|Whom|Whose|Who|Where) [a-z]/gm,
    'a subject and a verb',
  ],
  // How the titles of rules begin.
  [
    /\[[A-Z]+\d+[a-z]?\] (?:what|whom?|whose|where|one who|those|nothing|it) [a-z]/g,
    'the behaviour, with a subject and a verb',
  ],
]

function findListed(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return LISTED.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${file}:${line} "${found.trim()}": ${instead}`
    }),
  )
}

t.test('[WORDS1] texts and names use plain words', async (t) => {
  const files = CHECKED.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  t.ok(files.length >= CHECKED.length, 'each pattern has files')
  t.same(files.flatMap(findListed), [])
})

/** Plain English: words and turns that read like a translation, and may stand in no text or name of the files listed. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')

/** Patterns of files that have only plain words. */
const CHECKED = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  // The glossary names words to avoid.
  'docs/!(glossary).md',
  'docs/decisions/*.md',
  'bench/**/*.ts',
  'README.md',
  'examples/**/*.{ts,js,md}',
  'packages/client/README.md',
  'packages/client/src/**/*.ts',
  'packages/look/*.ts',
  'packages/rules/*.ts',
  'client/**/*.{ts,tsx,html}',
  'server/{audience,checks,events,integrations,node,outbound,texts}/**/*.ts',
  'server/{actors,admin,changes,decisions}/**/*.ts',
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
  'server/measures/*.ts',
  'db/**/*.ts',
  'workers/**/*.ts',
  // The lists below name the words themselves.
  'test/!(words.test).ts',
  'test/*/**/*.{ts,mjs}',
]

/** Each with the words to use instead. */
type Words = readonly (readonly [pattern: RegExp, instead: string])[]

/** `docs/glossary.md` has more. */
const LISTED: Words = [
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

/** Files with code. */
const CODE = [
  '{bench,client,db,server,workers}/**/*.{ts,tsx}',
  'packages/*/src/**/*.ts',
  'test/!(words.test).ts',
]

/** Names that only this project used, with those of the field. */
const PRIVATE_NAMES: Words = [
  [/\benliven\w*|\bEnliven[A-Z]\w*/g, 'hydrate'],
  [/\btame[A-Z]\w*/g, 'sanitize'],
  [/\bsay(?:Done|Problem)\b/g, 'showToast, showError'],
  [/\btell[A-Z]\w*/g, 'notify, add, show'],
  [/\b(?:useKept|forgetForm)\b/g, 'useFormField, clearForm'],
  [/\b[nN]ewcomersSettings\b/g, 'newUserSettings'],
  [/\b(?:sight\b(?=[.:,]))|\b\w*[a-z]Sight\b/g, 'userVisibility'],
  [/\b(?:Login|Cookie)?Visit\b/g, 'Exchange, VisitorOptions'],
  [/\binterface Letter\b|: Letter\b/g, 'OutgoingMessage'],
  [/\b(?:gifts?|\w*Gifts?|gift[A-Z]\w*|giverId)\b/g, 'grants'],
  [/\b(?:keepUp|KeepingUp|readKept)\b/g, 'tailLog, LogTail, readStored'],
  [/\b(?:leaveNothing|Leftovers)\b/g, 'clearLocalData, UnsentNote'],
  [/\b(?:makerId|SharedThing|Wish|Trouble)\b/g, 'creatorId, SharedItem, TargetRequest, StartProblem'],
]

/** Files with texts that people read. */
const SHOWN = [
  'client/**/*.{ts,tsx,html}',
  'server/{changes,decisions}/**/*{wording,notices}.ts',
  'server/admin/*.ts',
  'server/wire/forms/*.ts',
  'workers/jobs/mail/{mail-layout.ts,templates/*.ts}',
  'packages/look/*.ts',
]

/** What is shorter, or more usual, in products that people like. */
const SHOWN_WORDS: Words = [
  [/\b(?:any|every|some)body\b/gi, 'anyone, everyone, someone'],
  [/\bwho may\b|\b(?:people|you|they|visitors|messages) may\b|\bmay not\b/gi, 'can'],
  [/\bby mail\b|\b(?:this|a|the|these|your) mails?\b/gi, 'email'],
  [/\b(?:could|can)(?: ?not|n’t) be loaded\b/gi, '“Couldn’t load …”'],
  [/\bthere (?:is|are) no(?:ne|body| such)\b/gi, '“No folders yet”, “This group doesn’t exist”'],
  [/\b(?:is|are) (?:copied|deleted|discarded|sent again)\./gi, '“Link copied”'],
  [/\bdoes not answer\b/gi, '“Can’t reach the server”'],
  [/\bmake (?:a|an|the|my|your|new)\b/gi, 'create'],
  [/\blog-in sessions\b/gi, 'devices'],
  [/\bwho has read\b|\bnothing (?:fits|that fits)\b/gi, '“Read by”, “No matching entries”'],
  [/\bgo on\b/gi, 'continue, keep'],
  [/\bone on each line\b/gi, '“One per line”'],
  [/\b(?:this|that) was not you\b/gi, '“If this wasn’t you”'],
  [/\bshowToast\(\s*(['"`])(?:(?!\1).)*\.\1/g, 'no full stop'],
  [/\s(?:title|label|placeholder|aria-label)="[^"]*[^.]\."/g, 'no full stop'],
]

function filesOf(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: ROOT }).filter((file) => !/\bdist\b/.test(file)),
  )
}

/** Comments, with the lines that they fill; an address has its slashes after a colon. */
const COMMENTS = /\/\*[^]*?\*\/|(?<![:'"`])\/\/.*/g

function find(words: Words, file: string, hasComments = true): string[] {
  const whole = readFileSync(join(ROOT, file), 'utf8')
  const text = hasComments ? whole : whole.replaceAll(COMMENTS, (comment) => comment.replaceAll(/./g, ' '))
  return words.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${file}:${line} "${found.trim()}": ${instead}`
    }),
  )
}

t.test('[WORDS1] texts and names use plain words', async (t) => {
  const files = filesOf(CHECKED)
  t.ok(files.length >= CHECKED.length, 'each pattern has files')
  t.same(
    files.flatMap((file) => find(LISTED, file)),
    [],
  )
})

t.test('[WORDS2] names are the terms of the field', async (t) => {
  const files = filesOf(CODE)
  t.ok(files.length >= CODE.length, 'each pattern has files')
  t.same(
    files.flatMap((file) => find(PRIVATE_NAMES, file)),
    [],
  )
})

t.test('[WORDS3] texts that people read are short and idiomatic', async (t) => {
  const files = filesOf(SHOWN)
  t.ok(files.length >= SHOWN.length, 'each pattern has files')
  t.same(
    files.flatMap((file) => find(SHOWN_WORDS, file, false)),
    [],
  )
})

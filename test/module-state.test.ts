/** State of modules: only the listed. The composition root builds all other state. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = [
  'server',
  'db',
  'workers',
  'packages/client/src',
  'packages/look',
  'packages/rules',
  'packages/texts',
  'client',
]

/** Names that modules change, with the reason that no object holds them. */
const LISTED: Readonly<Record<string, string>> = {
  'client/app/early-requests.ts answers': 'requests that begin before the page has an object to hold them',
  'client/app/early-requests.ts isLate': 'whether the page still asks for them',
  'client/app/early-requests.ts token': 'the session that they were asked with',
  'client/app/clear-local-data.ts channel':
    'all pages of the browser hear of a log-out, with a person or without',
  'client/app/status-end.ts statusEnd': 'the end of a status is in the storage of the browser',
  'client/shell/apply-appearance.ts theme': 'the theme is applied before there is a session',
  'client/shell/show-notification.ts ownNotifications':
    'the browser holds notifications for the page, whichever session they came in',
  'client/texts/language.ts loaded': 'the catalogue is there before any module with texts runs',
  'client/ui/sound.ts context': 'browsers allow a page few audio contexts',
  'client/ui/times.ts hasTwelveHours': 'the clock of the page: functions of texts have no page at hand',
  'client/ui/toasts.tsx lastId': 'notes are shown from anywhere, also where a promise fails',
  'client/ui/toasts.tsx toasts': 'notes are shown from anywhere, also where a promise fails',
  'client/worker/show-notification.ts last': 'a service worker has one turn for all notifications',
  'db/connection/primary.ts primaries': 'all pools of a process leave an earlier primary together',
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

/** Signals are changed wherever they are imported. */
const SIGNAL = /^(?:export )?const (\w+)[^\n=]*= (?:signal|deviceSetting)\b/gm

function isChanged(name: string, text: string): boolean {
  const calls = new RegExp(`(?<![\\w.#])${name}\\.(?:set|add|delete|clear|push|pop|shift|unshift|splice)\\(`)
  const writes = new RegExp(
    `(?<![\\w.#])${name}(?:\\.(?!lastIndex)\\w+|\\[[^\\]]*\\])\\s*(?:[-+*|&?]|\\?\\?|\\|\\|)?=(?!=)`,
  )
  return calls.test(text) || writes.test(text)
}

function findModuleState(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const signals = [...text.matchAll(SIGNAL)].map(([, name]) => name)
  return [...text.matchAll(TOP_LEVEL)]
    .filter(
      ([, isLet, , name = '']) => isLet !== undefined || signals.includes(name) || isChanged(name, text),
    )
    .map(([, , variable, constant]) => `${file} ${variable ?? constant}`)
}

const found = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('dist'))
    .flatMap((name) => findModuleState(`${folder}/${name}`)),
)

t.test('[KEPT1] modules have no state except for the listed, with its reason', async (t) => {
  t.same(found.toSorted(), Object.keys(LISTED).toSorted())
})

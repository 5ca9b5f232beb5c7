/** Imports go only down. These lists define the architecture. */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['server', 'db', 'workers', 'bench', 'test', 'packages', 'examples', 'client']

/** Modules that a web process loads on demand, since few need them, and each makes its start longer and its memory larger. */
const ON_DEMAND = [
  'node:http', // With Node's HTTP client.
  'node:https',
  'ioredis',
  'bullmq',
  'nodemailer',
  'openid-client',
  'ldapts',
  '@node-saml/node-saml',
  '@simplewebauthn/server',
  'sharp',
]

/** From the bottom up: each may import itself and those above it in this list. */
const LADDER = [
  'packages/rules', // pure rules of server and client
  'server/domain', // pure rules
  'server/texts', // the texts of pages, mails and notices
  'server/integrations', // the webhooks of other systems as messages
  'server/errors', // every way in which a request can fail
  'server/measures', // counts and times of the other parts
  'db', // SQL
  'server/log', // the event log: append, broadcast, catch up
  'server/state', // the organization in memory
  'server/audience', // the recipients of events
  'server/views', // the forms of objects for clients
  'server/events', // all that each type of event is
  'server/decisions', // decisions
  'server/actors', // mailboxes with a state of their own
  'server/changes', // loading before a decision, and followers after it
  'server/api', // the operations of the API
  'server/wire', // bytes
  'server/node', // the one composition root
] as const

const upTo = (top: (typeof LADDER)[number]): string[] => LADDER.slice(0, LADDER.indexOf(top) + 1)

/** Texts may stand anywhere in the client. */
const CLIENT_TEXTS = ['packages/texts', 'client/texts']

const CLIENT_BASE = [
  'packages/client',
  'packages/look',
  'packages/rules',
  ...CLIENT_TEXTS,
  'client/store',
  'client/app',
  'client/ui',
]

/** The features of the browser client, from the bottom up like the ladder. */
const FEATURES = [
  'leaving',
  'emoji',
  'people',
  'channels',
  'topics',
  'message',
  'composer',
  'panel',
  'conversation',
  'search',
  'sidebar',
  'lists',
  'inbox',
  'groups',
  'imports',
  'legal-holds',
  'organization',
  'notifications',
  'settings',
  'visit',
  'welcome',
].map((name) => `client/features/${name}`)

/** Parts beside the layers, with the parts that they may import. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'workers/pool': ['packages/rules', 'server/domain', 'server/measures'], // piscina tasks: functions of their input
  'server/files': ['server/domain', 'server/measures'], // the bytes of uploads
  'server/outbound': ['server/domain', 'db'], // requests to addresses that users gave
  'server/wire/transport': [], // the libraries that speak HTTP
  'workers/queues': upTo('server/log'), // BullMQ
  'workers/jobs': [
    ...upTo('server/changes'),
    'workers/queues',
    'server/files',
    'server/outbound',
    'packages/look',
  ], // its jobs
  'packages/client': [], // the client, published separately
  'packages/look': ['packages/texts'], // colors, type and logo of all that people see
  'packages/texts': [], // texts of all languages, for client and server
  'client/texts': ['packages/texts'], // the texts in the language of the page
  'client/store': ['packages/client', 'packages/rules', ...CLIENT_TEXTS], // the state of the browser client, without a DOM
  'client/app': ['packages/client', 'packages/rules', ...CLIENT_TEXTS, 'client/store'], // what lives as long as the session
  'client/ui': ['packages/client', 'packages/rules', ...CLIENT_TEXTS, 'client/store', 'client/app'], // parts without knowledge of chat
  ...Object.fromEntries(FEATURES.map((name, index) => [name, [...CLIENT_BASE, ...FEATURES.slice(0, index)]])),
  'client/worker': ['packages/rules', 'client/store', 'client/app'], // the service worker, a script of its own
  'client/shell': [...CLIENT_BASE, ...FEATURES, 'client/worker'], // the page around the features
  client: ['client/app', 'client/shell', 'packages/look', ...CLIENT_TEXTS], // the entries, and the build
  examples: [],
  'server/services': [], // the bundled PostgreSQL and Redis
  'server/logger.ts': ['server/measures'],
  'server/settings.ts': ['server/domain', 'server/measures'],
  'server/misspelt-settings.ts': ['server/settings.ts'],
  'server/config.ts': ['server/domain', 'server/measures', 'server/settings.ts'],
  'server/run-process.ts': [
    'db',
    'server/domain',
    'server/config.ts',
    'server/logger.ts',
    'server/services',
    'server/misspelt-settings.ts',
  ],
  'workers/start-jobs.ts': [
    ...upTo('server/changes'),
    'workers/jobs',
    'workers/queues',
    'server/files',
    'server/outbound',
    'server/config.ts',
    'server/logger.ts',
  ],
  'workers/worker.ts': [
    ...upTo('server/log'),
    'workers/start-jobs.ts',
    'workers/jobs',
    'workers/queues',
    'server/files',
    'server/config.ts',
    'server/logger.ts',
  ],
  'server/checks': [
    ...upTo('server/changes'),
    'workers/jobs',
    'workers/queues',
    'server/files',
    'server/services',
    'server/config.ts',
    'server/run-process.ts',
  ],
  'server/admin': [
    ...upTo('server/changes'),
    'workers/pool',
    'server/services',
    'server/files',
    'server/outbound',
    'server/config.ts',
    'server/logger.ts',
    'server/run-process.ts',
  ],
}

/** Additional imports beyond the layers. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  'packages/rules': ['packages/texts'], // marks the names of roles
  'server/texts': ['packages/texts'],
  'server/views': ['workers/pool'], // the links of a topic
  'server/decisions': ['workers/pool', 'packages/texts'], // its types, and its table of emoji
  'server/changes': ['workers/pool', 'server/files', 'server/outbound', 'packages/texts'], // files that an import fetches
  'server/api': ['workers/pool', 'server/files', 'server/outbound'],
  'server/admin': ['packages/look'], // pages of a channel
  'workers/jobs': ['workers/pool'], // mails that arrive
  'server/wire': ['server/files', 'server/wire/transport', 'packages/look', 'packages/texts'], // files as they come and go
  'server/node': [
    'workers/pool',
    'server/files',
    'server/outbound',
    'server/config.ts',
    'server/logger.ts',
    'server/services',
    'server/wire/transport',
  ],
}

/** Processes: nothing imports them, and they may import everything except each other. */
const PROCESSES = [
  'server/main.ts',
  'server/start.ts',
  'server/release.ts',
  'server/check-config.ts',
  'workers/main.ts',
  'server/admin/main.ts',
]

/** Packages that only one part may use. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'uWebSockets.js': ['server/wire/transport'],
  ws: ['server/wire/transport'],
  '@fastify/busboy': ['server/wire'],
  postgres: ['db'],
  diff: ['db'],
  ioredis: ['server/log', 'server/api', 'server/node'],
  bullmq: ['workers/queues'],
  pg: ['workers/queues'],
  piscina: ['workers/pool'],
  'markdown-it': ['workers/pool'],
  katex: ['workers/pool'],
  'highlight.js': ['workers/pool'],
  re2js: ['workers/pool'],
  'url-template': ['workers/pool'],
  sharp: ['workers/pool'],
  'postal-mime': ['workers/pool'],
  'email-reply-parser': ['workers/pool'],
  htmlparser2: ['workers/pool'],
  'smtp-server': ['workers/jobs'],
  pino: ['server/logger.ts'],
  '@noble/ciphers': ['workers/jobs'],
  'ipaddr.js': ['server/outbound'],
  'tus-js-client': ['packages/client'],
  'modern-tar': ['server/admin'],
}

interface Import {
  readonly file: string
  /** A path from the root, or the name of a package. */
  readonly target: string
  readonly isPackage: boolean
  /** Whether the module is loaded with the file: it is no type alone, and not imported on demand. */
  readonly isAtStart: boolean
}

const FROM =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm

function readImports(): Import[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  )
  return files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return [...text.matchAll(FROM)].map(([statement, from, dynamic, bare]): Import => {
      const name = from ?? dynamic ?? bare ?? ''
      const isAtStart = dynamic === undefined && !/^\s*(?:import|export) type\b/.test(statement)
      if (name.startsWith('.')) {
        return { file, target: relative(ROOT, join(ROOT, dirname(file), name)), isPackage: false, isAtStart }
      }
      return { file, target: name, isPackage: true, isAtStart }
    })
  })
}

/** The part of a file. */
function partOf(file: string): string | undefined {
  if (PROCESSES.includes(file)) return 'process'
  const top = file.split('/')[0] as string
  if (top === 'test' || top === 'bench') return top
  return [...LADDER, ...Object.keys(BESIDE)]
    .filter((part) => file === part || file.startsWith(`${part}/`))
    .toSorted((a, b) => b.length - a.length)[0]
}

function mayImport(from: string, to: string): boolean {
  if (to === 'process') return false
  if (to === 'test') return from === 'test' || from === 'bench'
  if (to === 'bench') return from === 'bench' || from === 'test'
  if (from === to || from === 'test' || from === 'bench' || from === 'process') return true
  const below = (LADDER as readonly string[]).includes(from)
    ? upTo(from as (typeof LADDER)[number])
    : BESIDE[from]
  return below?.includes(to) === true || MORE[from]?.includes(to) === true
}

const imports = readImports()

t.test('[LAY1] every file belongs to a part of the architecture', async (t) => {
  const files = new Set(imports.map(({ file }) => file))
  t.ok(files.size > 80, 'the imports were read')
  t.same(
    [...files].filter((file) => partOf(file) === undefined),
    [],
  )
})

t.test('[LAY2] imports go only down', async (t) => {
  const up = imports
    .filter(({ isPackage }) => !isPackage)
    .filter(({ file, target }) => !mayImport(partOf(file) ?? '', partOf(target) ?? ''))
    .map(({ file, target }) => `${file} imports ${target}`)
  t.same(up, [])
})

t.test('[LAY3] each package is used by one part only', async (t) => {
  const strangers = imports
    .filter(({ file, isPackage }) => isPackage && !file.startsWith('test/') && !file.startsWith('bench/'))
    .filter(({ file, target }) => PACKAGES[target]?.includes(partOf(file) ?? '') === false)
    .map(({ file, target }) => `${file} imports ${target}`)
  t.same(strangers, [])
})

t.test('[LAY4] the domain and the rules import neither packages nor modules of Node', async (t) => {
  const needed = imports
    .filter(({ file, isPackage }) => isPackage && /^(?:server\/domain|packages\/rules)\//.test(file))
    .map(({ file, target }) => `${file} imports ${target}`)
  t.same(needed, [])
})

t.test('[LAY5] a web process loads at its start only what most requests need', async (t) => {
  const byFile = Map.groupBy(
    imports.filter(({ isAtStart }) => isAtStart),
    ({ file }) => file,
  )
  const loaded = new Set(['server/main.ts'])
  for (const file of loaded) for (const { target } of byFile.get(file) ?? []) loaded.add(target)
  t.ok(loaded.size > 500, 'the imports were followed')
  t.same(
    ON_DEMAND.filter((name) => loaded.has(name)),
    [],
  )
})

t.test('[LAY6] no files of the client import each other in a circle', async (t) => {
  const targets = Map.groupBy(
    imports.filter(({ file, isPackage }) => !isPackage && file.startsWith('client/')),
    ({ file }) => file,
  )
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, above: readonly string[]) => {
    if (above.includes(file)) circles.push([...above.slice(above.indexOf(file)), file].join(' → '))
    if (above.includes(file) || done.has(file)) return
    for (const { target } of targets.get(file) ?? []) visit(target, [...above, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  t.ok(targets.size > 400, 'the imports were followed')
  t.same(circles, [])
})

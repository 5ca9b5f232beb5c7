/**
 * Random requests from the table by users of every role: the answer always has the form of the API. The seed
 * is printed; `PARLEY_TEST_SEED=n` repeats its requests, and `FUZZ_REQUESTS=n` makes more of them.
 */

import { randomInt } from 'node:crypto'
import t from 'tap'
import { exampleError } from '../../server/api/error-example.ts'
import { type ErrorName, ERRORS } from '../../server/errors/api-error.ts'
import type { Operation } from '../../server/api/operation.ts'
import type { Param } from '../../server/api/params.ts'
import type { Schema } from '../../server/domain/json-schema.ts'
import { hashApiKey } from '../../server/changes/passwords.ts'
import { OPERATIONS } from '../../server/api/table.ts'
import type { Fact, LogEventType } from '../../server/domain/events.ts'
import { checkFailure, checkReply, matchOperation } from '../harness/client/check-reply.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { ACCOUNTS, PEOPLE, startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { drawAnimation, drawBomb, drawImage } from '../harness/client/upload.ts'
import { randomNumbers } from '../events/make-random.ts'

const SEED = Number(process.env.PARLEY_TEST_SEED ?? randomInt(2 ** 31))
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3_000)
/** The newest messages, which requests refer to. */
const MESSAGES_KNOWN = 20
/** Their content. */
const CONTENTS = [
  'hello',
  '/poll which?\na\nb',
  '/todo all\none: first',
  '@**all** @*role:members*',
  '# *x* `y`',
]
const DRAFT = '{"type":"stream","to":[1],"topic":"x","content":"y"}'
/** These may lock out every user. */
const RESTORED_AFTER: readonly LogEventType[] = ['realm_user/update', 'api_keys_changed']
/** Files of the requests: images, and imitations. */
const PICTURE = await drawImage('red', { width: 30, height: 20 })
const FILES: readonly Buffer[] = [
  PICTURE,
  PICTURE.subarray(0, PICTURE.length - 30),
  Buffer.from(PICTURE).fill(0xff, 40, 60),
  await drawAnimation(['red', 'blue']),
  drawBomb(),
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  Buffer.alloc(0),
]
/** Each login takes half a second of a core, by design. */
const LOGIN_SHARE = 0.02
/** The fields of a failure besides its message, by status and code. */
const EXTRAS = new Map<string, Set<string>>()
for (const name of Object.keys(ERRORS) as ErrorName[]) {
  const { status, body } = exampleError(name)
  const key = `${status} ${String(body.code)}`
  EXTRAS.set(key, new Set([...(EXTRAS.get(key) ?? []), ...Object.keys(body)]))
}

const random = randomNumbers(SEED)
const chance = (share: number) => random() < share
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item

const INTEGERS = [0, 1, 2, 3, 4, 5, 7, 8, 100, 400, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, -(2 ** 53) + 1]
const TEXTS = [
  '',
  ' ',
  'design',
  'Design ',
  'general chat',
  'member@example.com',
  'newest',
  'all',
  'role:everyone',
  'é',
  'İ',
  'ﬀ',
  '💬',
  '👩‍👩‍👧‍👦',
  'a\u0301'.repeat(40),
  '\u202etxet',
  '\ufeff',
  'x'.repeat(61),
  'x'.repeat(10_001),
  '%',
  '_\\%',
  "'; drop table users; --",
  '<script>alert(1)</script>',
  '**bold** @**all** :smile: $$x$$ #**design>x**',
  '> '.repeat(2_000),
  '`'.repeat(3_000),
  '__proto__',
  'constructor',
  'null',
  '00000000-0000-4000-8000-000000000000',
  '2030-01-01T00:00:00Z',
  'a\0b',
]
const ODDITIES = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1e400',
  '1.5',
  '123456789012345678901234567890',
  '""',
  '"x"',
  '"\\ud83d"',
  '"\\u0000"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '[1,"a"]',
  '{"__proto__":1}',
  '{"length":3}',
  '{',
  'NaN',
  '\0',
  '['.repeat(10_000),
  `[${'1,'.repeat(20_000)}1]`,
]

/** A value that a schema allows, or nearly. */
function makeValue(schema: Schema, depth = 0): unknown {
  if (chance(0.05)) return pick([null, true, 1.5, 'x', [], {}, '\ud83d'])
  const { type, anyOf, enum: options, items, properties } = schema
  if (Array.isArray(anyOf)) return makeValue(pick(anyOf) as Schema, depth)
  if (Array.isArray(options) && chance(0.9)) return pick(options)
  if (type === 'integer') return pick(INTEGERS)
  if (type === 'boolean') return chance(0.5)
  if (type === 'array' && depth < 4) {
    return Array.from({ length: Math.floor(random() * 4) }, () =>
      makeValue((items ?? {}) as Schema, depth + 1),
    )
  }
  if (type === 'object' && depth < 4) {
    const fields = Object.entries((properties ?? {}) as Record<string, Schema>).filter(() => chance(0.8))
    return Object.fromEntries(fields.map(([name, part]) => [name, makeValue(part, depth + 1)]))
  }
  return pick(TEXTS)
}

function makeText({ type }: Param<unknown>): string {
  if (chance(0.12)) return pick(ODDITIES)
  const value = makeValue(type.schema)
  return type.isText && typeof value === 'string' ? value : JSON.stringify(value)
}

interface FuzzRequest {
  readonly operation: Operation
  readonly person: (typeof PEOPLE)[number] | 'anyone'
  readonly path: string
  readonly query: Record<string, string>
  readonly body:
    | {
        readonly form: 'urlencoded' | 'multipart'
        readonly fields: Record<string, string>
        /** The files to send. */
        readonly files: readonly number[]
      }
    | undefined
}

function makeRequest(known: ReadonlyMap<string, readonly string[]>): FuzzRequest {
  let operation = pick(OPERATIONS)
  while (operation.isLogin && !chance(LOGIN_SHARE)) operation = pick(OPERATIONS)
  const query: Record<string, string> = {}
  const fields: Record<string, string> = {}
  let { path } = operation
  const isFile = operation.file !== undefined && chance(0.9)
  const form = isFile ? 'multipart' : pick(['urlencoded', 'multipart'] as const)
  const files = isFile || chance(0.05) ? [Math.floor(random() * FILES.length)] : []
  if (chance(0.02)) files.push(0)
  const hasBody = operation.method !== 'GET' && chance(0.9)
  for (const [name, param] of Object.entries(operation.params)) {
    const text = chance(0.5) && known.has(name) ? pick(known.get(name) ?? []) : makeText(param)
    if (path.includes(`{${name}}`)) {
      // Some special segments would make it another path.
      path = path.replace(`{${name}}`, () => encodeURIComponent(text.slice(0, 2_000).toWellFormed()) || 'x')
    } else if (chance(param.isRequired ? 0.95 : 0.4)) {
      // The limit of a query includes the headers.
      if (hasBody && chance(0.9)) fields[name] = text
      else query[name] = text.slice(0, 1_000)
    }
  }
  if (chance(0.1))
    (hasBody ? fields : query)[pick(['unknown', '__proto__', '', 'result', '*'])] = pick(TEXTS).slice(0, 100)
  // A waiting poll would hold up the test.
  if (operation.path === '/events' && operation.method === 'GET') query.dont_block = 'true'
  return {
    operation,
    person: chance(0.05) ? 'anyone' : pick(PEOPLE),
    path,
    query,
    body: hasBody ? { form, fields, files } : undefined,
  }
}

function encodeBody({ form, fields, files }: NonNullable<FuzzRequest['body']>): URLSearchParams | FormData {
  if (form === 'urlencoded') return new URLSearchParams(fields)
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const index of files) data.append('file', new Blob([new Uint8Array(FILES[index] as Buffer)]), 'file')
  return data
}

/**
 * A deactivated user, or one with another key, is restored: otherwise all later requests would be refused.
 */
async function restoreEveryone({ node }: TestServer): Promise<void> {
  await node.services.committer.submit({
    kind: 'structure',
    decide(state) {
      const gone = [...state.users.values()].filter(({ isActive }) => !isActive)
      const keys = [...ACCOUNTS.values()].flatMap(({ id, key }): Fact[] => {
        const keyHashes = [hashApiKey(key)]
        if (state.apiKeyHashes.get(id)?.includes(keyHashes[0] as string)) return []
        return [{ type: 'api_keys_changed', userId: id, keyHashes }]
      })
      const accounts = gone.map(({ id }): Fact => {
        return { type: 'realm_user/update', userId: id, changes: { isActive: true } }
      })
      return { events: [...accounts, ...keys], reply: () => undefined }
    },
  })
}

t.test('[FUZ1] any request gets a declared response, and never a server error', async (t) => {
  t.comment(`PARLEY_TEST_SEED=${SEED}`)
  // A busy machine may be slow.
  const server = await startTestServer(t, { env: { RENDER_MS_MAX: '60000' } })
  const owner = server.as('owner')
  await owner.subscribe(['design', 'café'], { principals: [1, 2, 3, 4, 6] })
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['protected'], {
    principals: [1, 4, 6],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const queues = await Promise.all(
    PEOPLE.map((person) => server.as(person).register({ fetch_event_types: [] })),
  )
  /** New messages now and then: the first ones are soon deleted. */
  const speak = async () => {
    for (const person of ['owner', 'member', 'guest'] as const) {
      const client = server.as(person)
      const answers = [
        await client.post('/messages', {
          type: 'channel',
          to: '"design"',
          topic: 'x',
          content: pick(CONTENTS),
        }),
        await client.post('/messages', {
          type: 'channel',
          to: '"protected"',
          topic: 'x',
          content: pick(CONTENTS),
        }),
        await client.post('/messages', { type: 'direct', to: [4], content: pick(CONTENTS) }),
      ]
      for (const { status, body } of answers) if (status === 200) messageIds.push(body.id)
    }
    const ids = messageIds.slice(-MESSAGES_KNOWN)
    const lists = ids.map((id) => JSON.stringify([id, pick(ids), pick(ids)]))
    known.set('message_id', ids.map(String))
    known.set('anchor', [...ids.map(String), 'newest', 'oldest', 'first_unread'])
    for (const name of ['messages', 'message_ids', 'msg_ids']) known.set(name, lists)
  }
  /** Requests and links use existing files. */
  const keep = (url: string) => {
    urls.unshift(url)
    known.set(
      'filename',
      urls.slice(0, 5).map((one) => one.split('/').slice(3).join('/')),
    )
    const links = urls.slice(0, 5).map((one) => `[x](${one})`)
    known.set('content', [...contents, ...links, ...links])
  }
  const urls: string[] = []
  const contents = [
    ...CONTENTS,
    '{"type":"vote","key":"canned,0","vote":1}',
    '{"type":"new_option","idx":1,"option":"c"}',
    '{"type":"strike","key":"canned,0"}',
    '{"type":"question","question":"why?"}',
  ]
  const messageIds: number[] = []
  const known = new Map<string, readonly string[]>([
    ['queue_id', queues.map(({ queueId }) => queueId)],
    ['type', ['channel', 'direct']],
    ['stream_id', ['1', '2', '3', '4']],
    ['topic', ['x', '✔ x', 'y', '']],
    ['topic_name', ['x', '✔ x']],
    ['propagate_mode', ['change_one', 'change_later', 'change_all']],
    ['flag', ['read', 'starred', 'collapsed']],
    ['num_before', ['0', '10']],
    ['num_after', ['0', '10']],
    ['report_type', ['spam', 'other']],
    ['msg_type', ['widget']],
    ['narrow', ['[["is","starred"]]', '[["is","unread"]]', '[["is","mentioned"]]', '[["channel","design"]]']],
    ['drafts', [`[${DRAFT}]`, `[${DRAFT},${DRAFT}]`]],
    ['draft', [DRAFT]],
    ['content', contents],
    ['emoji_name', ['smile', 'tada', 'one', 'Two words']],
    ['pattern', ['#(?P<id>[0-9]+)', 'x(?P<id>[a-z]+)', '(?P<id>(a+)+)$', '(?P<id>[']],
    ['url_template', ['https://example.com/{id}', 'https://example.com/{code}', 'https://x/{?id*}']],
    ['alternative_url_templates', ['[]', '["https://example.org/{id}"]']],
    ['ordered_linkifier_ids', ['[1,2]', '[2,1]', '[1]']],
    ...['filter_id', 'playground_id', 'saved_snippet_id'].map((name) => [name, ['1', '2', '3']] as const),
    ['domain', ['example.com', 'sub.example.com']],
    ['fragment', ['inbox', 'narrow/is/starred', 'recent']],
    ['alert_words', ['["hello"]', '["bold","HELLO"]']],
    ['bot_type', ['1', '2', '3']],
    ['bot_id', ['7', '8', '9']],
    ...['scheduled_message_id', 'reminder_id', 'attachment_id', 'invite_id', 'device_id'].map(
      (name) => [name, ['1', '2', '3', '4', '5']] as const,
    ),
    ['scheduled_delivery_timestamp', ['4000000000', '4000000001']],
    ['stream_ids', ['[]', '[1]', '[1,2]']],
    ['group_ids', ['[]', '[9]']],
    ['invite_as', ['400', '600']],
    ['invitee_emails', ['one@example.com', 'one@example.com, two@example.com']],
    ['appid', ['org.example.app']],
    ['token', ['aa', 'bb']],
    ['realm_id_str', ['1']],
    ['short_name', ['one', 'two', 'three', 'four', 'five']],
    ['payload_url', ['https://example.com/hook']],
    ['service_payload_url', ['https://example.com/hook']],
    ['can_access_all_users_group', ['{"new":5}', '{"new":6}']],
    ['to', ['design', '"secret"', '1', '[4]', '[2,3]', 'member2@example.com']],
    ['subscriptions', ['["design"]', '[{"name":"design"}]', '["secret"]']],
  ])
  let successes = 0
  for (let count = 0; count < REQUESTS; count++) {
    if (count % 100 === 0) await speak()
    if (count % 500 === 0) t.comment(`request ${count}`) // Progress, however slow.
    const request = makeRequest(known)
    const { operation, person, path, query, body } = request
    const client = person === 'anyone' ? server.anyone : server.as(person)
    try {
      const response = await fetch(
        `${server.node.url}/api/v1${path}?${new URLSearchParams(query).toString()}`,
        {
          method: operation.method,
          redirect: 'manual',
          headers: person === 'anyone' ? {} : { authorization: client.authorization },
          ...(body ? { body: encodeBody(body) } : {}),
        },
      )
      const reply = (await response.json()) as Record<string, unknown>
      // Pictures are elsewhere.
      if (response.status === 200 || response.status === 302) {
        successes++
        if (operation.events.some((type) => RESTORED_AFTER.includes(type))) await restoreEveryone(server)
        if (operation.path === '/user_uploads' && typeof reply.url === 'string') keep(reply.url)
        // The path may belong to another operation, such as /users/me.
        checkReply(matchOperation(operation.method, path) ?? operation, reply)
      } else {
        if (response.status >= 500) throw new Error(`it answered ${response.status}`)
        checkFailure(response.status, reply)
        const allowed = EXTRAS.get(`${response.status} ${String(reply.code)}`)
        const more = Object.keys(reply).filter((name) => !allowed?.has(name))
        if (more.length > 0) throw new Error(`it answered ${more.join(', ')} besides the declared fields`)
      }
    } catch (error) {
      const described = JSON.stringify({
        ...request,
        operation: `${operation.method} ${operation.path}`,
      }).slice(0, 2_000)
      throw new Error(`seed ${SEED}, request ${count}: ${described}`, { cause: error })
    }
  }
  t.comment(`${successes} of ${REQUESTS} succeeded`)
  t.ok(successes > REQUESTS / 20, 'enough of them were valid to have effects')
  await expectConsistent(server, async () => undefined)
})

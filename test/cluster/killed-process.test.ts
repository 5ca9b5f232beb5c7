/**
 * A web process is killed amid everything at once and restarted: no acknowledged change is lost, and all get
 * the same events.
 */

import { Agent } from 'node:http'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { type Answer, Client, type Fields, type Queue } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { ACCOUNTS, emailOf, type Person } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { getFile, mustPostFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { Listener, type ListenerKind } from './listener.ts'
import { startWebProcess } from './start-web-process.ts'

const HEARERS: readonly Person[] = ['member', 'member2', 'guest']
const KINDS: readonly ListenerKind[] = ['poll', 'socket', 'source', 'changing']
/** The events that all clients get alike. */
const TYPES = ['message', 'update_message']
const QUEUE = { event_types: TYPES, fetch_event_types: [] }
/** The work of each worker; the process dies after this many messages. */
const ROUNDS = 40
const KILLED_AT = 50
const LATE = 4_000_000_000

const databaseUrl = await createDatabase(t, 'people')
const sql = connect(databaseUrl, 1, 'parley-test')
t.teardown(() => sql.end())
const env = {
  DATABASE_URL: databaseUrl,
  DATABASE_CONNECTIONS: '4',
  DATA_DIR: await makeFolder(t),
  REDIS_URL: redisUrl(),
  REDIS_PREFIX: new URL(databaseUrl).pathname.slice(1),
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
}
const first = await startWebProcess(t, env)
/** The address of the server, which returns at another port. */
const urls = [first.url]
const as = (person: Person) => {
  const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
  return new Client(urls[0] as string, id, emailOf(person), key)
}
const agent = new Agent({ keepAlive: true })
t.teardown(() => agent.destroy())
const listeners: Listener[] = []
t.teardown(() => Promise.all(listeners.map((listener) => listener.stop())))

await as('owner').subscribe(['storm'], { principals: [1, 4, 5, 6] })
const NOTHING = { event_types: [], fetch_event_types: [] }
const sendersQueues = {
  owner: await as('owner').register(NOTHING),
  member: await as('member').register(NOTHING),
}
const reference = await as('member').register(QUEUE)
for (const person of HEARERS) {
  for (const kind of KINDS) {
    const { queueId, lastEventId } = await as(person).register(QUEUE)
    const { authorization } = as(person)
    listeners.push(new Listener({ kind, urls, authorization, queueId, lastEventId, agent, types: TYPES }))
  }
}

/** All acknowledged changes. */
const sent = new Map<string, number>()
const edited = new Map<number, string>()
const files = new Map<string, string>()
const scheduled = new Map<number, string>()
const queues: Queue[] = []
/** Resolves when a server is running. */
let isThere = Promise.resolve()
/** Requests without an answer. */
let unanswered = 0

/** The result of a request, or nothing if the process died meanwhile. */
async function attempt<Outcome>(ask: () => Promise<Outcome>): Promise<Outcome | undefined> {
  try {
    return await ask()
  } catch (error) {
    // A refusal is not acceptable.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
    unanswered++
    return undefined
  }
}

async function mustSend(content: string, person: 'owner' | 'member' = 'owner'): Promise<number> {
  const mark = { queue_id: sendersQueues[person].queueId, local_id: content }
  let id: number | undefined
  while (id === undefined) {
    await isThere
    id = await attempt(() => as(person).send('storm', 'topic', content, mark))
  }
  sent.set(content, id)
  return id
}

/** Parallel workers, independent of each other, whatever happens to the process. */
const WORK: readonly ((round: number) => Promise<void>)[] = [
  async (round) => void (await mustSend(`message ${round}`)),
  async (round) => {
    const id = await mustSend(`to be edited ${round}`)
    const content = `edited ${round}`
    const answer = await attempt((): Promise<Answer> => as('owner').patch(`/messages/${id}`, { content }))
    if (answer?.status === 200) edited.set(id, content)
  },
  async (round) => {
    const content = `the content of file ${round}`.repeat(100)
    const url = await attempt(() => mustPostFile(as('member'), content, `${round}.txt`))
    if (url === undefined) return
    files.set(url, content)
    await mustSend(`[file](${url})`, 'member')
  },
  async (round) => {
    const content = `later ${round}`
    const place: Fields = { type: 'channel', to: 1, topic: 'later', content }
    const message = { ...place, scheduled_delivery_timestamp: LATE + round }
    const answer = await attempt(() => as('member2').must('POST', '/scheduled_messages', message))
    if (answer) scheduled.set(answer.scheduled_message_id, content)
  },
  async () => {
    const queue = await attempt(() => as('guest').register(QUEUE))
    if (queue) queues.push(queue)
  },
]

async function restart(): Promise<void> {
  await pollUntil(
    () => `the storm is at its height: ${sent.size} are sent`,
    () => sent.size >= KILLED_AT,
    () => sent.size,
  )
  const restarting = first.kill().then(async () => {
    urls[0] = (await startWebProcess(t, env)).url
  })
  isThere = restarting
  await restarting
}

await t.test(
  '[KILLX1] a process killed amid sends, edits, files and registrations loses nothing acknowledged, and all clients get the same events',
  async (t) => {
    const work = WORK.map(async (act) => {
      for (let round = 0; round < ROUNDS; round++) {
        await isThere
        await act(round)
      }
    })
    await Promise.all([...work, restart()])
    t.ok(unanswered > 0, 'it died amid requests')

    const rows = await sql<{ id: number; content: string }[]>`select id, content from messages order by id`
    const wanted = [...sent].map(([content, id]) => [id, edited.get(id) ?? content] as const)
    const doubtful = rows.filter(({ id, content }) => content.startsWith('edited') && !edited.has(id))
    t.ok(doubtful.length <= 1, 'at most one edit was made and not acknowledged')
    const found = new Map(rows.map(({ id, content }) => [id, content]))
    for (const { id } of doubtful) found.set(id, (wanted.find(([one]) => one === id) ?? [])[1] ?? '')
    t.same(found, new Map(wanted), 'sent and edited messages are stored, once each')

    for (const [url, content] of files) {
      // Everyone can read them through the message that links them.
      const { status, bytes } = await getFile(as('guest'), encodeURI(url))
      t.ok(status === 200 && bytes.toString() === content, url)
    }
    const { attachments } = await as('member').must('GET', '/attachments')
    const pathsOf = new Set(attachments.map(({ path_id: path }: Fields) => `/user_uploads/${String(path)}`))
    t.same(
      [...files.keys()].filter((url) => !pathsOf.has(url)),
      [],
      'every file is listed',
    )
    const { scheduled_messages: kept } = await as('member2').must('GET', '/scheduled_messages')
    const keptById = new Map(kept.map((one: Fields) => [one.scheduled_message_id, one.content]))
    for (const [id, content] of scheduled) t.equal(keptById.get(id), content)

    const events = await as('member').events(reference)
    const logged = await sql<{ id: number }[]>`
      select id from event_log where event->>'type' in ('message', 'update_message') order by id`
    const ids = events.map(({ id }) => id)
    t.same(
      ids,
      logged.map(({ id }) => id),
      'an earlier queue gets everything in the log',
    )
    await pollUntil(
      'all have received the same number',
      () => listeners.every((listener) => listener.ids.length >= ids.length),
      () => listeners.reduce((sum, listener) => sum + listener.ids.length, 0),
    ).catch(() => undefined) // The comparison shows which are missing.
    for (const { kind, ids: heard } of listeners) t.same(heard, ids, kind)
    t.same(
      listeners.flatMap(({ surprises }) => surprises),
      [],
    )
    for (const queue of queues) {
      const start = queue.lastEventId
      const since = (await as('guest').events(queue)).map(({ id }) => id)
      t.same(
        since,
        ids.filter((id) => id > start),
        'a queue registered meanwhile continues',
      )
    }
  },
)

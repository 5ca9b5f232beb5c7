/** A web process is paused amid a change: the others continue, and its answers afterwards are true. */

import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { type Answer, Client, type Fields } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { ACCOUNTS, emailOf, type Person } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWebProcess } from './start-web-process.ts'

const SCHEDULED_AT = 4_000_000_000
const GATE = 4_711

const databaseUrl = await createDatabase(t, 'people')
const sql = connect(databaseUrl, 1, 'parley-test')
t.teardown(() => sql.end())
const env = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: await makeFolder(t),
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
}
const stopped = await startWebProcess(t, env)
const as = ({ url }: { readonly url: string }, person: Person = 'owner') => {
  const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
  return new Client(url, id, emailOf(person), key)
}
const here = as(stopped)
await here.subscribe(['town', 'village'], { principals: [1, 4] })
/** Its connection for changes: other processes append to the log at any time. */
const [stoppedLog] = await sql<{ pid: number }[]>`
  select pid from pg_stat_activity where application_name = 'parley-log' and datname = current_database()`
const going = await startWebProcess(t, env)
const there = as(going)
/** The holder of the log's lock waits here until the test releases it. */
await sql.unsafe(`
  create function wait_at_gate() returns trigger language plpgsql as $$
  begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end $$;
  create trigger gate after update on event_counter for each row execute function wait_at_gate();`)

const [town, village] = [1, 2]
const ids: number[] = []
for (const content of ['edited', 'moved', 'deleted', 'reacted'])
  ids.push(await here.send('town', 'x', content))
const [edited, moved, deleted, reacted] = ids as [number, number, number, number]
const read = await as(stopped, 'member').send('town', 'x', 'read')
const { saved_snippet_id: snippetId } = await here.must('POST', '/saved_snippets', {
  title: 'a',
  content: 'b',
})
const file = await mustPostFile(here, 'the bytes', 'bytes.txt')
const scheduled = {
  type: 'channel',
  to: town,
  topic: 'x',
  content: 'later',
  scheduled_delivery_timestamp: SCHEDULED_AT,
}
const { scheduled_message_id: scheduledId } = await here.must('POST', '/scheduled_messages', scheduled)
const { queueId } = await here.register({ event_types: [], fetch_event_types: [] })
await pollUntil('the other process has the channels', async () => {
  const { body } = await there.get('/users/me/subscriptions')
  return body.subscriptions.length === 2
})
const mark = { queue_id: queueId, local_id: 'one' }

/** Changes of all kinds, each with its own way to the log. */
const CHANGES: readonly (readonly [what: string, ask: () => Promise<Answer>])[] = [
  ['a message', () => message('plain', mark)],
  ['a message with a file', () => message(`[file](${file})`)],
  ['an edit', () => here.patch(`/messages/${edited}`, { content: 'anew' })],
  [
    'a move',
    () => here.patch(`/messages/${moved}`, { stream_id: village, send_notification_to_new_thread: false }),
  ],
  ['a deletion', () => here.request('DELETE', `/messages/${deleted}`)],
  [
    'a reaction',
    () => here.post(`/messages/${reacted}/reactions`, { emoji_name: 'smile', emoji_code: '1f642' }),
  ],
  ['reading', () => here.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' })],
  ['a star', () => here.post('/messages/flags', { messages: [read], op: 'add', flag: 'starred' })],
  ['a new channel', () => here.post('/users/me/subscriptions', { subscriptions: [{ name: 'city' }] })],
  ['a rename', () => here.patch(`/streams/${village}`, { new_name: 'hamlet' })],
  ['a status', () => here.post('/users/me/status', { status_text: 'here' })],
  ['a snippet', () => here.patch(`/saved_snippets/${snippetId}`, { content: 'c' })],
  ['a scheduled message', () => here.patch(`/scheduled_messages/${scheduledId}`, { content: 'd' })],
  ['a draft', () => here.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'e' }] })],
]

function message(content: string, more: Fields = {}): Promise<Answer> {
  return here.post('/messages', { type: 'channel', to: town, topic: 'x', content, ...more })
}

/**
 * Requests a change and pauses the process while it holds the log's lock; returns once another process has
 * sent a message.
 */
async function stopAmid(ask: () => Promise<Answer>): Promise<Answer> {
  await sql`select pg_advisory_lock(${GATE})`
  const asked = ask()
  await pollUntil('the change has the lock', async () => {
    const waiting =
      await sql`select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted
        and pid = ${stoppedLog?.pid ?? 0}`
    return waiting.length === 1
  })
  stopped.pause()
  try {
    const other = there.send('town', 'y', 'from another process')
    let isSent = false
    other.then(
      () => {
        isSent = true
      },
      () => undefined, // Not sent.
    )
    await sql`select pg_advisory_unlock(${GATE})`
    await pollUntil('another process continues', () => isSent)
  } finally {
    stopped.resume()
  }
  return asked
}

for (const [what, ask] of CHANGES) {
  await t.test(
    `[STOPPED1] while a process is stopped amid ${what} the others continue, and its answers are true`,
    async (t) => {
      t.match(await stopAmid(ask), { status: 200 })
    },
  )
}

await t.test('[STOPPED2] acknowledged changes are stored, and a retry sends once', async (t) => {
  const rows = await sql<{ id: number; content: string; channelId: number }[]>`
    select id, content, channel_id as "channelId" from messages where topic = 'x' order by id`
  t.same(
    rows.map(({ content, channelId }) => [content, channelId]),
    [
      ['anew', town],
      ['moved', village],
      ['reacted', town],
      ['read', town],
      ['plain', town],
      [`[file](${file})`, town],
    ],
  )
  const again = await message('plain', mark)
  t.match(again.body, { result: 'success', id: rows.find(({ content }) => content === 'plain')?.id })
  const [{ count } = {}] = await sql`select count(*) from messages where content = 'from another process'`
  t.equal(count, CHANGES.length, 'so are the acknowledged changes of the other')
  const { body } = await there.get('/saved_snippets')
  t.match(body.saved_snippets, [{ content: 'c' }])
})

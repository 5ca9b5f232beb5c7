/** Exports of people's own data: each person has their own, and nobody else finds, downloads or deletes it. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeExports } from '../../../workers/jobs/exports/make-exports.ts'
import { openFileStore } from '../../../server/files/open-file-store.ts'
import { runHere } from '../../admin/run-here.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { mustPostFile } from '../../harness/client/user-files.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { openTestSender } from '../../harness/worlds/open-test-sender.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { readArchive } from './exported.ts'

const DAY_MS = 24 * 3_600_000
const PATH = '/users/me/export'
const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { sql } = server.node.services
const [owner, member, member2, bot] = (['owner', 'member', 'member2', 'bot'] as const).map((person) =>
  server.as(person),
) as [Client, Client, Client, Client]
type Client = ReturnType<typeof server.as>
const sender = await openTestSender(t, server, clock)

async function make(onDone: (record: object) => void = () => undefined): Promise<void> {
  await makeExports({
    sql,
    databaseUrl: server.databaseUrl,
    fileStore: await openFileStore(server.config),
    clock,
    openSender: async () => sender,
    signal: new AbortController().signal,
    onDone,
  })
  const { state } = server.node.services
  await pollUntil('the server to follow', () => state.appliedId >= sender.services.state.appliedId)
}
const listed = async (client: Client) => (await client.must('GET', PATH)).exports
const download = (path: string, client: Client | undefined) =>
  fetch(new URL(path, server.node.url), client ? { headers: { authorization: client.authorization } } : {})

await member.subscribe(['town'])
await member2.subscribe(['town'])
await member.send('town', 'x', 'of the member')
await member2.send('town', 'x', 'of another one')
await mustPostFile(member, 'my plan', 'plan.txt')

t.test('[OWNEXPORT1] a person gets an archive of their own data, and alone the events of it', async (t) => {
  const people = [member, member2, owner]
  const queues = await Promise.all(
    people.map((one) => one.register({ event_types: ['own_export', 'realm_export'] })),
  )
  const eventsOf = async () =>
    Promise.all(people.map(async (one, index) => withoutIds(await one.events(queues[index] as never))))
  t.same(await listed(member), [])
  const { id } = await member.must('POST', PATH)
  const pending = {
    id,
    export_time: Math.floor(clock.nowMs() / 1_000),
    deleted_timestamp: null,
    failed_timestamp: null,
    export_url: null,
    pending: true,
  }
  t.same(await listed(member), [{ ...pending, progress: 0 }])
  t.same(await eventsOf(), [[{ type: 'own_export', export: pending }], [], []])
  expectRefusal(t, await member.post(PATH), 'An export of your data is already in progress')
  expectRefusal(t, await member.delete(`${PATH}/${id}`), 'Export still in progress')
  await make()
  const made = { ...pending, pending: false, export_url: `/user_uploads/exports/${id}/export-${id}.zip` }
  t.same(await listed(member), [made])
  t.same(await eventsOf(), [[{ type: 'own_export', export: made }], [], []])
  const response = await download(made.export_url, member)
  t.equal(response.status, 200)
  const file = join(await makeFolder(t), 'own.zip')
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
  const { lists, head } = await readArchive(t, file)
  t.match(head, { contents: 'person', person: member.userId })
  t.same(
    lists['messages']?.map(({ content }) => content),
    ['of the member'],
  )
  t.same(
    lists['files']?.map(({ name }) => name),
    ['plan.txt'],
  )
})

t.test('[OWNEXPORT2] nobody else sees, downloads or deletes it, not even owners', async (t) => {
  const [{ id, export_url: url }] = (await listed(member)) as [{ id: number; export_url: string }]
  for (const client of [owner, server.as('administrator'), member2, server.as('guest'), bot]) {
    t.same(await listed(client), [])
    t.equal((await download(url, client)).status, 404)
    expectRefusal(t, await client.delete(`${PATH}/${id}`), 'Invalid data export ID')
  }
  t.equal((await download(url, undefined)).status === 200, false)
  t.same((await owner.must('GET', '/export/realm')).exports, [])
  expectRefusal(t, await owner.delete(`/export/realm/${id}`), 'Invalid data export ID')
  expectRefusal(t, await bot.post(PATH), 'This endpoint does not accept bot requests.')
})

t.test('[OWNEXPORT3] a new archive replaces the former; three in seven days are the most', async (t) => {
  const [former] = (await listed(member)) as [{ export_url: string }]
  await member.must('POST', PATH)
  t.equal((await download(former.export_url, member)).status, 404)
  await make()
  await member.must('POST', PATH)
  await make()
  expectRefusal(t, await member.post(PATH), 'Too many exports in seven days (maximum 3).')
  t.equal((await member2.post(PATH)).status, 200, 'others have their own limit')
  await make()
  const all = await listed(member)
  t.same(
    all.map(({ export_url: url }) => url === null),
    [true, true, false],
  )
  const { id } = all.at(-1) as { id: number }
  await member.must('DELETE', `${PATH}/${id}`)
  expectRefusal(t, await member.delete(`${PATH}/${id}`), 'Export already deleted')
  clock.leap(7 * DAY_MS + 1_000)
  const { id: failing } = await member.must('POST', PATH)
  await sql`update export_work set tries = 10 where export_id = ${failing}`
  await make()
  t.type((await listed(member)).at(-1)?.failed_timestamp, 'number')
  expectRefusal(t, await member.delete(`${PATH}/${failing}`), 'Export failed, nothing to delete')
})

t.test(
  '[OWNEXPORT4] an archive expires after 30 days, and the audit log has the request for it',
  async (t) => {
    clock.leap(31 * DAY_MS)
    await make()
    t.same(
      (await listed(member)).map(({ export_url: url }) => url),
      [null, null, null, null],
    )
    const { entries } = await owner.must('GET', '/realm/audit_log', { kinds: '["own_export"]', limit: 100 })
    const asked = entries.filter(({ details }) => (details as { op?: string }).op === 'pending')
    t.same(
      asked.map(({ acting_user_id: actor }) => actor),
      [member.userId, member2.userId, member.userId, member.userId, member.userId],
    )
  },
)

t.test(
  '[OWNEXPORT5] channels that the person may no longer read come by id alone, and messages there without topics',
  async (t) => {
    const channelOf = (name: string) =>
      server.node.services.state.findChannelByName(name)?.channel.id as number
    const idsOf = (lines: readonly Record<string, unknown>[] = []) => lines.map(({ id }) => id)
    await owner.subscribe(['crew'], { invite_only: true, principals: [owner.userId, member.userId] })
    await owner.subscribe(['hidden'], { invite_only: true })
    const [crew, hidden, town] = [channelOf('crew'), channelOf('hidden'), channelOf('town')]
    const removed = await member.send('crew', 'launch', 'I wrote this in the crew')
    await member.must('POST', '/user_topics', { stream_id: crew, topic: 'launch', visibility_policy: 3 })
    const moved = await member.send('town', 'start', 'I wrote this in town')
    const archive = async (make: (path: string) => Promise<unknown>) => {
      const path = join(await makeFolder(t), 'own.zip')
      await make(path)
      const { lists, own } = await readArchive(t, path)
      const find = (list: string, id: number) => lists[list]?.find((one) => one['id'] === id)
      return { lists, own, find }
    }
    const settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataFolder }
    const byOperator = () =>
      archive(async (path) => {
        const { code, stderr } = await runHere(settings, ['export', path, '--person', 'member@example.com'])
        t.equal(code, 0, stderr)
      })
    const byPerson = () =>
      archive(async (path) => {
        await member.must('POST', PATH)
        await make()
        const response = await download(String((await listed(member)).at(-1)?.export_url), member)
        await writeFile(path, Buffer.from(await response.arrayBuffer()))
      })
    const before = await byPerson()
    t.match(before.find('channels', crew), { name: 'crew', is_private: true, is_subscribed: true })
    t.match(before.find('messages', removed), { channel_id: crew, topic: 'launch' })

    await owner.must('DELETE', '/users/me/subscriptions', {
      subscriptions: ['crew'],
      principals: [member.userId],
    })
    await owner.must('PATCH', `/streams/${crew}`, { new_name: 'mutiny', description: 'a coup' })
    await owner.must('PATCH', `/messages/${removed}`, { topic: 'mutineers' })
    await owner.must('PATCH', `/messages/${removed}`, { topic: 'conspirators' })
    await owner.must('PATCH', `/messages/${moved}`, { stream_id: hidden, topic: 'vault' })
    await owner.must('PATCH', `/messages/${moved}`, { topic: 'treasury' })
    for (const { lists, own, find } of [await byPerson(), await byOperator()]) {
      t.match(find('channels', town), { name: 'town', is_subscribed: true })
      for (const id of [crew, hidden]) t.strictSame(find('channels', id), { id, is_subscribed: false })
      t.same(idsOf(lists['messages']).slice(-2), [removed, moved])
      t.strictSame(
        [removed, moved].map((id) => {
          const { channel_id: channelId, topic, content } = find('messages', id) ?? {}
          return [channelId, topic, content]
        }),
        [
          [crew, undefined, 'I wrote this in the crew'],
          [hidden, undefined, 'I wrote this in town'],
        ],
      )
      const edits = find('messages', moved)?.['edits'] as readonly object[]
      t.match(edits, [{ user_id: owner.userId }, { user_id: owner.userId, previous_topic: 'start' }])
      t.same(Object.keys(edits[0] ?? {}), ['user_id', 'edited_at'])
      t.same(Object.keys(edits[1] ?? {}), ['user_id', 'edited_at', 'previous_topic'])
      t.notMatch(
        JSON.stringify([lists, own]),
        /mutiny|coup|mutineers|conspirators|hidden|vault|treasury|launch|"crew"/,
      )
    }
  },
)

t.test('[OWNEXPORT6] an archive of more than one page has each message once, in order', async (t) => {
  clock.leap(8 * DAY_MS)
  const client = server.as('moderator')
  await client.subscribe(['pages'])
  const sent: number[] = []
  for (let index = 0; index < 505; index++)
    sent.push(
      index % 5 === 0
        ? await client.sendDirect([member.userId], `direct ${index}`)
        : await client.send('pages', 'x', `message ${index}`),
    )
  sent.push(await member.sendDirect([client.userId], 'received'))
  await client.must('POST', PATH)
  await make()
  const path = join(await makeFolder(t), 'own.zip')
  const response = await download(String((await listed(client)).at(-1)?.export_url), client)
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
  const { lists } = await readArchive(t, path)
  t.same(
    lists['messages']?.map(({ id }) => id),
    sent,
  )
})

t.test('[OWNEXPORT7] an export of the organization does not wait behind those of people', async (t) => {
  clock.leap(8 * DAY_MS)
  const ids = []
  for (const client of [member, member2]) ids.push((await client.must('POST', PATH)).id)
  const { id } = await owner.must('POST', '/export/realm', { export_type: 1 })
  const done: object[] = []
  await make((record) => done.push(record))
  t.same(
    done,
    [id, ...ids].map((one) => ({ export: one, phase: 'done' })),
  )
})

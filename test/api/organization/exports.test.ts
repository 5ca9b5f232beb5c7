/** Exports of the organization: who may have them, what they contain, and how a worker makes them. */

import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { beginExport, loadExports, tryExportLock } from '../../../db/organization/exports.ts'
import { recordStrayFiles } from '../../../db/files/uploads.ts'
import { connect } from '../../../db/connection/connect.ts'
import { filterNames } from '../../../server/changes/imports/archive.ts'
import { ZipArchive } from '../../../server/changes/imports/zip-archive.ts'
import { ZipWriter } from '../../../server/changes/exports/zip-writer.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import { done } from '../../../server/decisions/decision.ts'
import type { Fact } from '../../../server/domain/events.ts'
import type { ExportId, UserId } from '../../../server/domain/ids.ts'
import { openFileStore } from '../../../server/files/open-file-store.ts'
import { FileMissingError } from '../../../server/files/file-store.ts'
import { makeExports, type ExportWork } from '../../../workers/jobs/exports/make-exports.ts'
import { startWorker } from '../../../workers/worker.ts'
import { createLogger } from '../../../server/logger.ts'
import { runHere } from '../../admin/run-here.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { drawImage } from '../../harness/client/upload.ts'
import { mustPostFile } from '../../harness/client/user-files.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { openTestSender } from '../../harness/worlds/open-test-sender.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { startWorkerProcess } from '../../workers/start-worker-process.ts'
import { fillExported, readArchive } from './exported.ts'

const DAY_MS = 24 * 3_600_000
const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { sql } = server.node.services
const [owner, admin, member, member2] = (['owner', 'administrator', 'member', 'member2'] as const).map(
  (person) => server.as(person),
) as [Client, Client, Client, Client]
type Client = ReturnType<typeof server.as>
type Line = Record<string, unknown>
const NOBODY = ['moderator', 'member', 'guest', 'bot'] as const satisfies readonly Person[]
const REQUIRED = 'Must be an organization administrator'

const sender = await openTestSender(t, server, clock)
const work: ExportWork = {
  sql,
  databaseUrl: server.databaseUrl,
  fileStore: await openFileStore(server.config),
  clock,
  openSender: async () => sender,
  signal: new AbortController().signal,
  onDone() {},
}
const make = async (given: Partial<ExportWork> = {}) => {
  await makeExports({ ...work, ...given })
  await pollUntil(
    'the server has the exports',
    () => server.node.services.state.appliedId >= sender.services.state.appliedId,
  )
}
const settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataFolder }
const listed = async () => (await admin.must('GET', '/export/realm')).exports
const last = async () => (await listed()).at(-1) as NonNullable<Awaited<ReturnType<typeof listed>>[number]>
/** Five in a week are too many for one file of tests. */
const nextWeek = () => clock.leap(7 * DAY_MS + 1_000)
const ask = async (type: number) =>
  Number((await owner.must('POST', '/export/realm', { export_type: type })).id)

async function download(path: string, client: Client = admin) {
  const headers = client.key === '' ? {} : { authorization: client.authorization }
  return fetch(new URL(path, server.node.url), { headers })
}

const idsOf = (lines: readonly Line[]) => lines.map((one) => one['id'])
const namesOf = (lines: readonly Line[] = []) => lines.map((one) => one['name'])

async function fetchArchive(path: string) {
  const response = await download(path)
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'application/zip')
  t.match(response.headers.get('content-disposition'), /^attachment; filename="export-\d+\.zip"/)
  const file = join(await makeFolder(t), 'export.zip')
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
  return readArchive(t, file)
}

const { file: FILE, channelOf, ids } = await fillExported(server)

t.test('[EXPORT1] only administrators ask for exports, see, download and delete them', async (t) => {
  for (const person of NOBODY) {
    const client = server.as(person)
    expectRefusal(t, await client.post('/export/realm'), REQUIRED)
    expectRefusal(t, await client.get('/export/realm'), REQUIRED)
    expectRefusal(t, await client.get('/export/realm/consents'), REQUIRED)
    expectRefusal(t, await client.delete('/export/realm/1'), REQUIRED)
  }
  for (const type of [0, 3, 'x'])
    t.equal((await owner.post('/export/realm', { export_type: type })).status, 400, String(type))
  t.same(await listed(), [])
})

t.test('[EXPORT2] a public export has nothing private, and administrators get its events', async (t) => {
  const queues = await Promise.all(
    [owner, admin, member].map((client) => client.register({ event_types: ['realm_export'] })),
  )
  const id = await ask(1)
  const pending = {
    id,
    acting_user_id: owner.userId,
    export_time: Math.floor(clock.nowMs() / 1000),
    deleted_timestamp: null,
    failed_timestamp: null,
    export_url: null,
    pending: true,
    export_type: 1,
  }
  t.same(await listed(), [{ ...pending, progress: 0 }])
  expectRefusal(t, await admin.delete(`/export/realm/${id}`), 'Export still in progress')
  const sentFirst = await Promise.all([owner, admin].map((one, index) => one.events(queues[index] as never)))
  for (const list of sentFirst) t.same(withoutIds(list), [{ type: 'realm_export', exports: [pending] }])
  await make()
  const made = { ...pending, pending: false, export_url: `/user_uploads/exports/${id}/export-${id}.zip` }
  t.same(await listed(), [made])
  const events = await Promise.all(
    [owner, admin, member].map((one, index) => one.events(queues[index] as never)),
  )
  for (const list of events.slice(0, 2)) t.same(withoutIds(list), [{ type: 'realm_export', exports: [made] }])
  t.same(events[2], [])

  const { lists, names, head, sent } = await fetchArchive(made.export_url)
  t.same(idsOf(sent), [ids.town])
  t.same(namesOf(lists['channels']), ['town'])
  t.match(lists['messages']?.[0], {
    channel_id: channelOf('town'),
    topic: 'plans',
    sender_id: member.userId,
    content: `Look at [plan](${FILE})`,
    reactions: [{ emoji_name: 'tada', user_id: owner.userId, reaction_type: 'unicode_emoji' }],
    edits: [{ user_id: member.userId, previous_content: `See [plan](${FILE})` }],
  })
  t.same(lists['marks'], [])
  t.same(lists['user_topics'], [])
  t.match(lists['files'], [{ name: 'plan.txt', message_ids: [ids.town], owner_id: member.userId }])
  t.equal(lists['files']?.length, 1)
  const emailOf = (client: Client) => lists['users']?.find((one) => one['id'] === client.userId)?.['email']
  t.same([owner, member].map(emailOf), ['owner@example.com', null])
  t.ok(names.includes(`avatars/${member.userId}.png`))
  t.ok(names.includes('emoji/1.png'))
  t.match(head, { format: 'parley-export', version: 1, contents: 'public' })
  t.match(head['counts'], { messages: 1, channels: 1, files: 1, missing_files: 0 })
  const text = JSON.stringify([lists, head])
  t.notMatch(text, /secret|nobody else|among us|password|api_key|hash/)

  for (const person of NOBODY) t.equal((await download(made.export_url, server.as(person))).status, 404)
  t.not((await download(made.export_url, server.anyone)).status, 200)
  for (const path of [`/user_uploads/exports/${id}/other.zip`, `/user_uploads/exports/99/export-99.zip`])
    t.equal((await download(path)).status, 404)
})

t.test('[EXPORT3] consent adds what the consenting people received, and what they chose', async (t) => {
  const queue = await admin.register({ event_types: ['realm_export_consent'] })
  const others = await member2.register({ event_types: ['realm_export_consent'] })
  await member.must('PATCH', '/settings', { allow_private_data_export: true })
  t.same(withoutIds(await admin.events(queue)), [
    { type: 'realm_export_consent', user_id: member.userId, consented: true },
  ])
  t.same(await member2.events(others), [])
  const { export_consents } = await admin.must('GET', '/export/realm/consents')
  t.same(
    export_consents.filter(({ consented }) => consented),
    [{ user_id: member.userId, consented: true }],
  )
  t.notOk(export_consents.some(({ user_id }) => user_id === server.as('bot').userId))
  t.equal(export_consents.length, 6)

  await ask(2)
  await make()
  const { lists, file, sent } = await fetchArchive(String((await last()).export_url))
  t.same(idsOf(sent), [ids.town, ids.open, ids.late, ids.ours])
  t.same(sent.at(-1)?.['user_ids'], [member.userId, member2.userId])
  t.same(namesOf(lists['channels']), ['town', 'open room', 'late room'])
  t.same(lists['marks'], [
    { user_id: member.userId, message_id: ids.town, is_starred: true, is_collapsed: false },
  ])
  t.match(lists['user_topics'], [{ user_id: member.userId, topic: 'plans', visibility: 3 }])
  t.equal(file, 'the plan')
  const emailOf = (client: Client) => lists['users']?.find((one) => one['id'] === client.userId)?.['email']
  t.same([member, member2].map(emailOf), ['member@example.com', null])
  t.notMatch(JSON.stringify(lists), /secret|nobody else|before/)
  t.not(JSON.stringify(lists).includes(`"id":${ids.theirs},`), true)
})

t.test('[EXPORT4] an export whose worker dies is made once by the next one', async (t) => {
  nextWeek()
  const id = (await ask(1)) as ExportId
  // One run ends on the way, as its process does; another one is there, but without the lock.
  const ended = new AbortController()
  ended.abort(new Error('the worker ends'))
  await make({ signal: ended.signal })
  t.equal((await last()).pending, true)
  const holder = connect(server.databaseUrl, 1, 'parley-test')
  t.teardown(() => holder.end({ timeout: 0 }))
  await holder`select`
  const reserved = await holder.reserve()
  t.equal(await tryExportLock(reserved), true)
  await make()
  t.equal((await last()).pending, true, 'another worker has the lock')
  // It begins to write, and dies.
  const lost = 'ab/lost-with-its-worker'
  await beginExport(sql, id, lost)
  await holder.end({ timeout: 0 })
  await pollUntil('the lock is free', async () => {
    await make()
    return !(await last()).pending
  })
  t.equal((await fetchArchive(String((await last()).export_url))).head['contents'], 'public')
  t.match(await sql`select key from removed_files where key = ${lost}`, [{ key: lost }])
  t.same(await sql`select from export_work`, [])
  const facts =
    await sql`select from event_log where event ->> 'type' = 'realm_export' and (event -> 'export' ->> 'id')::int = ${id}`
  t.equal(facts.length, 2, 'it is asked for once, and made once')
  await Promise.all([make(), make()])
  t.equal((await listed()).length, 3)
})

t.test(
  '[EXPORT5] an export that always fails is given up, and a deleted or old one loses its archive',
  async (t) => {
    const failing = await ask(1)
    const broken = { ...work.fileStore, write: () => Promise.reject(new Error('the store is full')) }
    const store = Object.assign(Object.create(work.fileStore) as typeof work.fileStore, {
      write: broken.write,
    })
    await t.rejects(make({ fileStore: store }), { message: 'the store is full' })
    t.equal((await last()).pending, true)
    await sql`update export_work set tries = 10`
    await make()
    t.match(await last(), { id: failing, pending: false, export_url: null })
    t.type((await last()).failed_timestamp, 'number')
    expectRefusal(t, await admin.delete(`/export/realm/${failing}`), 'Export failed, nothing to delete')
    expectRefusal(t, await admin.delete('/export/realm/99'), 'Invalid data export ID')

    const url = String((await listed())[0]?.export_url)
    const [row] = await sql<
      { key: string }[]
    >`select outcome ->> 'key' as key from organization_exports where id = 1`
    await admin.must('DELETE', '/export/realm/1')
    t.equal((await download(url)).status, 404)
    t.match((await listed())[0], { export_url: null, pending: false, failed_timestamp: null })
    t.type((await listed())[0]?.deleted_timestamp, 'number')
    t.match(await sql`select key from removed_files where key = ${row?.key ?? ''}`, [row])
    expectRefusal(t, await admin.delete('/export/realm/1'), 'Export already deleted')

    t.type((await listed())[1]?.export_url, 'string')
    const [held] = await sql<
      { key: string }[]
    >`select outcome ->> 'key' as key from organization_exports where id = 2`
    t.equal(
      await recordStrayFiles(sql, [held?.key ?? '', 'ab/of-no-row-at-all']),
      1,
      'archives are no stray files',
    )
    clock.leap(31 * DAY_MS)
    await make()
    t.same(
      (await listed()).map(({ export_url }) => export_url),
      [null, null, null, null],
    )
  },
)

t.test('[EXPORT6] at most five exports are asked for in seven days', async (t) => {
  const ids = []
  for (let count = 0; count < 5; count++) ids.push(await ask(1))
  const refusal = 'Too many exports in seven days (maximum 5).'
  expectRefusal(t, await admin.post('/export/realm'), refusal)
  // Nor after the archives are deleted, and many people had exports of their own.
  await make()
  for (const id of ids) await admin.must('DELETE', `/export/realm/${id}`)
  const { committer, state } = server.node.services
  await submitForServer({ committer, clock }, ({ state: { nextExportId }, now }) =>
    done(
      Array.from({ length: 101 }, (_, index): Fact => {
        const outcome = { phase: 'failed', failedAt: now } as const
        const userId = member.userId as UserId
        const id = (nextExportId + index) as ExportId
        return { type: 'own_export', userId, export: { id, userId, kind: 'own', requestedAt: now, outcome } }
      }),
    ),
  )
  expectRefusal(t, await admin.post('/export/realm'), refusal)
  t.strictSame(await loadExports(sql), state.exports, 'as a restarted server has them')
  nextWeek()
  t.equal((await admin.post('/export/realm')).status, 200)
})

t.test('[EXPORT7] a running worker makes exports as soon as they are asked for', async (t) => {
  await make()
  nextWeek()
  const queue = await admin.register({ event_types: ['realm_export'] })
  const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
  t.teardown(() => worker.close())
  const id = await ask(1)
  // An event has the list as it is when it is sent, so the first may say it already.
  await pollUntil('the export is made', async () =>
    (await admin.events(queue, {})).some(({ exports }) =>
      exports.some((one) => one.id === id && !one.pending),
    ),
  )
  await worker.close()
})

t.test(
  '[EXPORT12] a worker process that is killed on the way offers nothing, and the next one makes it',
  async (t) => {
    await make()
    nextWeek()
    // The worker waits here, when the messages are in the archive already.
    const holder = connect(server.databaseUrl, 1, 'parley-test')
    t.teardown(() => holder.end({ timeout: 0 }))
    const held = Promise.withResolvers<void>()
    const killed = Promise.withResolvers<void>()
    const holding = holder
      .begin(async (tx) => {
        await tx`lock table message_uploads in access exclusive mode`
        held.resolve()
        await killed.promise
        throw new Error('let go')
      })
      .catch(() => undefined)
    await held.promise
    const worker = startWorkerProcess(t, {
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: server.config.dataFolder,
      PUBLIC_URL: server.node.url,
    })
    const id = await ask(1)
    const waits = () => sql`select from pg_stat_activity
      where datname = current_database() and application_name = 'parley-export' and wait_event_type = 'Lock'`
    await pollUntil('the worker is on the way', async () => (await waits()).length > 0)
    const [begun] = await sql<{ key: string }[]>`select file_key as key from export_work`
    await worker.kill()
    t.match(await last(), { id, pending: true, export_url: null })
    killed.resolve()
    await holding
    await pollUntil('the next worker may begin', async () => {
      await make()
      return !(await last()).pending
    })
    const { head, lists } = await fetchArchive(String((await last()).export_url))
    t.match(head['counts'], { messages: lists['messages']?.length })
    t.match(await sql`select key from removed_files where key = ${begun?.key ?? ''}`, [begun])
    t.equal(await work.fileStore.size(String(begun?.key)), undefined, 'its part is no file')
  },
)

t.test('[EXPORT8] the operator exports everything, or what administrators may have', async (t) => {
  const folder = await makeFolder(t)
  const run = (...args: string[]) => runHere(settings, ['export', ...args])
  const path = join(folder, 'all.zip')
  const { code, stdout } = await run(path)
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { file: path, contents: 'everything', files: 2, missing_files: 0 })
  const { lists, names, sent } = await readArchive(t, path)
  t.equal(sent.length, 7)
  t.equal(lists['marks']?.length, 2)
  t.equal(lists['files']?.length, 2)
  t.notMatch(JSON.stringify(lists), /password|api_key|draft/)
  t.notOk(names.some((name) => /^\/|\.\./.test(name)))
  t.match(await run(path), { code: 1, stderr: /already exists/ })
  t.match(await run(join(folder, 'a.zip'), '--public', '--consented'), { code: 2 })
  const publicly = await run(join(folder, 'public.zip'), '--public')
  t.match(JSON.parse(publicly.stdout), { contents: 'public', messages: 1 })
  t.match(await run(join(folder, 'none', 'a.zip')), { code: 1 })
})

t.test(
  '[EXPORT10] a person gets what they wrote, received directly, and set, and nothing else of others',
  async (t) => {
    await member.must('POST', '/drafts', {
      drafts: [
        { type: 'stream', to: [channelOf('town')], topic: 'x', content: 'a draft of mine', timestamp: 1 },
      ],
    })
    await member2.must('POST', '/drafts', {
      drafts: [
        { type: 'stream', to: [channelOf('town')], topic: 'x', content: 'a draft of theirs', timestamp: 1 },
      ],
    })
    await member.must('POST', '/users/me/alert_words', { alert_words: ['lighthouse'] })
    await member.must('POST', '/saved_snippets', { title: 'greeting', content: 'Hello there' })
    const path = join(await makeFolder(t), 'member.zip')
    const run = (address: string, ...more: string[]) =>
      runHere(settings, ['export', path, '--person', address, ...more])
    t.match(await run('nobody@example.com'), { code: 1, stderr: /there is no user nobody@example\.com/ })
    t.match(await run('member@example.com', '--public'), { code: 2 })
    const { code, stdout, stderr } = await run('Member@example.com')
    t.equal(code, 0, stderr)
    t.match(JSON.parse(stdout), { contents: 'person', files: 1 })
    const { lists, names, sent, head, own, file } = await readArchive(t, path)
    t.same(idsOf(sent), [ids.town, ids.open, ids.ours])
    t.equal(file, 'the plan')
    t.match(head, { contents: 'person', person: member.userId })
    t.same(namesOf(lists['channels']), ['town', 'open room', 'late room'])
    t.match(lists['users']?.[0], { id: member.userId, email: 'member@example.com' })
    t.same(Object.keys(lists['users']?.[1] ?? {}), ['id', 'full_name', 'bot_type'])
    t.match(own, {
      alert_words: ['lighthouse'],
      drafts: [{ content: 'a draft of mine' }],
      saved_snippets: [{ title: 'greeting' }],
      settings: { allow_private_data_export: true },
    })
    t.ok(names.includes(`avatars/${member.userId}.png`))
    t.notMatch(
      JSON.stringify([lists, own, head]),
      /theirs|secret|after|before|owner@example|password|token|hash|key/,
    )
    const refused = await runHere(settings, ['import', 'parley', path, '--dry-run'])
    t.match(refused, { code: 1, stderr: /has the data of one person, which cannot come over/ })
  },
)

t.test(
  '[EXPORT11] a channel becomes pages without scripts, whose pictures and files lie beside them',
  async (t) => {
    const picture = await mustPostFile(member, await drawImage('green'), 'a picture.png')
    const script = await mustPostFile(member, '<script>alert(1)</script>', 'run.html')
    await member.send(
      'town',
      'pictures & <b>',
      `[p](${picture}) [s](${script}) :logo: :tada: #**town** <script>x</script> $$x^2$$`,
    )
    await member.send('town', '', 'without a topic')
    const path = join(await makeFolder(t), 'town.zip')
    const run = (name: string, file = path) =>
      runHere({ ...settings, PUBLIC_URL: 'https://chat.example.com' }, ['export', file, '--channel', name])
    t.match(await run('nowhere'), { code: 1, stderr: /there is no channel nowhere/ })
    const { code, stdout, stderr } = await run('Town')
    t.equal(code, 0, stderr)
    t.match(JSON.parse(stdout), { channel: 'town', topics: 3, messages: 3, files: 3 })
    const zip = await ZipArchive.open(path, (name) => t.fail(name))
    t.teardown(() => zip.close())
    const names = await filterNames(zip, () => true)
    const pages = names.filter((name) => name.endsWith('.html'))
    t.same(pages.sort(), ['index.html', 'topics/1.html', 'topics/2.html', 'topics/3.html'])
    t.ok(
      names.some((name) => /^files\/\d+-run\.html\.txt$/.test(name)),
      'no file of a user runs',
    )
    let text = ''
    for (const name of pages) {
      const html = String(await (await zip.find(name))?.read())
      text += html
      t.notMatch(html, /<script|javascript:|\son\w+=|="\/[^/]/i, name)
      t.match(html, /Content-Security-Policy" content="default-src 'none';/)
      const own = new URL(`file:///pages/${name}`)
      for (const [, address = ''] of html.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
        const { protocol, pathname } = new URL(address.replaceAll('&amp;', '&'), own)
        if (protocol === 'file:')
          t.ok(names.includes(decodeURIComponent(pathname).replace('/pages/', '')), address)
        else t.equal(protocol, 'https:', address)
      }
    }
    t.match(text, 'pictures &amp; &lt;b&gt;')
    t.match(text, /<i>general chat<\/i>/)
    t.match(text, '\u{1f389}')
    t.match(text, /<li title="The owner">\u{1f389} 1<\/li>/u)
    t.notMatch(text, /among us|nobody else|after/)
  },
)

t.test('[EXPORT9] lines that pack too well to be honest are stored unpacked', async (t) => {
  const path = join(await makeFolder(t), 'flat.zip')
  const zip = new ZipWriter(new Date(0))
  const written = writeFile(path, zip.output)
  await zip.addLines('flat', [{ text: 'x'.repeat(3_000_000) }, { text: 'y' }])
  await zip.addLines('none', [])
  zip.end()
  await written
  const archive = await ZipArchive.open(path, (name) => t.fail(name))
  t.teardown(() => archive.close())
  const flat = await archive.find('flat.jsonl')
  t.ok(statSync(path).size > 3_000_000)
  t.equal((await flat?.read())?.length, flat?.size)
  t.equal((await archive.find('none.jsonl'))?.size, 0)
  const cut = new ZipWriter(new Date(0))
  const gone = cut.addFile('a', 3, () => Promise.reject(new FileMissingError('gone')))
  cut.output.on('error', () => undefined)
  cut.output.resume()
  await t.rejects(gone, FileMissingError)
})

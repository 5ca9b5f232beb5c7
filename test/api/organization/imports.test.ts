/** Imports by owners: who may, the archive's way to the server, its check, the import, and its ends. */

import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { recordStrayFiles } from '../../../db/files/uploads.ts'
import { tryImportLock } from '../../../db/imports/organization-imports.ts'
import { connect } from '../../../db/connection/connect.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import { SLACK } from '../../admin/imports/slack-fixture.ts'
import { readNarrow } from '../../admin/imports/start-imports.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { beginUpload, tus } from '../../harness/client/tus.ts'
import type { TestContext } from '../../harness/databases/create-database.ts'
import { makeZip } from '../../harness/files/write-zip.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { bringArchive, importMetadata } from './bring-archive.ts'
import { openImportWorker } from './open-import-worker.ts'

const DAY_MS = 24 * 3_600_000
const MIB = 1024 * 1024
const clock = new ManualClock()
const server = await startTestServer(t, { clock, env: { IMPORT_ARCHIVE_MIB: '1' } })
const { sql, state } = server.node.services
const owner = server.as('owner')
const NO_OWNERS = [
  'administrator',
  'moderator',
  'member',
  'guest',
  'bot',
] as const satisfies readonly Person[]
const REQUIRED = 'Must be an organization owner'

const { sender, fileStore, make } = await openImportWorker(t, server, clock)
const listed = async () => (await owner.must('GET', '/realm/imports')).imports
const last = async () => (await listed()).at(-1) as NonNullable<Awaited<ReturnType<typeof listed>>[number]>
const begin = async (more: Record<string, unknown> = {}) =>
  Number(
    (await owner.must('POST', '/realm/imports', { product: 'slack', file_name: 'slack.zip', ...more })).id,
  )
const cancel = (id: number) => owner.must('DELETE', `/realm/imports/${id}`)
const reportOf = async (id: number) => (await owner.must('GET', `/realm/imports/${id}/report`)).report
const zipOf = (files: Readonly<Record<string, unknown>>) =>
  makeZip(Object.entries(files).map(([name, value]) => ({ name, content: JSON.stringify(value) })))
const ARCHIVE = zipOf(SLACK)
/** Begins an import, and brings its archive. */
const bring = async (archive: Uint8Array = ARCHIVE, more: Record<string, unknown> = {}) => {
  const id = await begin(more)
  const { status } = await bringArchive(owner, id, archive)
  t.equal(status, 200)
  return id
}
const keyOf = async (id: number) => {
  const [row] = await sql<
    { key: string | null }[]
  >`select state -> 'archive' ->> 'key' as key from organization_imports where id = ${id}`
  return row?.key ?? undefined
}
const isRemoved = async (key: string | undefined) =>
  (await sql`select from removed_files where key = ${key ?? ''}`).length === 1

/** Makes imports wait on the way; `letGo` lets them go on. */
const holdImportedIds = async (t: TestContext) => {
  const holder = connect(server.databaseUrl, 1, 'parley-test')
  t.teardown(() => holder.end({ timeout: 0 }))
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = holder.begin(async (tx) => {
    await tx`lock table imported_ids in access exclusive mode`
    held.resolve()
    await released.promise
  })
  await held.promise
  const letGo = async () => {
    released.resolve()
    await holding
  }
  return { letGo }
}
const isHeld = async () => {
  const waits = await sql`select from pg_locks l
    where not l.granted and l.relation = 'imported_ids'::regclass`
  return waits.length > 0
}

t.test('[BRING1] only owners begin, see, start and cancel imports, and bring archives', async (t) => {
  for (const person of NO_OWNERS) {
    const client = server.as(person)
    expectRefusal(t, await client.get('/realm/imports'), REQUIRED)
    expectRefusal(t, await client.post('/realm/imports', { product: 'slack', file_name: 'a.zip' }), REQUIRED)
    expectRefusal(t, await client.post('/realm/imports/1/start'), REQUIRED)
    expectRefusal(t, await client.delete('/realm/imports/1'), REQUIRED)
    expectRefusal(t, await client.get('/realm/imports/1/report'), REQUIRED)
  }
  t.same(await listed(), [])
  const id = await begin()
  for (const person of NO_OWNERS) {
    const refused = await tus(server.as(person), 'POST', '', {
      'upload-length': 10,
      'upload-metadata': importMetadata(id),
    })
    t.match(refused, { status: 400, body: { msg: REQUIRED } }, person)
  }
  await cancel(id)
})

t.test('[BRING2] an import has a known product and a name, and there is one at a time', async (t) => {
  for (const given of [
    { product: 'irc', file_name: 'a.zip' },
    { product: 'slack' },
    { file_name: 'a.zip' },
    { product: 'slack', file_name: 'x'.repeat(256) },
    { product: 'slack', file_name: 'a.zip', keep_roles: 'perhaps' },
  ])
    t.equal((await owner.post('/realm/imports', given)).status, 400, JSON.stringify(given))
  const id = await begin({ file_name: 'x'.repeat(255) })
  const again = await owner.post('/realm/imports', { product: 'zulip', file_name: 'b.tar.gz' })
  expectRefusal(t, again, 'Another import is under way')
  expectRefusal(
    t,
    await owner.post(`/realm/imports/${id}/start`),
    'The archive is not checked, or the import has started already',
  )
  expectRefusal(t, await owner.get(`/realm/imports/${id}/report`), 'This import has no report yet')
  await cancel(id)
  expectRefusal(t, await owner.delete(`/realm/imports/${id}`), 'This import is over')
  for (const refused of [
    await owner.delete('/realm/imports/99'),
    await owner.post('/realm/imports/99/start'),
    await owner.post('/realm/imports/2147483648/start'),
    await owner.get('/realm/imports/99/report'),
  ])
    expectRefusal(t, refused, 'Invalid import ID')
})

t.test('[BRING3] an archive comes by a resumable upload with limits of its own', async (t) => {
  const id = await begin()
  const create = (length: number, metadata: string) =>
    tus(owner, 'POST', '', { 'upload-length': length, 'upload-metadata': metadata })
  for (const unknown of [99, 0, 'x', ''])
    t.match(await create(10, importMetadata(unknown)), { status: 400, body: { msg: 'Invalid import ID' } })
  t.match(await create(MIB + 1, importMetadata(id)), {
    status: 413,
    body: { msg: "File is larger than this server's configured maximum upload size (1 MiB)." },
  })
  t.equal((await create(MIB, importMetadata(id))).status, 201)
  const { upload_path: first, upload_bytes: firstBytes } = await last()
  t.equal(firstBytes, MIB)
  t.match(first, /^\/api\/v1\/tus\//)
  // A size that is declared later has the same limit.
  const deferred = await tus(owner, 'POST', '', {
    'upload-defer-length': 1,
    'upload-metadata': importMetadata(id),
  })
  t.equal(deferred.status, 201)
  const path = new URL(deferred.headers.get('location') as string).pathname
  t.match(
    await last(),
    { upload_path: path, upload_bytes: null },
    'a new upload takes the place of the earlier one',
  )
  t.equal((await tus(owner, 'HEAD', String(first))).status, 404)
  t.match(
    await tus(owner, 'PATCH', path, { 'upload-offset': 0, 'upload-length': MIB + 1 }, new Uint8Array(1)),
    {
      status: 413,
    },
  )
  // A tenth of the file, and the rest after a pause.
  const { length } = ARCHIVE
  const tenth = Math.floor(length / 10)
  const part = await tus(
    owner,
    'PATCH',
    path,
    { 'upload-offset': 0, 'upload-length': length },
    ARCHIVE.subarray(0, tenth),
  )
  t.equal(part.status, 204)
  t.equal((await tus(owner, 'HEAD', path)).headers.get('upload-offset'), String(tenth))
  t.match(await last(), { phase: 'waiting', upload_path: path, upload_bytes: length, bytes: null })
  const done = await tus(owner, 'PATCH', path, { 'upload-offset': tenth }, ARCHIVE.subarray(tenth))
  t.match(done, { status: 200, body: { import_id: id, filename: 'slack.zip' } })
  const { upload_path: gone, upload_bytes: goneBytes, ...now } = await last()
  t.same([gone, goneBytes], [undefined, undefined])
  t.match(now, { id, phase: 'checking', bytes: length, progress: { step: 'starting', messages: 0 } })
  t.match(await create(10, importMetadata(id)), {
    status: 400,
    body: { msg: 'This import does not wait for an archive' },
  })
  t.same((await owner.must('GET', '/attachments')).attachments, [], 'it is no upload of the owner')
  const key = await keyOf(id)
  t.equal(await recordStrayFiles(sql, [String(key)]), 0, 'nor a stray file')
  await cancel(id)
  t.ok(await isRemoved(key))
})

t.test('[BRING4] an upload of a cancelled import ends, and other uploads keep their own limit', async (t) => {
  const id = await begin()
  const created = await tus(owner, 'POST', '', {
    'upload-length': 100,
    'upload-metadata': importMetadata(id),
  })
  const path = new URL(created.headers.get('location') as string).pathname
  await cancel(id)
  t.equal((await tus(owner, 'PATCH', path, { 'upload-offset': 0 }, new Uint8Array(100))).status, 404)
  await beginUpload(owner, 2 * MIB)
})

t.test(
  '[BRING5] a check says what would come over, changes nothing, and owners see how far it is',
  async (t) => {
    const queues = await Promise.all(
      [owner, server.as('administrator')].map((client) => client.register({ event_types: ['realm_import'] })),
    )
    const countChannels = async () => (await owner.must('GET', '/streams')).streams.length
    const before = await countChannels()
    const id = await bring()
    await make()
    t.match(await last(), { id, phase: 'checked', bytes: ARCHIVE.length, progress: null, reason: null })
    t.equal(await countChannels(), before)
    const report = await reportOf(id)
    t.match(report, {
      estimated_minutes: 1,
      estimated_disk_mib: 1,
      more_places: 0,
      channels: { created: 3 },
      users: { created: 5, matched: 1, bots: 1 },
    })
    const general = report.places.find(({ name }) => name === 'general')
    t.match(general, { kind: 'public', topics: 2, files_as_links: 1 })
    t.ok(general?.left_out.some(({ reason }) => reason === 'a message that is there twice'))
    const events = withoutIds(await owner.events(queues[0] as never))
    t.same(
      [...new Set(events.map((one) => (one as { import: { phase: string } }).import.phase))],
      ['waiting', 'checking', 'checked'],
    )
    t.same(await server.as('administrator').events(queues[1] as never), [])
    const { entries } = await owner.must('GET', '/realm/audit_log', { kinds: ['realm_import'] })
    t.match(entries[0], {
      kind: 'realm_import',
      actor: 'server',
      details: { import_id: id, product: 'slack', op: 'checked' },
    })
    t.match(entries[1], { acting_user_id: owner.userId, details: { op: 'checking' } })
  },
)

t.test(
  '[BRING6] a started import brings the archive over, reports per channel, and drops the archive',
  async (t) => {
    const { id } = await last()
    const key = await keyOf(id)
    await owner.must('POST', `/realm/imports/${id}/start`)
    expectRefusal(
      t,
      await owner.post(`/realm/imports/${id}/start`),
      'The archive is not checked, or the import has started already',
    )
    await make()
    t.match(await last(), { id, phase: 'done', bytes: null, messages: null, reason: null })
    t.ok(await isRemoved(key))
    const report = await reportOf(id)
    t.notOk('estimated_minutes' in report)
    t.match(
      report.places.find(({ name }) => name === 'general'),
      { imported_as: undefined, topics: 2 },
    )
    const thread = await readNarrow(owner, [
      ['channel', 'general'],
      ['topic', 'Could we move the #old release to Friday?'],
    ])
    t.ok(thread.length >= 3, `${thread.length} messages`)
    // Another run of the same archive adds nothing.
    const again = await bring()
    await make()
    await owner.must('POST', `/realm/imports/${again}/start`)
    await make()
    const repeated = await reportOf(again)
    t.equal(repeated.messages, 0)
    t.equal(repeated.already_imported, report.messages)
  },
)

t.test(
  '[BRING7] an archive that cannot be read fails with a sentence that names the file alone',
  async (t) => {
    const broken = {
      'a cut zip': ARCHIVE.subarray(0, -100),
      'no zip': Buffer.from('no zip at all'),
      'another zip': zipOf({ 'a.json': [] }),
    }
    for (const [name, archive] of Object.entries(broken)) {
      const id = await bring(archive)
      const key = await keyOf(id)
      await make()
      const failed = await last()
      t.match(failed, { id, phase: 'failed', reason: /^slack\.zip / }, name)
      t.notMatch(failed.reason, /original|parley-import|\/tmp|uploads/)
      t.ok(await isRemoved(key), name)
      expectRefusal(t, await owner.get(`/realm/imports/${id}/report`), 'This import has no report yet')
    }
    const id = await bring()
    await fileStore.remove(String(await keyOf(id)))
    await make()
    t.match(await last(), { id, phase: 'failed', reason: 'the archive is no longer in the file store' })
  },
)

t.test('[BRING8] a phase that fails each time is given up', async (t) => {
  const id = await bring()
  const refuse = () => Promise.reject(new Error('the store is away'))
  const store = Object.assign(Object.create(fileStore) as typeof fileStore, { localPath: refuse })
  await t.rejects(make({ fileStore: store }), { message: 'the store is away' })
  t.match(await last(), { phase: 'checking' })
  await sql`update organization_imports set tries = 10 where id = ${id}`
  await make()
  t.match(await last(), { phase: 'failed', reason: 'It failed 10 times. The log of the server says why.' })
})

t.test('[BRING9] an import that is left alone is cancelled, with its archive', async (t) => {
  const waiting = await begin()
  clock.leap(2 * DAY_MS)
  await make()
  t.match(await last(), { id: waiting, phase: 'waiting' })
  clock.leap(2_000)
  await make()
  t.match(await last(), { id: waiting, phase: 'cancelled' })
  const checked = await bring()
  await make()
  const key = await keyOf(checked)
  clock.leap(7 * DAY_MS)
  await make()
  t.match(await last(), { id: checked, phase: 'checked' })
  clock.leap(2_000)
  await make()
  t.match(await last(), { id: checked, phase: 'cancelled' })
  t.ok(await isRemoved(key))
})

t.test(
  '[BRING10] one worker imports at a time, and a worker that ends leaves the import to the next',
  async (t) => {
    const id = await bring()
    const holder = connect(server.databaseUrl, 1, 'parley-test')
    t.teardown(() => holder.end({ timeout: 0 }))
    await holder`select`
    const reserved = await holder.reserve()
    t.equal(await tryImportLock(reserved), true)
    await make()
    t.match(await last(), { phase: 'checking' }, 'another worker has the lock')
    await holder.end({ timeout: 0 })
    await pollUntil('the lock is free', async () => {
      await make()
      return (await last()).phase === 'checked'
    })
    await owner.must('POST', `/realm/imports/${id}/start`)
    const ended = new AbortController()
    const done: object[] = []
    const { letGo } = await holdImportedIds(t)
    const making = make({ signal: ended.signal, onDone: (record) => done.push(record) })
    await pollUntil('the worker is on the way', isHeld)
    ended.abort(new Error('the worker ends'))
    await letGo()
    await making
    t.match(await last(), { phase: 'running' })
    t.same(done, [])
    t.same(await sql`select tries from organization_imports where id = ${id}`, [{ tries: 0 }])
    await make()
    t.match(await last(), { id, phase: 'done' })
  },
)

t.test('[BRING11] an import that is cancelled on the way stops, and owners saw how far it was', async (t) => {
  const queue = await owner.register({ event_types: ['realm_import'] })
  const members = await server.as('member').register({ event_types: ['realm_import'] })
  const id = await bring(
    zipOf({ ...SLACK, 'channels.json': [{ id: 'C7', name: 'never', created: 1, members: [] }] }),
  )
  await make()
  const key = await keyOf(id)
  await owner.must('POST', `/realm/imports/${id}/start`)
  const { letGo } = await holdImportedIds(t)
  const making = make({ onDone: () => void letGo() })
  await pollUntil('an event of the progress', async () => {
    const events = (await owner.events(queue, {})) as readonly {
      import: { progress: { step: string } | null }
    }[]
    return events.some((one) => one.import.progress?.step === 'people')
  })
  t.match(await last(), { phase: 'running', progress: { step: 'people', messages: 0 } })
  await cancel(id)
  await making
  await letGo()
  t.match(await last(), { id, phase: 'cancelled', progress: null, bytes: null })
  t.ok(await isRemoved(key))
  t.equal(state.findChannelByName('never'), undefined)
  t.same(await server.as('member').events(members), [])
  // The report of the check is still there, and another import may begin.
  t.type((await reportOf(id)).estimated_minutes, 'number')
  await cancel(await begin())
})

t.test(
  '[BRING16] an import that has ended is not noted as cancelled, and its worker fails if it cannot notify',
  async (t) => {
    const id = await bring()
    const done: object[] = []
    const gone = new Error('the broadcast is away')
    const tell = async () => {
      if (sender.services.state.imports.find((one) => one.id === id)?.state.phase !== 'checked') return
      await setTimeout(1_500) // More than the period of what follows a run.
      throw gone
    }
    const own: Sender = Object.assign(Object.create(sender) as Sender, { tell })
    await t.rejects(make({ openSender: async () => own, onDone: (record) => done.push(record) }), gone)
    t.same(done, [])
    await sender.tell()
    await pollUntil('the server follows', async () => (await last()).phase === 'checked')
    await cancel(id)
  },
)

t.test(
  '[BRING12] the newest fifty imports are listed, and older ones leave with their reports',
  async (t) => {
    const { id } = await last()
    for (let count = 0; count < 50; count++) await cancel(await begin())
    const ids = (await listed()).map((one) => one.id)
    t.same(
      ids,
      Array.from({ length: 50 }, (_, index) => id + index + 1),
    )
    expectRefusal(t, await owner.get(`/realm/imports/${id}/report`), 'Invalid import ID')
    t.equal((await sql`select from organization_imports`).length, 50)
  },
)

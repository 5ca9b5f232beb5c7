/** Imports by a worker process that is killed on the way, and with archives in an object store. */

import { randomUUID } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { importKey } from '../../../db/imports/imported-ids.ts'
import { connect } from '../../../db/connection/connect.ts'
import { createLogger } from '../../../server/logger.ts'
import { findCopies } from '../../../workers/jobs/imports/local-archive.ts'
import { startWorker } from '../../../workers/worker.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import type { TestContext } from '../../harness/databases/create-database.ts'
import { startObjectStore } from '../../harness/files/start-object-store.ts'
import { makeZip } from '../../harness/files/write-zip.ts'
import { startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { startWorkerProcess } from '../../workers/start-worker-process.ts'
import { bringArchive } from './bring-archive.ts'

/** More than two batches. */
const MESSAGES = 1_200
const timeOf = (index: number) => `${1_700_000_000 + index}.000100`
const FILES = {
  'users.json': [{ id: 'U1', name: 'ann', profile: { real_name: 'Ann', email: 'ann@example.org' } }],
  'channels.json': [{ id: 'C1', name: 'long', created: 1_600_000_000, members: ['U1'] }],
  'long/2023-11-14.json': Array.from({ length: MESSAGES }, (_, index) => ({
    type: 'message',
    user: 'U1',
    ts: timeOf(index),
    text: `message ${index}`,
  })),
}
const ARCHIVE = makeZip(
  Object.entries(FILES).map(([name, value]) => ({ name, content: JSON.stringify(value) })),
)

/** Begins an import, brings its archive, and starts it once it is checked. */
async function begin(server: TestServer) {
  const owner = server.as('owner')
  const { id } = await owner.must('POST', '/realm/imports', { product: 'slack', file_name: 'slack.zip' })
  await bringArchive(owner, Number(id), ARCHIVE)
  const phase = async () => (await owner.must('GET', '/realm/imports')).imports.at(-1)?.phase
  const report = async () => (await owner.must('GET', `/realm/imports/${id}/report`)).report
  const start = async () => {
    await pollUntil('the check', async () => (await phase()) === 'checked')
    await owner.must('POST', `/realm/imports/${id}/start`)
  }
  return { id: Number(id), phase, report, start }
}

const textsOf = ({ node: { services } }: TestServer) => services.sql<{ content: string }[]>`
  select content from messages where content like 'message %'`

/** Makes the third batch of an import wait for a key, which never comes; resolves with what lets it go. */
async function holdLastMessage(t: TestContext, server: TestServer) {
  const holder = connect(server.databaseUrl, 1, 'parley-test')
  t.teardown(() => holder.end({ timeout: 0 }))
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = holder
    .begin(async (tx) => {
      const key = importKey('slack', 'message', 'C1', timeOf(MESSAGES - 1))
      await tx`insert into imported_ids (key, id) values (${key}, 0)`
      held.resolve()
      await released.promise
      throw new Error('let go')
    })
    .catch(() => undefined)
  await held.promise
  return async () => {
    released.resolve()
    await holding
  }
}

async function isHeld({ node: { services } }: TestServer): Promise<boolean> {
  const waits = await services.sql`select from pg_stat_activity
    where datname = current_database() and wait_event = 'transactionid'`
  return waits.length > 0
}

t.test('[BRING13] a worker process that is killed on the way is followed by one that goes on', async (t) => {
  const server = await startTestServer(t)
  const settings = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataFolder,
    PUBLIC_URL: server.node.url,
  }
  const one = await begin(server)
  const worker = startWorkerProcess(t, settings)
  const letGo = await holdLastMessage(t, server)
  await one.start()
  await pollUntil('the worker is on the way', () => isHeld(server))
  const before = (await textsOf(server)).length
  t.ok(before >= 500 && before < MESSAGES, `${before} messages`)
  await worker.kill()
  await letGo()
  t.equal(await one.phase(), 'running')
  startWorkerProcess(t, settings)
  await pollUntil('the import is done', async () => (await one.phase()) === 'done')
  const texts = (await textsOf(server)).map(({ content }) => content)
  t.equal(texts.length, MESSAGES)
  t.equal(new Set(texts).size, MESSAGES, 'none twice')
  const report = await one.report()
  t.equal(report.messages + report.already_imported, MESSAGES)
  t.ok(report.already_imported >= before)
})

t.test('[BRING14] an archive in an object store is read from a copy, which is removed again', async (t) => {
  const s3 = await startObjectStore(t)
  const server = await startTestServer(t, { env: { FILES_URL: s3.address('imports') } })
  const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
  t.teardown(() => worker.close())
  const one = await begin(server)
  await one.start()
  await pollUntil('the import is done', async () => (await one.phase()) === 'done')
  t.equal((await textsOf(server)).length, MESSAGES)
  const { messages, places } = await one.report()
  t.equal(messages, MESSAGES)
  t.match(places, [{ name: 'long', messages: MESSAGES, members: 1, left_out: [] }])
  const { sql } = server.node.services
  const [row] = await sql`select from tus_uploads join removed_files using (key)`
  t.ok(row, 'the archive is to be removed')
  t.same(await findCopies(sql), [])
  await worker.close()
})

t.test(
  '[BRING15] the copy of a killed worker is for its user alone, and the next worker removes it',
  async (t) => {
    const s3 = await startObjectStore(t)
    const server = await startTestServer(t, { env: { FILES_URL: s3.address('imports') } })
    const folder = await makeFolder(t)
    const settings = {
      DATABASE_URL: server.databaseUrl,
      FILES_URL: s3.address('imports'),
      PUBLIC_URL: server.node.url,
      TMPDIR: folder,
    }
    const others = `parley-archive-${randomUUID()}-abcdef`
    await mkdir(join(folder, others))
    const copies = async () => (await readdir(folder)).filter((name) => name !== others)
    const one = await begin(server)
    const worker = startWorkerProcess(t, settings)
    const letGo = await holdLastMessage(t, server)
    await one.start()
    await pollUntil('the worker is on the way', () => isHeld(server))
    const [copy = ''] = await copies()
    t.equal((await stat(join(folder, copy))).mode & 0o777, 0o700)
    t.equal((await stat(join(folder, copy, 'archive'))).size, ARCHIVE.length)
    await worker.kill()
    await letGo()
    t.same(await copies(), [copy])
    // Nobody works on this import any more.
    await server.as('owner').must('DELETE', `/realm/imports/${one.id}`)
    startWorkerProcess(t, settings)
    await pollUntil('the copy is removed', async () => (await copies()).length === 0)
    t.same(await readdir(folder), [others], 'that of another organization stays')
  },
)

/** Restores that must be refused, fail, or be interrupted, and backups of earlier releases. */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { openSnapshot } from '../../db/backup/backup-snapshot.ts'
import { connect } from '../../db/connection/connect.ts'
import { applyMissing, checkSchema, listOwn, migrate } from '../../db/migrate.ts'
import { ArchiveReader } from '../../server/admin/archive-reader.ts'
import { ArchiveWriter } from '../../server/admin/archive-writer.ts'
import { backUp } from '../../server/admin/back-up.ts'
import { END_NAME, HEAD_NAME } from '../../server/admin/backup-format.ts'
import { openBackup, restore } from '../../server/admin/restore.ts'
import { DiskFileStore } from '../../server/files/disk-file-store.ts'
import { loadState } from '../../server/state/load-state.ts'
import { removeUnusedUploads } from '../../workers/jobs/upkeep/remove-unused-uploads.ts'
import { createDatabase, type TestContext } from '../harness/databases/create-database.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { runEntry } from '../start/run-entry.ts'

const UNFINISHED = /a restore of the database is running, or did not finish: restore it again/
const server = await startTestServer(t)
const member = server.as('member')
const folder = await makeFolder(t)
const path = join(folder, 'whole.tar.zst')
const { fileStore } = server.node.services
await member.subscribe(['general'])
const url = await mustPostFile(member, 'some bytes', 'bytes.txt')
const key = url.split('/').slice(3, 5).join('/')
await member.send('general', 'topic', `[bytes](${url})`)
// Incompressible, so that a cut archive still has its beginning.
await mustPostFile(member, randomBytes(1_000_000), 'random.bin')
await backUp({ databaseUrl: server.databaseUrl, fileStore, path })
const whole = await readFile(path)
const middle = Math.floor(whole.length / 2)

/** A new place for a restore, and the restore. */
async function prepare(t: TestContext, template: 'empty' | 'people' = 'empty') {
  const databaseUrl = await createDatabase(t, template)
  const sql = connect(databaseUrl, 1, 'test')
  const dataFolder = await makeFolder(t)
  t.teardown(() => sql.end())
  const own = new DiskFileStore(join(dataFolder, 'uploads'))
  const run = async (from: string, isReplacing = false) =>
    restore(await openBackup(from), { path: from, isReplacing, databaseUrl, fileStore: own })
  const count = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from messages`)[0]?.count
  return { databaseUrl, dataFolder, sql, fileStore: own, run, count }
}

/** Writes a variation of the backup. */
async function vary(
  name: string,
  change: (
    entry: { name: string; bytes: Buffer },
    sha256: string,
  ) => { name: string; bytes: Buffer } | undefined,
): Promise<string> {
  const varied = join(folder, name)
  const writer = await ArchiveWriter.open(varied)
  const reader = new ArchiveReader(path)
  let isEnded = false
  for (let entry = await reader.next(); entry; entry = await reader.next()) {
    const parts: Uint8Array[] = []
    for await (const chunk of entry.bytes()) parts.push(chunk)
    const changed = change({ name: entry.name, bytes: Buffer.concat(parts) }, '')
    if (entry.name === END_NAME) {
      const end = JSON.parse(Buffer.concat(parts).toString()) as { sha256: string }
      await writer.end(END_NAME, (sha256) => (changed ? { ...end, sha256 } : end))
      isEnded = true
    } else if (changed) await writer.add(changed.name, changed.bytes.length, [changed.bytes])
  }
  if (!isEnded) throw new Error('the backup has no end')
  return varied
}

t.test('[BACKUP5] a file that is no backup is refused before anything happens', async (t) => {
  const cases: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    text: Buffer.from('a text that is no backup\n'.repeat(100)),
    'another file': await readFile(join(import.meta.dirname, '../../package-lock.json')),
    'the first bytes': whole.subarray(0, 20),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    const wrong = join(folder, `${name}.wrong`)
    await writeFile(wrong, bytes)
    await t.rejects(
      openBackup(wrong),
      { name: 'BackupError', message: 'this is not a backup of Parley' },
      name,
    )
  }
  const none = join(folder, 'none')
  await t.rejects(openBackup(none), { name: 'BackupError', message: `there is no file ${none}` })
  await t.rejects(openBackup(folder), {
    name: 'BackupError',
    message: /^\S+ is a folder: name a backup file/,
  })
  await t.rejects(ArchiveWriter.open(join(none, 'file')), { message: `there is no folder ${none}` })
  const other = join(folder, 'other.tar.zst')
  const writer = await ArchiveWriter.open(other)
  await writer.end('some.json', () => ({ format: 'another' }))
  await t.rejects(openBackup(other), /this is not a backup of Parley/)
  const bare = join(folder, 'bare.tar.zst')
  const begun = await ArchiveWriter.open(bare)
  await begun.end(HEAD_NAME, () => ({ format: 'parley-backup', version: 1, migrations: [] }))
  await t.rejects(openBackup(bare), /this is not a backup of Parley/)
})

t.test('[BACKUP6] a backup of a newer release or format is refused', async (t) => {
  const head =
    (change: (head: { version: number; migrations: unknown[] }) => void) =>
    (entry: { name: string; bytes: Buffer }) => {
      if (entry.name !== HEAD_NAME) return entry
      const parsed = JSON.parse(entry.bytes.toString())
      change(parsed)
      return { ...entry, bytes: Buffer.from(JSON.stringify(parsed)) }
    }
  const format = await vary(
    'format',
    head((one) => (one.version = 2)),
  )
  await t.rejects(openBackup(format), /from a newer release, in format 2/)
  const schema = await vary(
    'schema',
    head((one) => one.migrations.push('9999-later.sql')),
  )
  await t.rejects(openBackup(schema), /from a newer release, with 9999-later.sql/)
})

t.test(
  '[BACKUP7] a cut or damaged backup leaves a database that refuses to serve until it is restored',
  async (t) => {
    const place = await prepare(t)
    const damaged = {
      'nearly all': whole.subarray(0, -10),
      changed: Buffer.from(whole).fill(7, middle, middle + 8),
    }
    for (const [name, bytes] of Object.entries(damaged)) {
      const cut = join(folder, `${name}.cut`)
      await writeFile(cut, bytes)
      await t.rejects(place.run(cut), { name: 'BackupError' }, name)
      await t.rejects(checkSchema(place.sql), UNFINISHED, name)
      await t.rejects(migrate(place.sql), UNFINISHED, name)
    }
    const isFile = ({ name }: { name: string }) => name.startsWith('files/')
    const cases = {
      'without a file': await vary('short', (entry) =>
        isFile(entry) || entry.name === END_NAME ? undefined : entry,
      ),
      'with a changed file': await vary('changed', (entry) => {
        if (isFile(entry)) return { ...entry, bytes: Buffer.alloc(entry.bytes.length, 'x') }
        return entry.name === END_NAME ? undefined : entry
      }),
    }
    for (const [name, varied] of Object.entries(cases))
      await t.rejects(place.run(varied), /damaged: its checksum does not match/, name)
    for (const name of ['files/../../x', 'files/ab/0123456789abcdefg.part']) {
      const foreign = await vary('foreign', (entry) => (isFile(entry) ? { ...entry, name } : entry))
      await t.rejects(place.run(foreign), /unknown part/, name)
      await rm(foreign)
    }

    // A restore that failed may have written it.
    const wrong = Readable.from([Buffer.alloc('some bytes'.length, 'x')])
    await place.fileStore.write(key, wrong, 100)
    t.match(await place.run(path), { files: 2 })
    await checkSchema(place.sql)
    t.equal(await place.count(), 1)
    t.equal(Buffer.from(await place.fileStore.readAll(key, 100)).toString(), 'some bytes')
  },
)

t.test('[BACKUP8] after a restore was killed, no process starts until it is repeated', async (t) => {
  const place = await prepare(t)
  const main = join(import.meta.dirname, '../../server/admin/main.ts')
  const child = spawn(process.execPath, [main, 'restore', '-'], {
    env: {
      PATH: process.env.PATH,
      ...moduleSettings(),
      DATABASE_URL: place.databaseUrl,
      DATA_DIR: place.dataFolder,
    },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  child.stdin.write(whole.subarray(0, -10))
  await pollUntil('it has stored the file', async () => (await place.fileStore.size(key)) === 10)
  t.match(await place.run(path).catch((error: unknown) => error), { message: /in use by parley-restore/ })
  child.kill('SIGKILL')
  await once(child, 'exit')
  await pollUntil('it is disconnected', async () => {
    const others = await place.sql`
      select from pg_stat_activity where datname = current_database() and application_name = 'parley-restore'`
    return others.count === 0
  })
  const settings = { DATABASE_URL: place.databaseUrl, DATA_DIR: place.dataFolder, PORT: '0' }
  t.match(await runEntry(t, 'server/main.ts', settings), { code: 1, stderr: UNFINISHED })
  await place.run(path)
  t.equal(await place.count(), 1)
})

t.test('[BACKUP9] a database with data is replaced only on request, and only as a whole', async (t) => {
  const place = await prepare(t, 'people')
  await place.sql`insert into uploads (owner_id, path, name, state) values (1, '2/ab/0123456789abcdefg/x', 'x', 'whole')`
  await t.rejects(place.run(path), /not empty; --replace removes everything/)
  await t.rejects(place.run(join(folder, 'nearly all.cut'), true), { name: 'BackupError' })
  await checkSchema(place.sql)
  t.equal(await place.count(), 0, 'a replacement that fails changes nothing')
  t.equal((await loadState(place.sql)).users.size, 7)
  await place.run(path, true)
  t.equal(await place.count(), 1)
  const removed = await place.sql`select key from removed_files`
  t.match(removed, [{ key: 'ab/0123456789abcdefg' }], 'the earlier files are removed by the next upkeep')
})

t.test('[BACKUP10] a database that a server uses is not touched', async (t) => {
  const run = async () =>
    restore(await openBackup(path), {
      path,
      isReplacing: true,
      databaseUrl: server.databaseUrl,
      fileStore,
    })
  await t.rejects(run(), /in use by parley-.*: stop the server first/)
  t.equal((await member.get('/users/me')).status, 200)
})

t.test('[BACKUP11] a backup of an earlier release is migrated', async (t) => {
  const old = await prepare(t)
  await old.sql.unsafe('drop schema public cascade; create schema public; create extension pg_trgm')
  const earlier = (await listOwn()).filter((name) => name < '0024')
  await old.sql.begin((tx) => applyMissing(tx, earlier))
  await old.sql`update event_counter set last_id = 9`
  await old.sql`
    insert into users (id, email, full_name, role, is_active, timezone, joined_at, avatar_version)
    values (1, 'a@example.com', 'A\tb\nc\\d', 400, true, '', 0, 1)`
  await old.sql`
    insert into channels (id, name, description, rendered_description, created_at, is_private, is_history_public)
    values (1, 'c', '', '', 0, false, true)`
  await old.sql`
    insert into messages (id, channel_id, topic, sender_id, content, rendered, sent_at, client)
    values (9, 1, 't', 1, 'c', '<p>c</p>', 5, 'x')`
  const before = join(folder, 'earlier.tar.zst')
  await backUp({ databaseUrl: old.databaseUrl, fileStore: old.fileStore, path: before })
  const place = await prepare(t)
  const { migrated } = (await place.run(before)) as { migrated: string[] }
  t.equal(migrated[0], '0024-search-index.sql')
  await checkSchema(place.sql)
  t.equal(await place.count(), 1)
  t.equal((await loadState(place.sql)).users.get(1 as never)?.fullName, 'A\tb\nc\\d')
})

t.test('[BACKUP60] a restored database signs addresses with new secrets', async (t) => {
  const secrets = (one: typeof server.node.services.sql) =>
    one`select secret, picture_secret from upload_secrets`
  const [former] = await secrets(server.node.services.sql)
  const place = await prepare(t)
  await place.run(path)
  const rows = await secrets(place.sql)
  t.equal(rows.length, 1)
  for (const name of ['secret', 'picture_secret']) {
    t.equal(rows[0]?.[name].length, 32)
    t.notSame(rows[0]?.[name], former?.[name], name)
  }
  t.notSame(rows[0]?.['secret'], rows[0]?.['picture_secret'])
})

t.test('[BACKUP62] a restored server sends no old notifications', async (t) => {
  const { sql } = server.node.services
  await sql`insert into pending_notifications (way, user_id, message_id, trigger, due_at)
    values ('mail', 1, 1, 'mention', now())`
  await sql`insert into pushes (id, user_id, message_id, asked_at) overriding system value values (1, 1, 1, now())`
  await sql`insert into mails (kind, recipient) values ('messages', 'a@example.com'), ('invitation', 'b@example.com')`
  const place = await prepare(t)
  const later = join(folder, 'later.tar.zst')
  await backUp({ databaseUrl: server.databaseUrl, fileStore, path: later })
  await place.run(later)
  t.same([...(await place.sql`select from pending_notifications`)], [])
  t.same([...(await place.sql`select from pushes`)], [])
  const due =
    await place.sql`select recipient from mails where recipient like '_@example.com' and due_at is not null`
  t.same(
    due.map(({ recipient }) => recipient),
    ['b@example.com'],
  )
})

t.test('[BACKUP12] a restored database has every index, constraint, trigger and sequence', async (t) => {
  const place = await prepare(t)
  await place.run(path)
  const parts = (sql: typeof place.sql) => sql`
    select 'index' as kind, indexdef as definition from pg_indexes where schemaname = 'public'
    union all select 'constraint', conrelid::regclass::text || pg_get_constraintdef(oid) from pg_constraint where conrelid <> 0
    union all select 'trigger', tgenabled::text || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select 'sequence', sequencename || coalesce(last_value, 0) from pg_sequences where schemaname = 'public'
    order by 1, 2`
  t.strictSame([...(await parts(place.sql))], [...(await parts(server.node.services.sql))])
})

t.test('[BACKUP13] files that are deleted while a backup runs stay until it ends', async (t) => {
  const deleted = await mustPostFile(member, 'deleted meanwhile', 'deleted.txt')
  const deletedKey = deleted.split('/').slice(3, 5).join('/')
  const { sql } = server.node.services
  const snapshot = await openSnapshot(server.databaseUrl)
  try {
    const [row] = await sql<{ id: number }[]>`select id from uploads where name = 'deleted.txt'`
    await member.must('DELETE', `/attachments/${row?.id}`)
    await removeUnusedUploads(sql, fileStore, new Date())
    const keys: string[] = []
    for (const table of snapshot.head.tables) for await (const _ of await snapshot.copy(table)) continue
    for await (const { key: one } of snapshot.files()) keys.push(one)
    t.ok(keys.includes(deletedKey))
    t.equal(await fileStore.size(deletedKey), 17)
  } finally {
    await snapshot.close()
  }
  await pollUntil('the backup is over', async () => {
    await removeUnusedUploads(sql, fileStore, new Date())
    return (await fileStore.size(deletedKey)) === undefined
  })
})

t.test('[BACKUP14] a file that is missing for another reason is named, and the backup goes on', async (t) => {
  const lost = await mustPostFile(member, 'lost', 'lost.txt')
  await fileStore.remove(lost.split('/').slice(3, 5).join('/'))
  const partly = join(folder, 'partly.tar.zst')
  const made = await backUp({ databaseUrl: server.databaseUrl, fileStore, path: partly })
  t.match(made, { files: 2, missing_files: 1 })
  const size = fileStore.size.bind(fileStore)
  fileStore.size = async (key) => (await size(key)) ?? 4
  const late = join(folder, 'late.tar.zst')
  const without = await backUp({ databaseUrl: server.databaseUrl, fileStore, path: late })
  fileStore.size = size
  t.match(without, { files: 2, missing_files: 1 }, 'also one that goes while it is looked for')
  const place = await prepare(t)
  t.match(await place.run(partly), { missing_files: 1 })
})

t.test('[BACKUP15] a backup that fails leaves no file', async (t) => {
  const none = await prepare(t)
  await none.sql.unsafe('drop schema public cascade; create schema public')
  const target = join(folder, 'none.tar.zst')
  await t.rejects(backUp({ ...none, path: target }), /the database is empty/)
  await mkdir(join(folder, 'blocked.tar.zst.partial'))
  const blocked = join(folder, 'blocked.tar.zst')
  await t.rejects(backUp({ databaseUrl: server.databaseUrl, fileStore, path: blocked }), /EISDIR/)
  for (const one of [target, blocked]) await t.rejects(stat(one), /ENOENT/)
})

t.test('[BACKUP63] a backup has what a legal hold keeps, and a restored server keeps it on', async (t) => {
  const owner = server.as('owner')
  const { sql } = server.node.services
  const { legal_hold_id: holdId } = await owner.must('POST', '/legal_holds', {
    name: 'Case',
    reason: 'A case',
    whole_organization: true,
  })
  const held = await mustPostFile(member, 'held bytes', 'held.txt')
  const heldKey = held.split('/').slice(3, 5).join('/')
  const id = await member.send('general', 'topic', `[held](${held})`)
  await owner.must('DELETE', `/messages/${id}`)
  await removeUnusedUploads(sql, fileStore, new Date())
  const later = join(folder, 'held.tar.zst')
  await backUp({ databaseUrl: server.databaseUrl, fileStore, path: later })
  const place = await prepare(t)
  await place.run(later)
  t.same([...(await place.sql`select id from kept_messages`)], [{ id }])
  t.equal((await loadState(place.sql)).holds[0]?.id, holdId)
  // It is replaced by itself: the upkeep removes no bytes that only the hold names.
  await place.run(later, true)
  t.same([...(await place.sql`select key from removed_files`)], [])
  await removeUnusedUploads(place.sql, place.fileStore, new Date())
  t.equal(await place.fileStore.size(heldKey), 10)
  await owner.must('DELETE', `/legal_holds/${holdId}`)
})

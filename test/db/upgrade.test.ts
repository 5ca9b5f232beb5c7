/** A database of each earlier release is migrated to the schema of today, and people find there what they had. */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { checkSchema, listOwn, migrate } from '../../db/migrate.ts'
import { check } from '../../server/admin/check.ts'
import { readConfig } from '../../server/config.ts'
import { createLogger } from '../../server/logger.ts'
import { startNode } from '../../server/node/node.ts'
import { Client } from '../harness/client/client.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { runEntry } from '../start/run-entry.ts'

const DUMPS = join(import.meta.dirname, 'releases')
/** The releases, with the first change of the schema that each lacks; undefined for none yet. */
const RELEASES = [
  { release: '0.1.0', missing: '0061-channel-pins.sql' },
  { release: '0.2.0', missing: '0094-legal-holds.sql' },
] as const
/** The people of the databases, each of which was the one before, upgraded and used. */
const ADA = { id: 1, email: 'ada@example.com', key: 'dglrXlUMSkdYAuZfxR3kHBNJhlMolI7V' }
const GRACE = { id: 2, email: 'grace@example.com', key: 'EwSuyQSuKfsfeXnU0OGlWiYDnjs1mqpo' }
/** A key of a program of Ada's, which only reads. */
const PROGRAM_KEY = '0hCPVuxNbwM5qZKrCj89ce7TkKKx3RF0'
const NOTES = 'uploads/71/canJDvuHyLF6xHUEJmrJYCjx'

/** All that a schema says about its tables, in an order of its own. */
async function describeSchema(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
    from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select concat_ws(' ', tgrelid::regclass, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
    union all select concat_ws(' ', p.oid::regprocedure, p.prosrc) from pg_proc p
    where pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`
  return rows.map(({ line }) => line).sort()
}

const databaseUrl = await createDatabase(t)
const sql = connect(databaseUrl, 1, 'parley-test')
t.teardown(() => sql.end())
const today = await describeSchema(sql)

async function restore(release: string): Promise<void> {
  await sql.unsafe('drop schema public cascade; create schema public')
  await sql.unsafe(await readFile(join(DUMPS, `${release}.sql`), 'utf8'))
  await sql.unsafe('reset all')
}

t.test('[UPGRADED1] a database of an earlier release gets the schema of an empty one of today', async (t) => {
  for (const { release, missing } of RELEASES) {
    await restore(release)
    if (missing !== undefined)
      await t.rejects(checkSchema(sql), {
        message: new RegExp(`^the database lacks ${missing}(, .*)?: run the release command$`),
      })
    const applied = await migrate(sql)
    t.equal(applied[0], missing, release)
    const rows = await sql<{ name: string }[]>`select name from migrations order by name`
    t.strictSame(
      rows.map(({ name }) => name),
      await listOwn(),
    )
    t.ok(today.length > 300, `${today.length} lines`)
    t.strictSame(await describeSchema(sql), today)
    t.strictSame(await migrate(sql), [], 'a second time changes nothing')
  }
})

t.test('[UPGRADED4] every release that the changelog names has a database here', async (t) => {
  const changelog = await readFile(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  const named = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, release]) => release)
  const kept = (await readdir(DUMPS)).flatMap((file) => /^(.*)\.sql$/.exec(file)?.slice(1) ?? [])
  t.strictSame(new Set(kept), new Set(named))
  t.strictSame(new Set(RELEASES.map(({ release }) => release)), new Set(named))
})

t.test('[UPGRADED2] its people find what they had, and write on', async (t) => {
  for (const { release } of RELEASES)
    await t.test(release, async (t) => {
      await restore(release)
      await migrate(sql)
      await checkContents(t)
    })
})

t.test('[UPGRADED3] pins and the keys of programs of 0.2.0 stay', async (t) => {
  await restore('0.2.0')
  await migrate(sql)
  const { ada } = await openServer(t)
  t.match(await ada.must('GET', '/streams/1/pins'), { pins: [{}] })
  t.match(await ada.must('GET', '/users/me/keys'), { keys: [{ name: 'Build', scope: 'read' }] })
  const program = new Client(ada.url, ADA.id, ADA.email, PROGRAM_KEY)
  t.equal((await program.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).status, 200)
  t.equal((await program.post('/typing', { op: 'start', to: [GRACE.id] })).status, 403)
})

t.test(
  '[UPGRADED5] with a folder for backups, an upgrade makes one first, and the older data is in it',
  async (t) => {
    const folder = await makeFolder(t)
    const settings = await settingsOf(t, folder)
    await restore('0.1.0')
    const ended = await runEntry(t, 'server/release.ts', settings)
    t.equal(ended.code, 0, ended.stderr)
    const [, path = ''] = /^backed up to (.*)\nmigrated: 0061-channel-pins\.sql, /.exec(ended.stdout) ?? []
    t.match(path, new RegExp(`^${folder}/before-\\d+\\.\\d+\\.\\d+-\\d{8}T\\d{6}\\.\\d{3}Z\\.tar\\.zst$`))
    await checkSchema(sql)
    t.match(await runEntry(t, 'server/release.ts', settings), { code: 0, stdout: 'nothing to migrate\n' })
    await sql.unsafe('drop schema public cascade; create schema public')
    t.match(await runEntry(t, 'server/release.ts', settings), { code: 0, stdout: /^migrated: 0001/ })
    t.strictSame(await readdir(folder), [basename(path)], 'nothing to lose, no backup')
    const url = await createDatabase(t)
    const elsewhere = { ...settings, DATABASE_URL: url }
    const restored = await runEntry(t, 'server/admin/main.ts', elsewhere, ['restore', '--replace', path])
    t.equal(restored.code, 0, restored.stderr)
    await checkContents(t, url)
  },
)

t.test('[UPGRADED6] without a whole backup nothing is migrated', async (t) => {
  const folder = await makeFolder(t)
  const settings = await settingsOf(t, folder)
  await restore('0.1.0')
  const before = await describeSchema(sql)
  const nowhere = { ...settings, UPGRADE_BACKUP_DIR: join(folder, 'nowhere') }
  for (const entry of ['server/release.ts', 'server/start.ts'])
    t.match(
      await runEntry(t, entry, nowhere),
      {
        code: 1,
        stdout: '',
        stderr:
          /^parley: the database stays as it is: UPGRADE_BACKUP_DIR asks for a backup, which failed: there is no folder \S+nowhere\n$/,
      },
      entry,
    )
  const missing = await runEntry(t, 'server/release.ts', { ...settings, DATA_DIR: await makeFolder(t) })
  t.equal(missing.code, 1)
  t.match(missing.stderr, /a backup, which failed: \S+ lacks 1 of the files\n/)
  t.strictSame(await describeSchema(sql), before)
})

/** The settings of a server of the restored database, with its file. */
async function settingsOf(t: Test, backups: string) {
  const data = await makeFolder(t)
  await mkdir(join(data, NOTES), { recursive: true })
  await writeFile(join(data, NOTES, 'original'), 'twelve bytes')
  return { DATABASE_URL: databaseUrl, DATA_DIR: data, UPGRADE_BACKUP_DIR: backups, PORT: '0' }
}

async function openServer(t: Test, url = databaseUrl) {
  const folder = await makeFolder(t)
  await mkdir(join(folder, NOTES), { recursive: true })
  await writeFile(join(folder, NOTES, 'original'), 'twelve bytes')
  const node = await startNode({
    config: { ...readConfig({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' }), databaseUrl: url },
    logger: createLogger('silent'),
  })
  t.teardown(() => node.close())
  const [ada, grace] = [ADA, GRACE].map(({ id, email, key }) => new Client(node.url, id, email, key)) as [
    Client,
    Client,
  ]
  return { node, ada, grace }
}

async function checkContents(t: Test, url = databaseUrl): Promise<void> {
  const { node, ada, grace } = await openServer(t, url)
  const { state: fields } = await grace.register()
  t.match(fields, {
    realm_name: 'Old Team',
    realm_description: 'A team since **0.1.0**',
    alert_words: ['minutes'],
  })
  t.strictSame(
    fields.subscriptions.map(({ name }: { name: string }) => name),
    ['plans'],
  )
  t.equal(fields.user_settings.enable_sounds, false)
  t.match(fields.drafts, [{ content: 'Not sent yet' }])
  t.match(fields.scheduled_messages, [{ content: 'Much later' }])
  const page = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false }
  const { messages } = await grace.must('GET', '/messages', page)
  const [notice, question, answer] = messages
  t.match(notice?.content, /^\*\*Public\*\* channel created by/)
  t.strictSame(
    messages.slice(1).map(({ content }) => content),
    [
      'Who writes the **minutes** this week?',
      'I do, @**Ada**. See https://example.com/minutes',
      '```js\nlet built = true\n```',
      'A word in private',
      '[notes.txt](/user_uploads/1/71/canJDvuHyLF6xHUEJmrJYCjx/notes.txt)',
    ],
    'without what was deleted, and what others wrote in private',
  )
  t.ok(question?.flags.includes('starred'), 'a star stays')
  t.match(answer?.reactions, [{ emoji_name: 'tada', user_id: ADA.id }])
  const { message_history: history } = await grace.must('GET', `/messages/${question?.id}/history`)
  t.match(history, [
    { content: 'Who writes the **minutes**?' },
    { prev_content: 'Who writes the **minutes**?' },
  ])
  const found = await ada.must('GET', '/messages', {
    ...page,
    narrow: [{ operator: 'search', operand: 'minutes' }],
  })
  t.equal(found.messages.length, 2, 'searches find old messages')
  const file = await fetch(`${node.url}/user_uploads/1/71/canJDvuHyLF6xHUEJmrJYCjx/notes.txt`, {
    headers: { authorization: ada.authorization },
  })
  t.equal(await file.text(), 'twelve bytes')
  t.match(await ada.must('GET', '/saved_snippets'), { saved_snippets: [{ title: 'Hello' }] })
  t.match(await ada.must('GET', '/user_groups'), { user_groups: [{}] })

  const queue = await grace.register({ event_types: ['message'] })
  const id = await ada.send('plans', 'Autumn', 'Written after the upgrade')
  t.match(await grace.events(queue), [{ message: { id, content: /Written after the upgrade/ } }])
  const result = await check(url, node.services.fileStore)
  t.strictSame(result.differences, [], 'tables, log, memory and files agree')
  t.match(result, { is_log_complete: true, processes: 1, files: 1 })
}

/** Backups, restores and checks of a server whose files are in an object store. */

import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readConfig } from '../../server/config.ts'
import { openFileStore } from '../../server/files/open-file-store.ts'
import { startWebProcess } from '../cluster/start-web-process.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase, type TestContext } from '../harness/databases/create-database.ts'
import { startObjectStore } from '../harness/files/start-object-store.ts'
import { ACCOUNTS, emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { makeFolder, tus } from '../harness/client/tus.ts'
import { drawImage } from '../harness/client/upload.ts'
import { getFile, mustPostFile, thumbnailOf } from '../harness/client/user-files.ts'
import { runEntry } from '../start/run-entry.ts'

const MIB = 1024 * 1024
const s3 = await startObjectStore(t)
const folder = await makeFolder(t)
const path = join(folder, 'backup.tar.zst')
const FILES_URL = s3.address('origin')
const server = await startTestServer(t, { env: { FILES_URL } })
const member = server.as('member')
const here = { DATABASE_URL: server.databaseUrl, DATA_DIR: await makeFolder(t), FILES_URL }
const admin = (settings: Record<string, string>, ...args: string[]) =>
  runEntry(t, 'server/admin/main.ts', settings, args)
const keyOf = (url: string) => url.split('/').slice(3, 5).join('/')
const objectsOf = async (prefix: string) =>
  (await s3.objects()).filter((name) => name.startsWith(`${prefix}/`))

/** The uploaded files, by address. The second needs several parts. */
const files = new Map<string, Buffer>()
for (const [name, bytes] of [
  ['notes.txt', Buffer.from('some bytes')],
  ['plan.bin', randomBytes(11 * MIB + 5)],
  ['red.png', await drawImage('red', { width: 900, height: 700 })],
] as const)
  files.set(await mustPostFile(member, bytes, name), bytes)
files.set((await tus(member, 'POST', '', { 'upload-length': 0 })).body.url, Buffer.alloc(0))
const [notes = '', , picture = ''] = [...files.keys()]
await member.subscribe(['general'])
await member.send('general', 'topic', `[notes](${notes})`)
await getFile(member, thumbnailOf(picture))

/** An empty database and an empty disk. */
async function prepare(context: TestContext, more: Record<string, string> = {}) {
  const databaseUrl = await createDatabase(context)
  return { DATABASE_URL: databaseUrl, DATA_DIR: await makeFolder(context), ...more }
}

await t.test('[BACKUP17] a backup holds the files of the object store', async (t) => {
  t.equal((await objectsOf('origin')).length, files.size + 1, 'with a thumbnail')
  const { code, stdout } = await admin(here, 'backup', path)
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { files: files.size, missing_files: 0 })
  const checked = await admin(here, 'check')
  t.equal(checked.code, 0)
  t.match(JSON.parse(checked.stdout), { ok: true, files: files.size, differences: [] })
})

await t.test('[BACKUP41] a backup without files ends with 1 and names the settings', async (t) => {
  const { FILES_URL: _, ...without } = here
  const all = await admin(without, 'backup', join(folder, 'without-files.tar.zst'))
  t.match(JSON.parse(all.stdout), { files: 0, missing_files: files.size })
  const none = `backup: none of the ${files.size} files is where the settings say: use the FILES_URL and DATA_DIR`
  t.equal(all.code, 1)
  t.ok(all.stderr.includes(none), all.stderr)

  const [kept = ''] = files.keys()
  const there = { ...without, DATA_DIR: await makeFolder(t) }
  const place = await openFileStore({ ...readConfig({ DATA_DIR: there.DATA_DIR }) })
  await place.write(keyOf(kept), [files.get(kept)] as never, MIB)
  const some = await admin(there, 'backup', join(folder, 'with-one-file.tar.zst'))
  t.equal(some.code, 1)
  t.match(JSON.parse(some.stdout), { files: 1, missing_files: files.size - 1 })
  t.match(some.stderr, /backup: \d of the \d files are not where the settings say: use the FILES_URL/)
})

/** Restores the backup into another place, and compares each file there. */
async function checkPlace(t: Test, more: Record<string, string>): Promise<void> {
  const there = await prepare(t, more)
  const ending = await admin(there, 'restore', path)
  t.equal(ending.code, 0)
  t.match(JSON.parse(ending.stdout), { files: files.size, missing_files: 0 })
  t.same(await s3.uploads(), [], 'no part is left over')

  const web = await startWebProcess(t, there)
  const client = new Client(web.url, member.userId, emailOf('member'), ACCOUNTS.get('member')?.key ?? '')
  for (const [url, bytes] of files) {
    const got = await getFile(client, url)
    t.equal(got.status, 200, url)
    t.ok(bytes.equals(got.bytes), url)
  }
  t.equal((await getFile(client, thumbnailOf(picture))).status, 200, 'thumbnails are made again')
  const fresh = await mustPostFile(client, 'a new file', 'new.txt')
  t.equal((await getFile(client, fresh)).bytes.toString(), 'a new file')
  const checked = await admin(there, 'check')
  t.equal(checked.code, 0)
  t.match(JSON.parse(checked.stdout), { ok: true, processes: 1, files: files.size + 1, differences: [] })
  await web.stop()

  const onDisk = (await readdir(there.DATA_DIR, { recursive: true })).filter((name) =>
    name.endsWith(keyOf(fresh)),
  )
  const isInStore = 'FILES_URL' in more
  t.equal(onDisk.length, isInStore ? 0 : 1)
  t.equal(
    (await objectsOf('fresh')).some((name) => name.includes(keyOf(fresh))),
    isInStore,
  )
}

t.test('[BACKUP18] files of a store are restored into another store and served from it', (t) =>
  checkPlace(t, { FILES_URL: s3.address('fresh') }),
)

t.test('[BACKUP20] files of a store are restored into a folder and served from it', (t) => checkPlace(t, {}))

t.test('[CHECK7] missing and cut objects of the store are found', async (t) => {
  const there = await prepare(t, { FILES_URL: s3.address('harmed') })
  t.equal((await admin(there, 'restore', path)).code, 0)
  const store = await openFileStore(readConfig(there))
  const cut = async function* () {
    yield Buffer.from('cut')
  }
  await store.write(keyOf(notes), cut(), 100)
  await store.remove(keyOf(picture))
  const { code, stdout } = await admin(there, 'check')
  t.equal(code, 1)
  t.strictSame(
    JSON.parse(stdout).differences.sort((a: { text: string }, b: { text: string }) =>
      a.text < b.text ? -1 : 1,
    ),
    [
      { kind: 'file', text: 'the bytes of these uploads are missing', ids: [keyOf(picture)] },
      { kind: 'file', text: 'the bytes of these uploads have the wrong length', ids: [keyOf(notes)] },
    ],
  )
})

t.test('[BACKUP19] a store that is away ends backups and restores, which can be repeated', async (t) => {
  const away = 's3://key:secret@files/away?endpoint=http://127.0.0.1:1'
  const partial = join(folder, 'partial.tar.zst')
  const backup = await admin({ ...here, FILES_URL: away }, 'backup', partial)
  t.match(backup, { code: 1, stdout: '', stderr: /ECONNREFUSED/ })
  t.notOk(
    (await readdir(folder)).some((name) => name.startsWith('partial')),
    'nothing looks like a backup',
  )
  const there = await prepare(t, { FILES_URL: s3.address('second') })
  t.match(await admin({ ...there, FILES_URL: away }, 'restore', path), {
    code: 1,
    stdout: '',
    stderr: /ECONNREFUSED/,
  })
  t.equal((await admin(there, 'restore', path)).code, 0)
  t.equal((await objectsOf('second')).length, files.size)
})

/** Uploads and dying processes: acknowledged ones stay, and others leave nothing. */

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { connect } from '../../db/connect.ts'
import { DiskFileStore } from '../../server/files/disk-file-store.ts'
import { ARRIVAL_RETENTION_MS, removeUnusedUploads } from '../../workers/jobs/upkeep/remove-unused-uploads.ts'
import { startWebProcess } from '../cluster/start-web-process.ts'
import { Client } from '../harness/client.ts'
import { createDatabase } from '../harness/create-database.ts'
import { ACCOUNTS, emailOf } from '../harness/start-server.ts'
import { getFile, mustPostFile } from '../harness/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection } from '../wire/send-raw.ts'

const CRLF = '\r\n'

t.test('[UPLOAD50] a process that dies loses no acknowledged upload and leaves no partial one', async (t) => {
  const databaseUrl = await createDatabase(t, 'people')
  const folder = await mkdtemp(join(tmpdir(), 'parley-crash-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, DATABASE_CONNECTIONS: '4' }
  const clientOf = (url: string) => new Client(url, 4, emailOf('member'), ACCOUNTS.get('member')?.key ?? '')
  const first = await startWebProcess(t, env)
  const member = clientOf(first.url)
  const url = await mustPostFile(member, 'acknowledged', 'kept.txt')
  const socket = await openConnection(Number(new URL(first.url).port))
  socket.on('error', () => undefined) // The process dies.
  t.teardown(() => socket.destroy())
  socket.write(
    [
      'POST /api/v1/user_uploads HTTP/1.1',
      'Host: x',
      `Authorization: ${member.authorization}`,
      'Content-Type: multipart/form-data; boundary=xyz',
      'Content-Length: 1000000',
      '',
      '--xyz',
      'Content-Disposition: form-data; name="f"; filename="half.txt"',
      '',
      'x'.repeat(200_000),
    ].join(CRLF),
  )
  const list = async () =>
    (await readdir(join(folder, 'uploads'), { recursive: true })).filter((name) => name.endsWith('original'))
  await pollUntil('half of it is stored', async () => (await list()).length === 2)
  await first.kill()
  t.equal((await list()).length, 2)

  const second = await startWebProcess(t, env)
  const again = clientOf(second.url)
  t.equal((await getFile(again, encodeURI(url))).bytes.toString(), 'acknowledged')
  t.match((await again.must('GET', '/attachments')).attachments, [{ name: 'kept.txt' }])
  const sql = connect(databaseUrl, 2, 'parley-test')
  t.teardown(() => sql.end())
  const later = new Date(Date.now() + ARRIVAL_RETENTION_MS + 60_000)
  t.match(await removeUnusedUploads(sql, new DiskFileStore(join(folder, 'uploads')), later), {
    uploads: 0,
    arrivals: 1,
    files: 1,
  })
  t.equal((await list()).length, 1)
  t.equal((await getFile(again, encodeURI(url))).bytes.toString(), 'acknowledged')
  await second.stop()
})

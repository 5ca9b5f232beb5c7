/** Uploads and dying processes: acknowledged ones stay, and others leave nothing. */

import t from 'tap'
import { connect } from '../../../db/connection/connect.ts'
import { readLogName } from '../../../db/log/event-log.ts'
import { readConfig } from '../../../server/config.ts'
import { openFileStore } from '../../../server/files/open-file-store.ts'
import { findStrayFiles } from '../../../workers/jobs/upkeep/find-stray-files.ts'
import {
  ARRIVAL_RETENTION_MS,
  removeUnusedUploads,
} from '../../../workers/jobs/upkeep/remove-unused-uploads.ts'
import { startWebProcess } from '../../cluster/start-web-process.ts'
import { Client } from '../../harness/client/client.ts'
import { createDatabase } from '../../harness/databases/create-database.ts'
import { ACCOUNTS, emailOf } from '../../harness/servers/start-server.ts'
import { listFiles } from '../../harness/files/stored-files.ts'
import { separateSettings } from '../../harness/servers/two-servers.ts'
import { getFile, mustPostFile } from '../../harness/client/user-files.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { openConnection } from '../../wire/send-raw.ts'

const CRLF = '\r\n'
const MIB = 1024 * 1024

t.test('[UPLOAD50] a process that dies loses no acknowledged upload and leaves no partial one', async (t) => {
  const databaseUrl = await createDatabase(t, 'people')
  const settingsOf = await separateSettings(t, databaseUrl)
  const config = readConfig(await settingsOf())
  const clientOf = (url: string) => new Client(url, 4, emailOf('member'), ACCOUNTS.get('member')?.key ?? '')
  const first = await startWebProcess(t, await settingsOf())
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
      `Content-Length: ${12 * MIB}`,
      '',
      '--xyz',
      'Content-Disposition: form-data; name="f"; filename="half.txt"',
      '',
      'x'.repeat(6 * MIB),
    ].join(CRLF),
  )
  const list = () => listFiles({ databaseUrl, config })
  await pollUntil('half of it is stored', async () => (await list()).length === 2)
  await first.kill()
  t.equal((await list()).length, 2)

  const second = await startWebProcess(t, await settingsOf())
  const again = clientOf(second.url)
  t.equal((await getFile(again, encodeURI(url))).bytes.toString(), 'acknowledged')
  t.match((await again.must('GET', '/attachments')).attachments, [{ name: 'kept.txt' }])
  const sql = connect(databaseUrl, 2, 'parley-test')
  t.teardown(() => sql.end())
  const later = new Date(Date.now() + ARRIVAL_RETENTION_MS + 60_000)
  const store = await openFileStore(config)
  t.match(await removeUnusedUploads(sql, store, later), { uploads: 0, arrivals: 1, files: 1 })
  // Parts of an unknown multipart upload go with the next sweep.
  const organizationId = await readLogName(sql)
  const inThreeDays = new Date(Date.now() + 72 * 3_600_000)
  t.equal(await findStrayFiles(sql, store, { organizationId, now: inThreeDays }), 0)
  t.equal((await list()).length, 1)
  t.equal((await getFile(again, encodeURI(url))).bytes.toString(), 'acknowledged')
  await second.stop()
})

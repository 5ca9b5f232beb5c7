/** A server whose files are still in its folder, while new ones go to an object store. */

import t from 'tap'
import { readConfig } from '../../server/config.ts'
import { createLogger } from '../../server/logger.ts'
import { startNode } from '../../server/node/node.ts'
import { Client } from '../harness/client/client.ts'
import { startObjectStore } from '../harness/files/start-object-store.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { getFile, mustPostFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection } from '../wire/send-raw.ts'

const s3 = await startObjectStore(t)
const DATA_DIR = await makeFolder(t)
const server = await startTestServer(t, { env: { DATA_DIR } })
const { userId, email, key, authorization } = server.as('member')

t.test('[FILES18] a client that leaves while its file is looked for elsewhere is no failure', async (t) => {
  const url = await mustPostFile(server.as('member'), 'in the folder', 'a.txt')
  const failures: unknown[] = []
  const logger = Object.assign(createLogger('silent'), { error: (line: unknown) => failures.push(line) })
  const { objectStore, filesIn, redirectsFiles } = readConfig({
    FILES_URL: s3.address('moving'),
    FILES_REDIRECT: 'on',
  })
  const config = { ...server.config, objectStore, filesIn, redirectsFiles }
  const node = await startNode({ config, logger })
  t.teardown(() => node.close())
  const member = new Client(node.url, userId, email, key)
  const inProgress = async () => {
    const text = await (await fetch(`${node.url}/metrics`)).text()
    return Number(/^parley_requests_in_progress (\d+)$/m.exec(text)?.[1])
  }
  const alone = await inProgress() // The request for the metrics is one of them.
  s3.pause()
  const socket = await openConnection(node.port)
  socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
  await pollUntil('the request is in progress', async () => (await inProgress()) > alone)
  socket.destroy()
  await pollUntil('its client is gone', async () => (await inProgress()) === alone)
  s3.resume()
  // The same ways, one after the other, so the first one has ended.
  for (const _ of [1, 2]) t.match(await getFile(member, url), { status: 200 })
  t.same(failures, [])
})

/** One of several servers is silent: it takes connections and never answers. */

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { ServerAsker } from '../../db/connection/server-asker.ts'
import { type DatabaseAddress, readDatabaseAddress } from '../../server/domain/settings/database-address.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { adminDatabaseUrl } from '../harness/servers/environment.ts'
import { listenLocally } from '../harness/servers/listen-locally.ts'

async function openSilentServer(t: Test) {
  const server = createServer()
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket.on('error', () => {}))) // It is cut in the end.
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const { host } = new URL(await listenLocally(t, server))
  return { server, host }
}

await t.test('[PRIM4] a silent server stays silent for each question that was put meanwhile', async (t) => {
  const { server, host } = await openSilentServer(t)
  const address = readDatabaseAddress(`postgres://anna@${host}/chat?sslmode=disable`) as DatabaseAddress
  const asker = new ServerAsker(address.hosts[0], address)
  t.teardown(() => asker.end())
  const late = { code: 'CONNECT_TIMEOUT' }
  const first = t.rejects(asker.ask(), late)
  const [socket] = (await once(server, 'connection')) as [Socket]
  await once(socket, 'data')
  const second = t.rejects(asker.ask(), late)
  await first
  t.equal(asker.isSilent, true)
  await second
  t.equal(asker.isSilent, true)
})

await t.test('[PRIM5] beside a silent server the refusal of the other is the reason', async (t) => {
  const url = await createDatabase(t)
  const [silent, other] = [await openDatabaseProxy(t, url), await openDatabaseProxy(t, url)]
  other.become('refusing')
  const { pathname } = new URL(url)
  const hosts = [silent, other].map((one) => new URL(one.url).host)
  const sql = connect(`postgres://${new URL(url).username}@${hosts.join()}${pathname}`, 2)
  t.teardown(() => sql.end({ timeout: 0 }))
  await sql`select 1`
  const admin = connect(adminDatabaseUrl(), 1)
  t.teardown(() => admin.end())
  await admin`alter database ${admin(pathname.slice(1))} with allow_connections false`
  silent.become('hanging')
  other.become('open')
  const held = sql`select 1`.catch(() => 'cut at the end')
  const refused = { code: '55000', message: /is not currently accepting connections/ }
  for (const note of ['both have failed', 'nothing waits for the silent one any more'])
    await t.rejects(sql`select 2`, refused, note)
  await sql.end({ timeout: 0 })
  await held
})

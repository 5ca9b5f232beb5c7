/** An ended pool leaves no connection, whatever the phase of its connections. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { pollUntil } from '../services/poll-until.ts'

await t.test('[DB4] a pending connection is abandoned when the pool ends', async (t) => {
  for (const tls of ['prefer', 'disable']) {
    const { server, url } = await openSilentServer(t)
    const sql = connect(`${url}?sslmode=${tls}`, 1)
    const outcome = settle(sql`select 1`)
    const [socket] = (await once(server, 'connection')) as [Socket]
    const closed = once(socket.resume(), 'close')
    await sql.end({ timeout: 0 })
    await closed
    await expectNoTimers(t)
    t.match(await outcome, { code: 'CONNECTION_DESTROYED' }, `with TLS ${tls}`)
  }
})

await t.test('[DB5] a connection that waits for a retry is not tried again when the pool ends', async (t) => {
  const { server, url, port } = await openSilentServer(t)
  await new Promise((resolve) => server.close(resolve))
  const sql = connect(`${url}?sslmode=disable`, 1)
  t.match(await settle(sql`select 1`), { code: 'ECONNREFUSED' })
  await nextTurn() // It is closed by then.
  const outcome = settle(sql`select 1`) // After a failed try the next one waits.
  await nextTurn()
  await sql.end({ timeout: 0 })
  t.match(await outcome, { code: 'CONNECTION_DESTROYED' })
  let tries = 0
  server.on('connection', () => tries++)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  await expectNoTimers(t)
  t.equal(tries, 0)
})

await t.test('[DB6] a pool that ends refuses statements that wait for a connection', async (t) => {
  const url = await createDatabase(t) // Its teardown fails if a connection is left.
  for (const timeout of [0, 5]) {
    const sql = connect(url, 1, 'parley-ended')
    const outcomes = [1, 2, 3, 4].map((number) => settle(sql`select ${number}::int as number`))
    const listening = settle(sql.listen('parley_test', () => {}))
    await nextTurn()
    await sql.end({ timeout })
    for (const outcome of await Promise.all(outcomes)) t.ok(outcome, 'each is answered or refused')
    await listening
  }
})

await t.test('[DB51] a pool that ends at once cuts a statement at a server that hangs', async (t) => {
  const proxy = await openDatabaseProxy(t, await createDatabase(t))
  const sql = connect(proxy.url, 1)
  await sql`select 1`
  t.equal(countSockets(), 2)
  proxy.become('hanging')
  const outcome = settle(sql`select 1`)
  await nextTurn() // It is on its way.
  await sql.end({ timeout: 0 })
  t.match(await outcome, { code: 'CONNECTION_DESTROYED' })
  // The proxy, which does not read, still has its end of the connection.
  await pollUntil('its connection is gone', () => countSockets() === 1)
  proxy.cut()
})

/** The outcome of a promise, including its failure. */
function settle(promise: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(promise).catch((error: unknown) => error)
}

/** No timer keeps the process alive once those of closing sockets are gone. */
async function expectNoTimers(t: { pass(message: string): void }): Promise<void> {
  while (process.getActiveResourcesInfo().includes('Timeout')) await nextTurn()
  t.pass('nothing waits to try again')
}

/** The ends of connections in this process. */
function countSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
}

/** A server that accepts connections and stays silent. */
async function openSilentServer(t: { teardown(task: () => unknown): void }) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return { server, port, url: `postgres://nobody@127.0.0.1:${port}/none` }
}

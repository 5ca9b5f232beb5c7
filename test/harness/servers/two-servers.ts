/**
 * `SERVERS=2 npm test`: each test server consists of two nodes and a worker without a common disk, and an object store
 * holds their files. A balancer in front sends each request to the other node than the one before.
 */

import http from 'node:http'
import net from 'node:net'
import type { WebNode } from '../../../server/node/node.ts'
import { pollUntil } from '../../services/poll-until.ts'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from './listen-locally.ts'
import { makeFolder } from '../client/tus.ts'
import { redisUrl } from './environment.ts'
import { rootTest } from '../../runner/root-test.ts'
import { type ObjectStore, startObjectStore } from '../files/start-object-store.ts'

/** The tests of uploads: without names of files, the mode runs these. */
export const UPLOAD_TESTS: readonly string[] = [
  'test/api/files/attachments.test.ts',
  'test/api/users/avatars.test.ts',
  'test/api/organization/custom-emoji.test.ts',
  'test/api/messages/message-uploads.test.ts',
  'test/api/security/security-files.test.ts',
  'test/api/files/uploads-crash.test.ts',
  'test/api/files/uploads-under-way.test.ts',
  'test/api/files/uploads.test.ts',
  'test/clients/tus-js.test.ts',
  'test/cluster/object-store.test.ts',
  'test/wire/files.test.ts',
  'test/wire/tus-interrupted.test.ts',
  'test/wire/tus-walk.test.ts',
  'test/wire/tus.test.ts',
]

/** Whether each test server consists of two nodes. */
export const hasTwoServers = (): boolean => process.env.SERVERS === '2'

/** The nodes of each test server: limits of a process hold for each. */
export const nodeCount = (): number => (hasTwoServers() ? 2 : 1)

/** Rules about one node, and why: their test servers have one in every run. */
export const ONE_NODE_RULES = {
  TUS11: 'nodes add up their counts as time passes, and here no time passes',
  TUS64: 'without a public address, nodes behind a balancer would name the address of the node',
} as const

const stores = new WeakMap<TestContext, Promise<ObjectStore>>()

/** The object store of the running test file. */
export function sharedStore(): Promise<ObjectStore> {
  const root = rootTest() as TestContext
  const store = stores.get(root) ?? startObjectStore(root)
  stores.set(root, store)
  return store
}

/** Gives the settings of each process on a database: one disk for all, or one for each and an object store. */
export async function separateSettings(
  t: TestContext,
  databaseUrl: string,
): Promise<() => Promise<Record<string, string>>> {
  const prefix = new URL(databaseUrl).pathname.slice(1)
  const settings = { DATABASE_URL: databaseUrl, DATABASE_CONNECTIONS: '4', DATA_DIR: await makeFolder(t) }
  if (!hasTwoServers()) return () => Promise.resolve(settings)
  const files = (await sharedStore()).address(prefix)
  const shared = { ...settings, REDIS_URL: redisUrl(), REDIS_PREFIX: prefix, FILES_URL: files }
  return async () => ({ ...shared, DATA_DIR: await makeFolder(t) })
}

/** Starts the balancer, in front of nodes that are added later; resolves with its address. It ends with the test. */
export async function balance(t: TestContext, nodes: readonly WebNode[]): Promise<string> {
  useConnectionsOnce()
  let turn = 0
  const sockets = new Set<net.Socket>()
  const balancer = net.createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const node = nodes[turn++ % nodes.length] as WebNode
    hold(sockets, client)
    void caughtUp(node).then(
      () => connect(client, hold(sockets, new UpstreamSocket({ allowHalfOpen: true }).connect(node.port))),
      (error: unknown) => client.destroy(error as Error),
    )
  })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  return listenLocally(t, balancer)
}

function hold(sockets: Set<net.Socket>, socket: net.Socket): net.Socket {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
  return socket
}

/** A connection whose answer is still read after the server refused the rest of the request. */
class UpstreamSocket extends net.Socket {
  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    super._write(chunk, encoding, () => done())
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    super._writev?.(chunks, () => done())
  }
}

/** Passes on an answer also while its client is still sending: the rest of the request is dropped. */
function connect(client: net.Socket, upstream: net.Socket): void {
  client.on('error', () => upstream.resetAndDestroy())
  client.on('close', () => upstream.destroy())
  client.pipe(upstream)
  upstream.pipe(client)
  upstream.on('error', () => undefined) // The close that follows ends the client's connection.
  upstream.on('close', () => {
    client.unpipe(upstream)
    if (upstream.bytesRead === 0) client.destroy()
    client.end()
    client.resume()
  })
}

/** Until it knows everything that other nodes have acknowledged; tests read at once what they wrote. */
async function caughtUp({ services: { sql, state } }: WebNode): Promise<void> {
  const [row] = await sql<{ lastId: number }[]>`select last_id as "lastId" from event_counter`
  await pollUntil('the node follows the log', () => state.appliedId >= (row?.lastId ?? 0))
}

/** Makes clients of this process use each connection for one request. */
function useConnectionsOnce(): void {
  http.globalAgent = new http.Agent({ keepAlive: false })
  new Request('http://localhost/') // Loads the dispatcher of `fetch`.
  const name = Symbol.for('undici.globalDispatcher.1')
  const { constructor: Agent } = Reflect.get(globalThis, name) as {
    constructor: new (options: object) => object
  }
  Reflect.set(globalThis, name, new Agent({ pipelining: 0 }))
}

/** Processes that restart one after another behind a proxy with persistent connections. */

import { Agent, createServer, request } from 'node:http'
import t, { type Test } from 'tap'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { findFreePort, listenLocally } from '../harness/servers/listen-locally.ts'
import { ACCOUNTS, emailOf } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWebProcess, type WebProcess } from './start-web-process.ts'

const PROBE_MS = 50
const CLIENTS = 8
const databaseUrl = await createDatabase(t, 'people')
const env = {
  DATABASE_URL: databaseUrl,
  DATABASE_CONNECTIONS: '4',
  DATA_DIR: await makeFolder(t),
  DRAIN_SECONDS: '5', // A busy machine needs some of it to see each step.
  REDIS_URL: redisUrl(),
  REDIS_PREFIX: new URL(databaseUrl).pathname.slice(1),
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
}
const { id, key } = ACCOUNTS.get('member') as { id: number; key: string }
const as = (url: string) => new Client(url, id, emailOf('member'), key)

const ports = [await findFreePort(), await findFreePort()]
const start = (port: number) => startWebProcess(t, { ...env, PORT: String(port) })
const processes = await Promise.all(ports.map(start))
/** Like a router: only servers that report ready get requests, over persistent connections. */
const ready = new Set<number>()
const agent = new Agent({ keepAlive: true })
t.teardown(() => agent.destroy())

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

const probes = ports.map((port) => {
  let isProbing = false
  return setInterval(async () => {
    if (isProbing) return
    isProbing = true
    if (await isReady(port)) ready.add(port)
    else ready.delete(port)
    isProbing = false
  }, PROBE_MS)
})
t.teardown(() => probes.forEach(clearInterval))

let turn = 0
/** Requests that the proxy could not complete. */
const failures: string[] = []
const proxy = createServer((req, res) => {
  const port = [...ready][turn++ % ready.size]
  const { method, url: path, headers } = req
  const asking = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
    const { connection: _, 'keep-alive': __, ...rest } = answer.headers
    res.writeHead(answer.statusCode as number, rest)
    answer.pipe(res)
  })
  asking.on('error', (error) => {
    failures.push(`${method} ${path}: ${error.message}`)
    res.writeHead(502).end('{}')
  })
  req.pipe(asking)
})
const url = await listenLocally(t, proxy)
await pollUntil('both are ready', () => ready.size === 2)
const member = as(url)
await member.subscribe(['general'])
const file = encodeURI(await mustPostFile(member, 'a file', 'file.txt'))

/** Stops a process and watches it until its port is closed. */
async function expectOrder(t: Test, process: WebProcess): Promise<void> {
  const direct = as(process.url)
  t.not((await direct.get('/users/me')).headers.get('connection'), 'close')
  const stopping = process.stop()
  await pollUntil('it is not ready', async () => {
    const response = await fetch(`${process.url}/health/ready`)
    return response.status === 503 && response.headers.get('connection') === 'close'
  })
  const { status, headers } = await direct.get('/users/me')
  t.equal(status, 200, 'it still serves')
  t.equal(headers.get('connection'), 'close', 'it asks to close the connection')
  for (const method of ['GET', 'HEAD']) {
    const { authorization } = direct
    const answer = await fetch(process.url + file, { method, headers: { authorization } })
    t.equal(await answer.text(), method === 'GET' ? 'a file' : '')
    t.equal(answer.headers.get('connection'), 'close', `${method} of a file`)
  }
  await stopping
  await t.rejects(direct.get('/users/me'), 'then its port goes')
}

await t.test(
  '[DRAIN1] a stopping process becomes unready, then closes connections, then its port; behind a proxy no request fails',
  async (t) => {
    let isOver = false
    let answered = 0
    const ask = async (place: number) => {
      for (let round = 0; !isOver; round++) {
        const message = { type: 'channel', to: '"general"', topic: 'topic', content: `${place} ${round}` }
        const isSend = (place + round) % 3 === 0
        const { status, body } = isSend
          ? await member.post('/messages', message)
          : await member.get('/users/me')
        if (status !== 200) failures.push(JSON.stringify(body))
        answered++
      }
    }
    const queue = await member.register({ event_types: ['heartbeat'] })
    const poll = async () => {
      while (!isOver) {
        const fields = { queue_id: queue.queueId, last_event_id: queue.lastEventId }
        const { status, body } = await member.get('/events', fields)
        if (status !== 200) failures.push(JSON.stringify(body))
      }
    }
    const polling = poll()
    const asking = Array.from({ length: CLIENTS }, (_, place) => ask(place))
    for (const [place, process] of processes.entries()) {
      await expectOrder(t, process)
      await start(ports[place] as number)
      await pollUntil('both are ready', () => ready.size === 2)
    }
    isOver = true
    await Promise.all(asking)
    await member.must('DELETE', '/events', { queue_id: queue.queueId })
    await polling
    t.ok(answered > 100)
    t.same(failures, [])
  },
)

/** Two web processes behind a proxy, and two workers, as services with a manager that starts them again. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { findFreePort, listenLocally } from '../harness/servers/listen-locally.ts'
import { pollUntil } from '../services/poll-until.ts'
import { findProgram, type PartProcess, startPart } from './part-process.ts'
import type { Outage, Teardown } from './part.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Service {
  readonly url: string
  running: PartProcess
  start(): void
}

/** The address of the proxy, and of each web process behind it. */
export interface Parley {
  readonly url: string
  readonly processUrls: readonly string[]
  readonly outages: readonly Outage[]
}

/** Starts them; they end with the check. The proxy is our example for HAProxy. */
export async function startParley(
  t: Teardown,
  root: string,
  settings: Readonly<Record<string, string>>,
): Promise<Parley> {
  const open = async (name: string, entry: string, portSetting: string): Promise<Service> => {
    const port = await findFreePort()
    const env = {
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'info',
      DATA_DIR: join(root, 'files'),
      HOST: '127.0.0.1',
      TRUST_PROXY: 'on',
      RATE_LIMIT_USER_PER_MINUTE: '1000000',
      RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
      [portSetting]: String(port),
      ...settings,
    }
    const start = () =>
      startPart([process.execPath, ...process.execArgv, join(ROOT, entry)], {
        logFile: join(root, `${name}.log`),
        cwd: ROOT,
        env,
      })
    const service: Service = {
      url: `http://127.0.0.1:${port}`,
      running: start(),
      start() {
        service.running = start()
      },
    }
    t.teardown(() => service.running.stop())
    return service
  }
  mkdirSync(join(root, 'files'))
  const webs = await Promise.all(['web-1', 'web-2'].map((name) => open(name, 'server/main.ts', 'PORT')))
  const workers = await Promise.all(
    ['worker-1', 'worker-2'].map((name) => open(name, 'workers/main.ts', 'METRICS_PORT')),
  )
  const all = [...webs, ...workers]
  await Promise.all(all.map((one) => pollUntil('the processes are ready', () => isReady(one))))
  const url = await startProxy(t, root, webs)
  await pollUntil('the proxy answers', () => isReady({ url }))
  const kill = (name: string, one: Service): Outage => ({
    name,
    begin: () => one.running.kill(),
    async end() {
      one.start()
      await Promise.all(all.map((each) => pollUntil(`all are ready after ${name}`, () => isReady(each))))
    },
  })
  return {
    url,
    processUrls: webs.map((one) => one.url),
    outages: [
      kill('a web process', webs[0] as Service),
      kill('the other web process', webs[1] as Service),
      kill('a worker', workers[0] as Service),
    ],
  }
}

export function isReady({ url }: { readonly url: string }): Promise<boolean> {
  return fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** Starts our example for HAProxy; where it is not installed, a forwarder of connections stands for it. */
async function startProxy(t: Teardown, root: string, webs: readonly Service[]): Promise<string> {
  const ports = webs.map(({ url }) => new URL(url).port)
  const program = findProgram('haproxy')
  if (program === undefined) return startForwarder(t, ports.map(Number))
  const port = await findFreePort()
  const file = join(root, 'haproxy.cfg')
  const example = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8')
  writeFileSync(
    file,
    example
      .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
      .replace('bind :80', `bind 127.0.0.1:${await findFreePort()}`)
      .replace('127.0.0.1:8080', `127.0.0.1:${ports[0]}`)
      .replace('# server two 127.0.0.1:8081', `server two 127.0.0.1:${ports[1]}`),
  )
  const proxy = startPart([program, '-db', '-f', file], { logFile: join(root, 'haproxy.log'), cwd: root })
  t.teardown(() => proxy.stop())
  return `http://127.0.0.1:${port}`
}

/** Leads each connection to the next process that takes it. */
async function startForwarder(t: Teardown, ports: readonly number[]): Promise<string> {
  let turn = 0
  const sockets = new Set<Socket>()
  const hold = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer({ pauseOnConnect: true }, (client) => {
    hold(client)
    const lead = (tries: number) => {
      const socket = hold(connect(ports[turn++ % ports.length] as number, '127.0.0.1'))
      socket.once('connect', () => {
        client.pipe(socket).pipe(client)
        client.once('close', () => socket.destroy())
        socket.once('close', () => client.destroy())
      })
      socket.once('error', () => (tries > 1 ? lead(tries - 1) : client.destroy()))
    }
    lead(ports.length)
  })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  return listenLocally(t, server)
}

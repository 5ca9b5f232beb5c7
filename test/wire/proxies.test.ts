/** Our examples for reverse proxies, each before two processes: a client's refused body harms nobody else. */

import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:http2'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { AUTHORITY, FOR_LOCALHOST } from '../harness/databases/certificates.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { pollUntil } from '../services/poll-until.ts'
import type { LongBody } from './long-sender.ts'
import { sendRaw } from './send-raw.ts'
import { TRANSPORTS } from './start-transport.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
/** Requests of others after the refused ones. */
const OTHERS = 60
const MODULES = [
  'alias',
  'mpm_event',
  'authz_core',
  'headers',
  'proxy',
  'proxy_http',
  'slotmem_shm',
  'proxy_balancer',
  'lbmethod_bybusyness',
]

interface Ports {
  readonly plain: number
  readonly listen: number
  readonly first: number
  readonly second: number
}

interface Proxy {
  readonly program: string
  /** The file of the example. */
  readonly example: string
  /** The configuration of the whole program around the example. */
  readonly around: (example: string, folder: string) => string
  readonly args: (file: string) => readonly string[]
  /** Settings of the example that need a certificate. */
  readonly ofTls: RegExp
  readonly listen: readonly [pattern: RegExp, text: (port: number) => string]
  /** The same for port 80, which leads to TLS. Caddy has none in its file. */
  readonly plain?: Proxy['listen']
}

const NGINX: Proxy = {
  program: 'nginx',
  example: 'nginx.conf',
  around: (example, folder) =>
    [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `pid ${folder}/pid;\nerror_log ${folder}/errors;\nevents {}\nhttp {\naccess_log off;`,
      ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      ),
      `${example}\n}`,
    ].join('\n'),
  args: (file) => ['-c', file, '-g', 'daemon off;'],
  ofTls: /^ *(?:ssl_\w+|listen \[::\]).*\n/gm,
  plain: [/listen 80;/, (port) => `listen 127.0.0.1:${port};`],
  listen: [/listen 443 ssl http2;/, (port) => `listen 127.0.0.1:${port};`],
}

const PROXIES: readonly Proxy[] = [
  NGINX,
  {
    program: 'apache2',
    example: 'apache.conf',
    around: (example, folder) =>
      [
        `ServerRoot ${folder}\nPidFile ${folder}/pid\nErrorLog ${folder}/errors\nDefaultRuntimeDir ${folder}`,
        'ServerName localhost',
        ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        example.replace(/^<VirtualHost 127.0.0.1:(\d+)>/gm, 'Listen 127.0.0.1:$1\n$&'),
      ].join('\n'),
    args: (file) => ['-f', file, '-DFOREGROUND'],
    ofTls: /^ *(?:Protocols|SSL\w+) .*\n/gm,
    plain: [/<VirtualHost \*:80>/, (port) => `<VirtualHost 127.0.0.1:${port}>`],
    listen: [/<VirtualHost \*:443>/, (port) => `<VirtualHost 127.0.0.1:${port}>`],
  },
  {
    program: 'haproxy',
    example: 'haproxy.cfg',
    around: (example) => example,
    args: (file) => ['-db', '-f', file],
    ofTls: /(?!)/,
    plain: [/bind :80$/m, (port) => `bind 127.0.0.1:${port}`],
    listen: [/bind :443 .*/, (port) => `bind 127.0.0.1:${port}`],
  },
  {
    program: 'caddy',
    example: 'Caddyfile',
    around: (example) => `{\n\tadmin off\n\tauto_https off\n}\n${example}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    ofTls: /(?!)/,
    listen: [/^chat\.example\.com \{/m, (port) => `http://:${port} {\n\tbind 127.0.0.1`],
  },
]

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The example with both processes, and without TLS. */
function configure({ example, around, ofTls, listen, plain }: Proxy, folder: string, ports: Ports): string {
  const text = readFileSync(join(DEPLOY, example), 'utf8')
    .replace(/^(\s*)# ?((?:server|BalancerMember|to) .*127\.0\.0\.1:8081.*)$/m, '$1$2')
    .replace(/127\.0\.0\.1:8080/g, `127.0.0.1:${ports.first}`)
    .replace(/127\.0\.0\.1:8081/g, `127.0.0.1:${ports.second}`)
    .replace(ofTls, '')
    .replace(listen[0], listen[1](ports.listen))
    .replace(plain?.[0] ?? '', plain?.[1](ports.plain) ?? '')
  if (!text.includes(String(ports.second))) throw new Error(`${example} shows no second process`)
  return around(text, folder)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** The ports of both processes, and whether the proxy leads to them. */
interface Started {
  readonly first: number
  readonly second: number
  readonly isReady?: (port: number) => Promise<boolean>
}

/** Starts the program; it ends with the test. */
async function startProxy(
  t: Test,
  proxy: Proxy,
  { first, second, isReady = isUp }: Started,
): Promise<{ port: number; plain: number }> {
  const folder = await makeFolder(t)
  const [listen, plain] = [await freePort(), await freePort()]
  const file = join(folder, 'configuration')
  writeFileSync(file, configure(proxy, folder, { listen, plain, first, second }))
  const child: ChildProcess = spawn(proxy.program, proxy.args(file), {
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await pollUntil(
    () => `${proxy.program} answers; it said ${said}`,
    () => isReady(listen),
  )
  return { port: listen, plain }
}

async function isUp(port: number): Promise<boolean> {
  return (await ask(port).catch(() => undefined)) === 200
}

async function ask(port: number): Promise<number> {
  const { status } = await sendRaw(port, 'GET /api/v1/server_settings HTTP/1.1\r\nHost: x\r\n\r\n')
  return status
}

/** The answer at the port without TLS: its status, and where it leads. */
async function askPlain(port: number): Promise<(number | string | undefined)[]> {
  const sent = request({ port, path: '/a/page?of=1', headers: { host: 'chat.example.com' } }).end()
  const [{ statusCode, headers }] = (await once(sent, 'response')) as [IncomingMessage]
  sent.destroy()
  return [statusCode, headers.location]
}

/**
 * Sends a long body until an answer comes, as curl does. In a thread: nginx loses the answer only while it has more to send
 * at each moment, and the server runs in this one.
 */
async function sendLong(port: number, start: string, mib: number): Promise<string> {
  const data: LongBody = { port, head: `${start}\r\nHost: x\r\n`, mib }
  const sender = new Worker(new URL('./long-sender.ts', import.meta.url), { workerData: data })
  const [text] = await once(sender, 'message')
  await sender.terminate()
  return text as string
}

t.test(
  '[PROXY2] nginx takes the example with TLS as it is, and speaks HTTP/2 with clients',
  isInstalled('nginx') ? {} : { skip: 'nginx is not installed: apt-get install nginx' },
  async (t) => {
    const server = await startTestServer(t, { env: { TRUST_PROXY: 'on' } })
    const folder = await makeFolder(t)
    const { cert, key } = FOR_LOCALHOST
    writeFileSync(join(folder, 'chat.example.com.pem'), cert)
    writeFileSync(join(folder, 'chat.example.com.key'), key)
    const withTls: Proxy = {
      ...NGINX,
      around: (example, of) => NGINX.around(example.replaceAll('/etc/ssl/', `${folder}/`), of),
      ofTls: /^ *listen \[::\].*\n/gm,
      listen: [/listen 443/, (port) => `listen 127.0.0.1:${port}`],
    }
    const { port: first } = server.node
    const isReady = (port: number) =>
      askByHttp2(port).then(
        (status) => status === 200,
        () => false,
      )
    const { port } = await startProxy(t, withTls, { first, second: first, isReady })
    t.equal(await askByHttp2(port), 200)
  },
)

/** The status of a request by HTTP/2. */
async function askByHttp2(port: number): Promise<number | undefined> {
  const session = connect(`https://localhost:${port}`, { ca: AUTHORITY })
  try {
    const stream = session.request({ ':path': '/api/v1/server_settings' })
    const failed = once(session, 'error').then(([error]) => Promise.reject(error))
    const [headers] = await Promise.race([once(stream, 'response'), failed])
    return headers[':status']
  } finally {
    session.destroy()
  }
}

for (const [name] of TRANSPORTS) {
  t.test(
    `[PROXY1] a refused long body gets its answer through a proxy, and harms nobody else: ${name}`,
    async (t) => {
      const server = await startTestServer(t, {
        env: { TRANSPORT: name, TRUST_PROXY: 'on' },
      })
      const { node: other } = await server.startAnotherNode()
      const { authorization } = server.as('member')
      for (const proxy of PROXIES) {
        if (!isInstalled(proxy.program)) {
          t.comment(`${proxy.program} is not installed: its example is not tested`)
          continue
        }
        await t.test(proxy.program, async (t) => {
          const { port, plain } = await startProxy(t, proxy, {
            first: server.node.port,
            second: other.port,
          })
          const refusals = [
            ['POST /api/v1/user_uploads HTTP/1.1', 401],
            [`POST /api/v1/messages HTTP/1.1\r\nAuthorization: ${authorization}`, 413],
          ] as const
          for (const [start, status] of refusals) {
            const text = await sendLong(port, start, 40)
            t.match(text, new RegExp(`^HTTP/1.1 ${status} [^]*"result":"error"`), start)
          }
          const statuses: number[] = []
          for (let count = 0; count < OTHERS; count++) statuses.push(await ask(port))
          t.same(
            statuses.filter((status) => status !== 200),
            [],
          )
          if (proxy.plain) t.same(await askPlain(plain), [301, 'https://chat.example.com/a/page?of=1'])
        })
      }
    },
  )
}

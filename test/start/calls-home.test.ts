/** With default settings no process connects to another machine: nothing calls home. */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { Client } from '../harness/client/client.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { moduleSettings, redisUrl } from '../harness/servers/environment.ts'
import { ACCOUNTS, emailOf, type Person } from '../harness/servers/start-server.ts'
import { findProcesses } from '../services/find-processes.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startEntry } from './run-entry.ts'

const RECORDER = pathToFileURL(join(import.meta.dirname, 'record-connections.mjs')).href
/** Preloads the recorder besides what each process of a run preloads. */
const recordedOptions = () => `${moduleSettings().NODE_OPTIONS} --import=${RECORDER}`
/** Addresses and names of this machine. */
const IS_LOCAL = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/
/** Peers of sockets in the tables of the kernel: none, and those of this machine, also as IPv6. */
const IS_LOCAL_PEER = /^(?:0+|[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)$/

/** The lines of a record: what was asked for, and by which program. */
function readRecord(file: string): { kind: string; target: string; program: string }[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [kind = '', target = '', program = ''] = line.split(' ')
      return { kind, target, program }
    })
}

/** The peers on other machines of the sockets of some processes, as the kernel has them: of programs in any language. */
function findPeers(pids: readonly number[]): string[] {
  const sockets = new Map<string, string>()
  for (const table of ['tcp', 'tcp6', 'udp', 'udp6']) {
    const [, ...rows] = readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n')
    for (const row of rows) {
      const columns = row.trim().split(/\s+/)
      sockets.set(`socket:[${columns[9]}]`, columns[2]?.split(':')[0] ?? '')
    }
  }
  return pids.flatMap((pid) =>
    readFiles(pid).flatMap((file) => {
      const peer = sockets.get(file)
      return peer === undefined || IS_LOCAL_PEER.test(peer) ? [] : [`${pid}: ${peer}`]
    }),
  )
}

/** The open files of a process; those that are closed meanwhile are left out, as is a process that ends. */
function readFiles(pid: number): string[] {
  const read = <Value>(work: () => Value, otherwise: Value): Value => {
    try {
      return work()
    } catch {
      return otherwise
    }
  }
  const names = read(() => readdirSync(`/proc/${pid}/fd`), [])
  return names.map((name) => read(() => readlinkSync(`/proc/${pid}/fd/${name}`), ''))
}

t.test('[HOME1] a server with default settings connects to no other machine', async (t) => {
  const folder = await makeFolder(t)
  const record = join(folder, 'connections')
  const recorded = { NODE_OPTIONS: recordedOptions(), PARLEY_CONNECTIONS: record }
  const dataFolder = join(folder, 'data')
  const entry = startEntry(t, 'server/start.ts', { PORT: '0', DATA_DIR: dataFolder, ...recorded })
  const [, url = ''] = await entry.whenSaid(/^Parley is ready at (\S+)$/m)
  const { accounts } = JSON.parse(readFileSync(join(dataFolder, 'demo-accounts.json'), 'utf8'))
  const accountOf = (name: string) =>
    accounts.find(({ email }: { email: string }) => email.startsWith(`${name}@`))

  const { email, password } = accountOf('owner')
  const anyone = new Client(url, 0, '', '')
  const { api_key: key } = await anyone.must('POST', '/fetch_api_key', { username: email, password })
  const owner = new Client(url, 0, email, key)
  const path = await mustPostFile(owner, 'some bytes', 'notes.txt')
  await owner.subscribe(['general'])
  await owner.send(
    'general',
    'links',
    `@**all** [notes](${path}) https://example.com/page ![](https://example.com/a.png)`,
  )
  await owner.must('POST', '/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/{id}',
  })
  await owner.must('POST', '/scheduled_messages', {
    type: 'direct',
    to: [(await owner.must('GET', '/users/me')).user_id],
    content: 'written by the worker',
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 5, // In the future for a busy machine, too.
  })
  await pollUntil('the worker sends', async () => {
    const { messages } = await owner.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
    })
    return /written by the worker/.test(String(messages[0]?.content))
  })
  for (const page of ['/', '/docs', '/login']) await (await fetch(url + page)).arrayBuffer()
  const pids = [entry.process.pid as number, ...findProcesses(dataFolder)]
  t.ok(
    readFiles(entry.process.pid as number).length > 10 && pids.length > 3,
    'the server and its services were found',
  )
  t.strictSame(findPeers(pids), [], 'nor do PostgreSQL and Redis')
  entry.process.kill('SIGTERM')
  t.equal((await entry.ended).code, 0)

  const connections = readRecord(record)
  t.ok(
    connections.some(({ kind, program }) => kind === 'path' && program.endsWith('server/start.ts')),
    'the database',
  )
  const away = connections.filter(({ kind, target }) => kind !== 'path' && !IS_LOCAL.test(target))
  t.strictSame(away, [])
})

t.test('[HOME3] nor does it in a day, with all jobs of each hour', async (t) => {
  const folder = await makeFolder(t)
  const record = join(folder, 'connections')
  const url = await createDatabase(t, 'people')
  const entry = startEntry(t, 'test/start/live-a-day.ts', {
    DATABASE_URL: url,
    DATA_DIR: folder,
    PORT: '0',
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: new URL(url).pathname.slice(1),
    NODE_OPTIONS: recordedOptions(),
    PARLEY_CONNECTIONS: record,
  })
  const [, address = ''] = await entry.whenSaid(/^Parley is ready at (\S+)$/m)
  const as = (person: Person) => {
    const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
    return new Client(address, id, emailOf(person), key)
  }
  const [owner, member] = [as('owner'), as('member')]
  const principals = [owner.userId, member.userId]
  await owner.subscribe(['general'], { principals })
  await owner.subscribe(['passing'], { principals, message_retention_days: 1 })
  await member.must('PATCH', '/settings', { enable_digest_emails: true })
  const inSixDays = (new Date(Date.now() + 6 * 86_400_000).getUTCDay() + 6) % 7
  await owner.must('PATCH', '/realm', {
    digest_emails_enabled: true,
    digest_weekday: inSixDays,
    message_content_allowed_in_email_notifications: true,
  })
  const path = await mustPostFile(owner, 'some bytes', 'notes.txt')
  const passing = await owner.send('passing', 'links', `[notes](${path}) https://example.com/passing`)
  await owner.send('general', 'links', '@**all** https://example.com/page ![](https://example.com/a.png)')

  entry.process.kill('SIGUSR2')
  const [, counted = ''] = await entry.whenSaid(/^The day is over: (.+)$/m)
  const jobs: Record<string, { done: number; failed: number }> = JSON.parse(counted)
  const { 'scheduled-messages': _, ...hourly } = jobs // None was scheduled.
  t.ok(Object.keys(hourly).length > 10, counted)
  t.strictSame(
    Object.entries(hourly).filter(([, { done, failed }]) => done < 24 || failed > 0),
    [],
    'each queue had a job each hour',
  )
  const gone = await owner.get(`/messages/${passing}`)
  t.equal(gone.status, 400, 'retention has removed the message')
  const mails = readdirSync(join(folder, 'mail')).map((name) =>
    readFileSync(join(folder, 'mail', name), 'utf8'),
  )
  t.ok(
    mails.some((mail) => mail.includes('Subject: This week at')),
    'the digest is a file, without a mail server',
  )
  t.strictSame(findPeers([entry.process.pid as number]), [])
  entry.process.kill('SIGTERM')
  t.equal((await entry.ended).code, 0)
  const connections = readRecord(record)
  t.ok(connections.length > 5, `${connections.length} connections`)
  const away = connections.filter(({ kind, target }) => kind !== 'path' && !IS_LOCAL.test(target))
  t.strictSame(away, [])
})

t.test('[HOME2] the record of the test above has connections of each kind', async (t) => {
  const record = join(await makeFolder(t), 'connections')
  // 192.0.2.1 belongs to nobody (RFC 5737), so nothing answers; the program ends once all are noted.
  const program = `
    const [net, dns, dgram] = await Promise.all(['net', 'dns', 'dgram'].map((name) => import('node:' + name)))
    net.connect({ host: '192.0.2.1', port: 9 }).on('error', () => {})
    net.connect(9, '192.0.2.2').on('error', () => {})
    fetch('http://192.0.2.3:8080').catch(() => {})
    dgram.createSocket('udp4').on('error', () => {}).send('x', 9, '192.0.2.4')
    dns.lookup('name.invalid', () => {})
    const { readFileSync } = await import('node:fs')
    const isNoted = (address) => readFileSync(process.env.PARLEY_CONNECTIONS, 'utf8').includes(address)
    setInterval(() => isNoted('192.0.2.3') && process.exit(), 10)`
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', RECORDER, '--input-type=module', '--eval', program],
    {
      env: { ...process.env, PARLEY_CONNECTIONS: record },
      encoding: 'utf8',
      timeout: 60_000, // It ends by itself, unless the record lacks one.
    },
  )
  t.equal(status, 0, stderr)
  const targets = readRecord(record).map(({ kind, target }) => `${kind} ${target}`)
  for (const one of [
    'host 192.0.2.1',
    'host 192.0.2.2',
    'host 192.0.2.3',
    'datagram x,192.0.2.4',
    'name name.invalid',
  ])
    t.ok(targets.includes(one), `${one} is among ${targets.join(', ')}`)
})

/** The processes of a Procfile: release, web and worker, each alone. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { VERSION } from '../../server/measures/version.ts'
import { FOR_ADDRESSES } from '../harness/databases/certificates.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { openTlsFront } from '../harness/databases/tls-front.ts'
import { startRedis } from '../log/start-redis.ts'
import { pollUntil } from '../services/poll-until.ts'
import { runEntry, startEntry } from './run-entry.ts'

const OPEN_TO_ALL = 'DEVELOPMENT_LOGINS is on: anyone who reaches this server logs in as anyone'
const MEMORY = join(import.meta.dirname, '../../docs/memory.md')
const PROCFILE = join(import.meta.dirname, '../../Procfile')

const CASES: [title: string, withRedis: boolean][] = [
  ['[START7] release, web and worker run separately with Redis', true],
  ['[START8] release, web and worker run separately without Redis', false],
]

for (const [title, withRedis] of CASES) {
  t.test(title, async (t) => {
    const databaseUrl = await createDatabase(t)
    const sql = connect(databaseUrl, 1, 'parley-test')
    t.teardown(() => sql.end())
    await sql.unsafe('drop schema public cascade; create schema public')
    const prefix = new URL(databaseUrl).pathname.slice(1)
    const settings = {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      ...(withRedis
        ? { REDIS_URL: redisUrl(), REDIS_PREFIX: prefix, DEVELOPMENT_LOGINS: '' }
        : { DEVELOPMENT_LOGINS: 'on' }),
    }
    for (const entry of ['server/main.ts', 'workers/main.ts', 'server/admin/main.ts']) {
      const args = entry === 'server/admin/main.ts' ? ['user', 'list'] : []
      const ending = await runEntry(t, entry, settings, args)
      t.match(
        ending,
        { code: 1, stdout: '', stderr: /^parley: the database lacks 0001-.*: run the release command\n$/ },
        entry,
      )
    }
    t.match(await runEntry(t, 'server/release.ts', settings), {
      code: 0,
      stdout: /^migrated: 0001[^\n]*\n$/,
      stderr: '',
    })
    t.match(await runEntry(t, 'server/release.ts', settings), { code: 0, stdout: 'nothing to migrate\n' })

    const web = startEntry(t, 'server/main.ts', settings)
    const worker = startEntry(t, 'workers/main.ts', settings)
    const [, port] = await web.whenSaid(/"url":"http:\/\/127\.0\.0\.1:(\d+)"/)
    await worker.whenSaid(/worker process is ready/)
    const ready = () => fetch(`http://127.0.0.1:${port}/health/ready`)
    await pollUntil('the web process is ready', async () => (await ready()).status === 200)
    for (const { process: child, ended } of [web, worker]) {
      child.kill('SIGTERM')
      const { code, stdout, stderr } = await ended
      t.strictSame({ code, stderr }, { code: 0, stderr: '' })
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      t.match(
        lines.find(({ msg }) => msg.endsWith('process is ready')),
        { version: VERSION },
        'the first thing to look for in a log',
      )
      if (child === web.process)
        t.same(lines.find(({ cachesMib }) => cachesMib)?.cachesMib, readCacheBounds(), 'as documented')
      const loud = lines.filter(({ level }) => level !== 30)
      const warned = child === web.process && !withRedis ? [[40, OPEN_TO_ALL]] : []
      t.same(
        loud.map(({ level, msg }) => [level, msg]),
        warned,
      )
    }
  })
}

/** The bounds of the caches in MiB by name, from `docs/memory.md`. */
function readCacheBounds(): Record<string, number> {
  const rows = readFileSync(MEMORY, 'utf8').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)
  return Object.fromEntries([...rows].map(([, name, mib]) => [name, Number(mib)]))
}

t.test(
  '[START9] a process without a database exits with an error, and names a misspelt setting',
  async (t) => {
    for (const entry of ['server/main.ts', 'workers/main.ts', 'server/release.ts']) {
      t.match(await runEntry(t, entry, { DATBASE_URL: 'postgres://127.0.0.1/x' }), {
        code: 1,
        stdout: '',
        stderr:
          'parley: DATBASE_URL is no setting; is DATABASE_URL meant?\n' +
          'parley: DATABASE_URL is not set (npm start brings a database of its own)\n',
      })
    }
  },
)

t.test('[START12] a database that cannot be used is reported in one line with the reason', async (t) => {
  const databaseUrl = await createDatabase(t)
  const proxy = await openDatabaseProxy(t, databaseUrl)
  const front = await openTlsFront(t, databaseUrl, FOR_ADDRESSES)
  const sql = connect(databaseUrl, 1, 'parley-test')
  t.teardown(() => sql.end())
  await sql`insert into migrations (name) values ('9999-later.sql')`
  const changed = (change: Partial<URL>) => Object.assign(new URL(proxy.url), change).href
  const newer = /^the database is of a newer release, with 9999-later\.sql: start that release/
  const CASES: [entry: string, url: string, line: RegExp][] = [
    [
      'server/release.ts',
      changed({ search: '?sslmode=require' }),
      /^DATABASE_URL asks for TLS \(sslmode\), which/,
    ],
    [
      'workers/main.ts',
      changed({ port: String(front.port), search: '?sslmode=verify-full' }),
      /^the certificate of the database of DATABASE_URL is not accepted \(sslmode, sslrootcert\): unable to/,
    ],
    ['server/release.ts', proxy.url.replace('@127.0.0.1', '@127.0.0.1:1,127.0.0.1'), newer],
    [
      'server/release.ts',
      changed({ pathname: '/none' }),
      /^the database of DATABASE_URL refuses: database "none"/,
    ],
    [
      'server/release.ts',
      changed({ username: 'nobody' }),
      /^the database of DATABASE_URL refuses: role "nobody"/,
    ],
    ['server/release.ts', databaseUrl, newer],
    ['server/main.ts', databaseUrl, newer],
    ['workers/main.ts', databaseUrl, newer],
  ]
  const endings = CASES.map(async ([entry, url, line]) => {
    const { code, stdout, stderr } = await runEntry(t, entry, { DATABASE_URL: url, PORT: '0' })
    t.strictSame({ code, stdout }, { code: 1, stdout: '' }, url)
    t.match(stderr, /^parley: [^\n]+\n$/)
    t.match(stderr.slice('parley: '.length), line)
  })
  await Promise.all(endings)
})

t.test(
  '[START10] the web process of a Procfile listens on all addresses and trusts its router, unless configured otherwise',
  async (t) => {
    const web = /^web: (.*)$/m.exec(readFileSync(PROCFILE, 'utf8'))?.[1] ?? ''
    // The shell prints the program and its arguments.
    const command = web.replace(/bin\/parley .*/, `sh -c 'echo $HOST $TRUST_PROXY'`)
    const say = (env: NodeJS.ProcessEnv) =>
      spawnSync('sh', ['-c', command], { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' }).stdout
    t.equal(say({}), '0.0.0.0 on\n')
    t.equal(say({ HOST: '::', TRUST_PROXY: 'off' }), ':: off\n')
  },
)

t.test(
  '[START11] processes start without Redis, use it once it is there, and continue when it is gone',
  async (t) => {
    const redis = await startRedis(t)
    await redis.kill()
    const settings = { DATABASE_URL: await createDatabase(t), PORT: '0', REDIS_URL: redis.url }
    const web = startEntry(t, 'server/main.ts', settings)
    const worker = startEntry(t, 'workers/main.ts', settings)
    const [, port] = await web.whenSaid(/"url":"http:\/\/127\.0\.0\.1:(\d+)"/)
    await worker.whenSaid(/worker process is ready/)
    for (const one of [web, worker]) t.match(one.stdout(), /the Redis of REDIS_URL cannot be reached/)
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200
    t.ok(await isReady())

    await redis.start()
    for (const one of [web, worker]) await one.whenSaid(/Redis is there/)
    await pollUntil('the web process listens', async () => {
      const channels = (await redis.client.pubsub('CHANNELS', '*:log')) as string[]
      return channels.length === 1
    })
    await pollUntil('the worker waits for jobs', async () => {
      return (await redis.client.keys('*:jobs:*')).length > 0
    })

    await redis.kill()
    const awayTwice = /cannot be reached[^]*cannot be reached/
    for (const one of [web, worker]) await one.whenSaid(awayTwice)
    t.ok(await isReady())
    for (const { process: child, ended } of [web, worker]) {
      child.kill('SIGTERM')
      const { code, stderr } = await ended
      t.strictSame({ code, stderr }, { code: 0, stderr: '' })
    }
  },
)

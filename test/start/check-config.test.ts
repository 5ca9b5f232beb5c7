/** `npm run check-config`: each part is really tried, and its line says what to do. */

import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { checkConfig, describeFindings } from '../../server/checks/check-config.ts'
import { CheckError, find } from '../../server/checks/finding.ts'
import { readConfig } from '../../server/config.ts'
import { runHere } from '../admin/run-here.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { startObjectStore } from '../harness/files/start-object-store.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startBigBlueButton } from '../harness/providers/start-bigbluebutton.ts'
import { CLIENT_SECRET, startCallProvider } from '../harness/providers/start-call-provider.ts'
import { startLiveKit } from '../harness/providers/start-livekit.ts'
import { startPushRelay } from '../harness/providers/start-push-relay.ts'
import { adminDatabaseUrl, databaseUrl } from '../harness/servers/environment.ts'
import { findFreePort, listenLocally } from '../harness/servers/listen-locally.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { SAML_SETTINGS } from '../harness/sign-on/saml-provider.ts'
import { startLoginProvider } from '../harness/sign-on/start-login-provider.ts'
import { startRedis } from '../log/start-redis.ts'
import { runEntry } from './run-entry.ts'

type Env = Readonly<Record<string, string>>

/** The state and the text of one part. */
async function findPart(env: Env, part: string): Promise<{ state: string; text: string }> {
  const findings = await checkConfig(readConfig(env))
  const found = findings.find((one) => one.part === part)
  if (!found) throw new Error(`no line for ${part}: ${JSON.stringify(findings)}`)
  return { state: found.state, text: found.text }
}

const withPassword = (url: string, password: string) => Object.assign(new URL(url), { password }).href

t.test(
  '[PREFLIGHT1] every part that works gets a line, without a secret, and leaves nothing behind',
  async (t) => {
    const [store, mail, relay, provider, redis, folder, url] = await Promise.all([
      startObjectStore(t),
      startMailServer(t),
      startPushRelay(t),
      startLoginProvider(t),
      startRedis(t),
      makeFolder(t),
      createDatabase(t),
    ])
    const env = {
      PUBLIC_URL: 'https://chat.example.com',
      DATABASE_URL: withPassword(url, 'secret-of-the-database'),
      REDIS_URL: redis.url,
      DATA_DIR: join(folder, 'data'),
      FILES_URL: store.address('checked'),
      OIDC_PROVIDERS: JSON.stringify([provider.settings]),
      ...mail.env,
      ...relay.env,
    }
    const { code, stdout, stderr } = await runEntry(t, 'server/check-config.ts', env)
    t.strictSame({ code, stderr }, { code: 0, stderr: '' }, stdout)
    const lines = stdout.trimEnd().split('\n')
    t.strictSame(
      lines.map((line) => line.split(/ {2,}/).slice(0, 2)),
      [
        ...['settings', 'database', 'redis', 'files', 'mail', 'push relay', 'log-ins by example'].map(
          (part) => ['ok', part],
        ),
        ['unused', 'scim'],
      ],
    )
    t.match(lines, [
      /are set; https:\/\/chat\.example\.com$/,
      /PostgreSQL \d+[\d.]*, UTF8, sessions of its own, may create tables; the schema of this release$/,
      /\d+\.\d+\.\d+, maxmemory-policy noeviction, no append-only file \(nothing is lost with it\)$/,
      /bucket files: wrote, read and removed a file$/,
      /127\.0\.0\.1:\d+ takes the password; no mail was sent$/,
      /127\.0\.0\.1:\d+ takes the key$/,
      /http:\/\/127\.0\.0\.1:\d+ describes itself; the client's secret shows at a log-in$/,
      /there is no token: "admin -- scim token" makes one$/,
    ])
    const secrets = [
      'secret-of-the-database',
      new URL(mail.env['MAIL_URL'] as string).password,
      relay.env['PUSH_RELAY_KEY'] as string,
      provider.settings['client_secret'] as string,
    ]
    t.strictSame(
      secrets.filter((secret) => stdout.includes(secret)),
      [],
    )
    t.notOk(existsSync(env.DATA_DIR), 'the folder that was made is gone')
    t.strictSame(await store.objects(), [])
    t.strictSame(
      { mails: mail.received, named: mail.tried, announced: relay.announced.size },
      { mails: [], named: [], announced: 0 },
    )
    t.strictSame(await redis.client.keys('*'), [])

    const away = await runEntry(t, 'server/check-config.ts', { ...env, REDIS_URL: join(folder, 'no.sock') })
    t.equal(away.code, 1, 'one part fails')
    t.match(away.stdout, /^fails {3}redis .*the Redis of REDIS_URL cannot be reached.*ENOENT/m)

    t.test('[PREFLIGHT2] Redis must keep what it holds, and take scripts', async (t) => {
      await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru')
      t.match(await findPart({ REDIS_URL: redis.url }, 'redis'), {
        state: 'fails',
        text: /^maxmemory-policy is allkeys-lru.*set it to noeviction$/,
      })
      await redis.client.config('SET', 'maxmemory-policy', 'noeviction')
      await redis.client.acl('SETUSER', 'limited', 'on', '>word', '~*', '&*', '+@all', '-eval')
      const limited = `redis://limited:word@localhost/?path=${encodeURIComponent(redis.url)}`
      t.match(await findPart({ REDIS_URL: limited }, 'redis'), {
        state: 'fails',
        text: /^REDIS_URL: .*NOPERM/,
      })
      const wrong = limited.replace(':word@', ':other@')
      t.match(await findPart({ REDIS_URL: wrong }, 'redis'), {
        state: 'fails',
        text: /^the Redis of REDIS_URL refuses its password/,
      })
    })

    t.test(
      '[PREFLIGHT3] mail server, relay, provider and bucket: each says which setting to look at',
      async (t) => {
        const lineOf = async (change: Env, part: string) => {
          const { state, text } = await findPart({ ...env, DATABASE_URL: '', REDIS_URL: '', ...change }, part)
          t.equal(state, 'fails', `${part}: ${text}`)
          return text
        }
        const wrongMail = withPassword(mail.env['MAIL_URL'] as string, 'guessed-password')
        const refused = await lineOf({ MAIL_URL: wrongMail }, 'mail')
        t.match(refused, /does not work \(EAUTH, status 535\): look at the user and the password of MAIL_URL/)
        t.notMatch(refused, 'guessed-password')
        t.match(
          await lineOf({ PUSH_RELAY_KEY: 'another' }, 'push relay'),
          'the push relay refuses: look at PUSH_RELAY_ID',
        )
        relay.odd = { status: 500 }
        t.match(await lineOf({}, 'push relay'), 'the push relay fails, or is no push relay')
        relay.odd = undefined
        const other = { ...provider.settings, issuer: `${provider.url}/other` }
        t.match(
          await lineOf({ OIDC_PROVIDERS: JSON.stringify([other]) }, 'log-ins by example'),
          /\/other: .*look at "issuer" in OIDC_PROVIDERS/,
        )
        t.match(
          await lineOf({ FILES_URL: store.address('checked', { bucket: 'absent' }) }, 'files'),
          /^FILES_URL: .*NoSuchBucket/,
        )
        await Promise.all([store.stop(), mail.stop()])
        t.match(await lineOf({}, 'files'), /^FILES_URL: .*(ECONNREFUSED|ECONNRESET)/)
        t.match(
          await lineOf({}, 'mail'),
          /does not work \((ESOCKET|ECONNECTION)\): look at the host and the port/,
        )
      },
    )
  },
)

t.test('[PREFLIGHT4] the folder is tried where there is no bucket, and its contents stay', async (t) => {
  const folder = await makeFolder(t)
  t.match(await findPart({ DATA_DIR: folder }, 'files'), {
    state: 'ok',
    text: `folder ${folder}/uploads: wrote, read and removed a file`,
  })
  t.ok(existsSync(folder), 'a folder that was there stays')
  t.notOk(existsSync(join(folder, 'uploads')))
  const file = join(folder, 'file')
  await writeFile(file, 'text')
  t.match(await findPart({ DATA_DIR: join(file, 'data') }, 'files'), {
    state: 'fails',
    text: /^the folder of DATA_DIR cannot be used: .*ENOTDIR/,
  })
  const findings = await checkConfig(readConfig({ DATA_DIR: folder }))
  t.strictSame(
    findings.map(({ part, state }) => `${state} ${part}`),
    [
      'unused database',
      'unused redis',
      'ok files',
      'unused mail',
      'unused push relay',
      'unused log-ins',
      'unused scim',
    ],
    'nothing else is needed',
  )
  t.match(describeFindings(findings), /^unused {2}push relay {2}PUSH_RELAY_URL is not set: /m)
})

t.test('[PREFLIGHT5] the database must take what migrations and the queues of jobs do', async (t) => {
  const url = await createDatabase(t)
  const sql = connect(url, 1, 'parley-test')
  const admin = connect(adminDatabaseUrl(), 1, 'parley-test')
  const role = `check_${new URL(url).pathname.slice(1)}`
  const ascii = `ascii_${role}`
  await admin.unsafe(`create role ${role} login`)
  await admin.unsafe(
    `create database ${ascii} template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`,
  )
  t.teardown(async () => {
    await sql.end()
    await admin.unsafe(`drop database ${ascii}`)
    await admin.unsafe(`drop role ${role}`)
    await admin.end()
  })
  const textOf = async (address: string, state: string) => {
    const found = await findPart({ DATABASE_URL: address }, 'database')
    t.equal(found.state, state, found.text)
    return found.text
  }
  const limited = Object.assign(new URL(url), { username: role }).href
  t.match(
    await textOf(limited, 'fails'),
    /^permission denied for .*: let the user of DATABASE_URL own the database$/,
  )
  await sql.unsafe(`grant select on migrations to ${role}`)
  t.match(await textOf(limited, 'fails'), /^permission denied for schema public: let the user/)
  t.match(
    await textOf(databaseUrl(ascii), 'fails'),
    /^the database has the encoding SQL_ASCII: make one with/,
  )
  const tablesOf = () => sql`select count(*)::int as count from pg_class where relname like 'parley_check%'`
  t.match(await textOf(url, 'ok'), 'the schema of this release')
  t.strictSame([...(await tablesOf())], [{ count: 0 }], 'the trial is undone')
  await sql`delete from migrations where name >= '0003'`
  t.match(
    await textOf(url, 'ok'),
    /\d+ changes of the schema to come: back up, then run the release command$/,
  )
  await sql`insert into migrations (name) values ('9999-later.sql')`
  t.match(
    await textOf(url, 'fails'),
    /^the database is of a newer release, with 9999-later\.sql: start that release/,
  )
  await sql.unsafe('drop schema public cascade; create schema public')
  t.match(await textOf(url, 'ok'), /still empty: run the release command$/)
  t.match(await findPart({ DATABASE_URL: url }, 'scim'), { state: 'unused', text: /^there is no token/ })
  const crowded = await findPart({ DATABASE_URL: url, DATABASE_CONNECTIONS: '1000' }, 'database')
  t.match(crowded, {
    state: 'fails',
    text: /^one web process takes 1010 connections, and max_connections is \d+: raise it/,
  })
  const nowhere = 'postgres://parley:hidden@127.0.0.1:1/parley'
  t.equal(await textOf(nowhere, 'fails'), 'the database of DATABASE_URL cannot be reached (ECONNREFUSED)')
  t.strictSame(
    await findPart({ DATABASE_URL: nowhere }, 'scim'),
    {
      state: 'fails',
      text: 'whether there is a token is unknown: the database of DATABASE_URL cannot be reached (ECONNREFUSED)',
    },
    'SCIM may be on',
  )
})

t.test(
  '[PREFLIGHT6] a part that never answers fails, and other failures are explained in one line',
  async (t) => {
    const clock = new ManualClock()
    const hanging = find('part', clock, () => new Promise(() => {}), String)
    clock.advance(30_000)
    t.strictSame(await hanging, { part: 'part', state: 'fails', text: 'it did not answer within 30 seconds' })
    const failing = (error: Error) =>
      find(
        'part',
        clock,
        () => Promise.reject(error),
        () => 'explained\nin two',
      )
    t.equal((await failing(new Error('with a secret'))).text, 'explained in two')
    t.equal((await failing(new CheckError('do this'))).text, 'do this')
  },
)

t.test('[PREFLIGHT7] log-ins by SAML, calls and SCIM are tried where they are configured', async (t) => {
  const [bigBlueButton, liveKit, calls, url] = await Promise.all([
    startBigBlueButton(t),
    startLiveKit(t),
    startCallProvider(t),
    createDatabase(t, 'people'),
  ])
  const asked: string[] = []
  let status = 302
  const saml = await listenLocally(
    t,
    createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.writeHead(status, { location: 'https://idp.example.com/log-in' }).end()
    }),
  )
  const env: Env = {
    PUBLIC_URL: 'https://chat.example.com',
    DATABASE_URL: url,
    SAML_PROVIDERS: JSON.stringify([{ ...SAML_SETTINGS, url: `${saml}/sso` }]),
    ...bigBlueButton.env,
    ...liveKit.env,
    ...calls.env,
  }
  const linesOf = async (change: Env = {}) => {
    const findings = await checkConfig(readConfig({ ...env, ...change }))
    return new Map(findings.map(({ part, state, text }) => [part, `${state}: ${text}`]))
  }
  const off = await linesOf()
  t.equal(off.get('scim'), 'unused: there is no token: "admin -- scim token" makes one')
  t.match(
    off.get('log-ins by company (SAML)'),
    /^ok: 127\.0\.0\.1:\d+ answers a log-in; its certificate lasts until \d{4}-\d\d-\d\d; signatures show/,
  )
  t.match(asked, [/^GET \/sso\?SAMLRequest=/])
  t.match(off.get('calls by BigBlueButton'), /^ok: 127\.0\.0\.1:\d+ takes the secret$/)
  t.match(off.get('calls by LiveKit'), /^ok: 127\.0\.0\.1:\d+ takes the key; people join at /)
  t.match(
    off.get('calls by a provider'),
    /^ok: 127\.0\.0\.1:\d+ takes the client's secret; grants show at a call$/,
  )
  t.same([bigBlueButton.meetings.size], [0], 'no meeting begins')

  await runHere({ DATABASE_URL: url }, ['scim', 'token'])
  status = 404
  const wrong = await linesOf({
    BIGBLUEBUTTON_SECRET: 'another',
    LIVEKIT_API_SECRET: 'another secret of thirty-two characters',
    VIDEO_PROVIDER_CLIENT_SECRET: 'another',
    PUBLIC_URL: 'http://localhost:9991',
  })
  t.match(
    wrong.get('log-ins by company (SAML)'),
    /^fails: 127\.0\.0\.1:\d+ answers a log-in with 404: look at "url" in SAML_PROVIDERS, and whether the provider knows http/,
  )
  t.match(
    wrong.get('calls by BigBlueButton'),
    'fails: the people of a meeting were answered with checksumError; look at BIGBLUEBUTTON_URL and _SECRET, and',
  )
  t.match(
    wrong.get('calls by LiveKit'),
    'fails: the people of a room were answered with 401; look at LIVEKIT_URL,',
  )
  t.match(wrong.get('calls by a provider'), /^fails: .*; look at VIDEO_PROVIDER_URL,/)
  t.match(wrong.get('scim'), /^fails: there is a token, and providers take addresses with https/)
  t.match((await linesOf()).get('scim'), 'ok: on at https://chat.example.com/scim/v2; wrong tokens show in')

  const free = await findFreePort()
  const elsewhere = await linesOf({
    SAML_PROVIDERS: JSON.stringify([{ ...SAML_SETTINGS, url: `http://127.0.0.1:${free}/sso` }]),
    // A server that has no rooms.
    LIVEKIT_URL: saml.replace('http', 'ws'),
  })
  t.match(
    elsewhere.get('log-ins by company (SAML)'),
    `fails: 127.0.0.1:${free} does not answer (ECONNREFUSED): look at "url" in SAML_PROVIDERS, at its`,
  )
  t.match(elsewhere.get('calls by LiveKit'), 'fails: the people of a room were answered with 404; look at')
  const secrets = [bigBlueButton.env.BIGBLUEBUTTON_SECRET, liveKit.env.LIVEKIT_API_SECRET, CLIENT_SECRET]
  for (const lines of [off, wrong, elsewhere])
    t.notOk(secrets.some((secret) => [...lines.values()].some((line) => line.includes(String(secret)))))
})

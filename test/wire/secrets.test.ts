/** Secrets that the server's log must not contain. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { storePasswordHash } from '../../db/accounts/users.ts'
import { readConfig } from '../../server/config.ts'
import { createLogger } from '../../server/logger.ts'
import { startNode } from '../../server/node/node.ts'
import { Passwords } from '../../server/changes/passwords.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { Browser } from '../harness/browser/browser.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import { ACCOUNTS, emailOf } from '../harness/servers/start-server.ts'

const ROOT = join(import.meta.dirname, '../..')

function run(args: readonly string[], env: Record<string, string> = {}) {
  return spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...moduleSettings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

t.test('[SEC1] the request log, at its most detailed, has no key, password, cookie or query', async (t) => {
  const databaseUrl = await createDatabase(t, 'people')
  const sql = connect(databaseUrl, 1, 'parley-test')
  const hash = await new Passwords({ N: 2 ** 10 }).hash('rightPassword')
  await storePasswordHash(sql, ACCOUNTS.get('member')?.id as UserId, hash)
  await sql.end()
  const web = run(['server/main.ts'], { DATABASE_URL: databaseUrl, PORT: '0', LOG_LEVEL: 'trace' })
  t.teardown(() => web.kill('SIGKILL'))
  let log = ''
  const url = await new Promise<string>((resolve, reject) => {
    web.stdout.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      const found = /"url":"([^"]+)"/.exec(log)?.[1]
      if (found !== undefined) resolve(found)
    })
    web.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
    web.once('exit', () => reject(new Error(`the web process ended: ${log}`)))
  })
  const { id, key } = ACCOUNTS.get('member') as { id: number; key: string }
  const member = new Client(url, id, emailOf('member'), key)
  t.equal((await member.get('/users/me', { unknown: 'secretQuery' })).status, 200)
  const wrong = new Client(url, id, emailOf('member'), key.split('').reverse().join(''))
  t.equal((await wrong.get('/users/me')).status, 401)
  const anyone = new Client(url, 0, '', '')
  const logIn = { username: emailOf('member'), password: 'secretPassword' }
  t.equal((await anyone.post('/fetch_api_key', logIn)).status, 401)
  t.equal(
    (await member.post('/messages', { type: 'direct', to: [id], content: 'secretMessage' })).status,
    200,
  )
  for (const path of ['/join/', '//join/', '/%6aoin/', '/join%2F', '/JOIN/', '/api/v1/join/', '/join/%2e/'])
    t.equal((await fetch(`${url}${path}secretInvitation/more`)).status, 404, path)
  t.equal((await fetch(`${url}/user_uploads/temporary/secretFile/a.txt`)).status, 404)
  const browser = new Browser(url)
  t.equal((await browser.logIn(emailOf('member'), 'rightPassword')).status, 200)
  const [session = '', csrfToken = ''] = browser.cookies.values()
  t.equal((await browser.call('POST', '/json/register')).status, 200)
  t.equal((await browser.send('GET', '/accounts/login')).status, 303)
  t.equal((await browser.call('POST', '/json/logout')).status, 200)
  t.equal(
    (await browser.at(url).send('GET', '/json/users/me', { headers: { cookie: `sessionid=${session}` } }))
      .status,
    401,
  )
  web.kill('SIGTERM')
  await once(web, 'close') // All of its log is read by then, unlike at its exit.

  t.match(log, /"path":"\/api\/v1\/users\/me","status":200/, 'requests are in the log')
  t.match(log, /"path":"\/api\/v1\/fetch_api_key","status":401/)
  for (const secret of [
    key,
    wrong.key,
    member.authorization.slice('Basic '.length),
    wrong.authorization.slice('Basic '.length),
    session.slice(session.indexOf('.') + 1),
    csrfToken,
    'rightPassword',
    'secretQuery',
    'secretPassword',
    'secretMessage',
    'secretInvitation',
    'secretFile',
  ]) {
    t.notOk(log.includes(secret), secret)
  }
})

t.test('[SEC2] a logged secret is removed by its name, at any depth that is logged', async (t) => {
  const script = `
    import { createLogger } from './server/logger.ts'
    const names = ['authorization', 'password', 'api_key', 'apiKey', 'key', 'token', 'databaseUrl', 'redisUrl']
    const secrets = Object.fromEntries(names.map((name) => [name, 'hidden-' + name]))
    createLogger('info').info({ ...secrets, kept: 'seen', one: { ...secrets, two: secrets } }, 'a line')`
  const logger = run(['--input-type=module', '--eval', script])
  const line = await text(logger.stdout)
  t.match(line, '"kept":"seen"')
  t.match(line, '"authorization":"[redacted]"')
  t.notMatch(line, /hidden-/)
})

t.test('[SEC3] an unreachable database is reported without its password', async (t) => {
  const web = run(['server/main.ts'], {
    DATABASE_URL: 'postgres://someone:secretPassword@127.0.0.1:1/none',
    PORT: '0',
  })
  const [out, err] = await Promise.all([text(web.stdout), text(web.stderr)])
  t.match(err, /^parley: the database of DATABASE_URL cannot be reached/)
  t.equal(err.trim().split('\n').length, 1)
  t.notMatch(out + err, /secretPassword/)
})

t.test(
  '[ACCESS1] ACCESS_LOG=on logs each request at the level info, without its query and secrets',
  async (t) => {
    const lines: { record: Record<string, unknown>; msg: string }[] = []
    const logger = Object.assign(createLogger('silent'), {
      isLevelEnabled: (level: string) => level === 'info',
      info: (record: Record<string, unknown>, msg: string) => void lines.push({ record, msg }),
    })
    const databaseUrl = await createDatabase(t, 'people')
    const settings = { PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: moduleSettings().DATA_DIR }
    const start = async (ACCESS_LOG: string) => {
      const config = { ...readConfig({ ...settings, ACCESS_LOG }), databaseUrl }
      const node = await startNode({ config, logger })
      await fetch(`${node.url}/health/live`)
      await fetch(`${node.url}/join/secretInvitation/?token=secretQuery`)
      await node.close()
      return lines.splice(0).filter(({ msg }) => msg === 'request')
    }
    const logged = await start('on')
    t.match(logged, [
      { record: { method: 'GET', path: '/health/live', status: 200 } },
      { record: { method: 'GET', path: '/join/' } },
    ])
    t.strictSame(Object.keys(logged[0]?.record ?? {}), [
      'requestId',
      'method',
      'path',
      'status',
      'durationMs',
    ])
    t.notMatch(JSON.stringify(logged), /secret/)
    t.strictSame(await start('off'), [], 'off by default')
    t.equal(readConfig({}).hasAccessLog, false)
  },
)

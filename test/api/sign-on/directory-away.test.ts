/** Log-ins with a directory that is away, lies, or is attacked: these run without an OpenLDAP server. */

import { TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import { Directory } from '../../../server/changes/sign-on/directory/directory.ts'
import { DirectoryError } from '../../../server/changes/sign-on/directory/directory-error.ts'
import { ConfigError, readConfig } from '../../../server/config.ts'
import { systemClock } from '../../../server/domain/clock.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { FOR_ADDRESSES } from '../../harness/databases/certificates.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import {
  encodeResult,
  type LyingDirectory,
  startLyingDirectory,
} from '../../harness/sign-on/start-lying-directory.ts'

const PASSWORD = 'correct horse battery'
const directory = await startLyingDirectory(t)
const server = await startTestServer(t, { env: directory.env })
const { sql, passwords } = server.node.services
await storePasswordHash(sql, server.as('owner').userId as UserId, await passwords.hash(PASSWORD))

const UNAVAILABLE = [
  "The company's directory is unavailable, try again shortly",
  { status: 503, code: 'DIRECTORY_UNAVAILABLE' },
] as const
const WRONG = [
  'Your username or password is incorrect',
  { status: 401, code: 'AUTHENTICATION_FAILED' },
] as const
const fetchKey = (username: string, password = PASSWORD) =>
  server.anyone.post('/fetch_api_key', { username, password })
const logIn = (username: string, password = PASSWORD) =>
  new Browser(server.node.url).send('POST', '/json/login', { fields: { username, password } })
const person = (mail: readonly string[], id = 'an id') => ({
  dn: 'uid=someone,dc=example,dc=com',
  values: { mail, entryUUID: [id], displayName: ['Some One'] },
})
const directoryOf = (env: Record<string, string>, clock: ManualClock | typeof systemClock = systemClock) => {
  const { directory: settings } = readConfig({ ...directory.env, ...env })
  if (!settings) throw new Error('no directory')
  return new Directory(settings, clock)
}
const nothing = async () => undefined

t.afterEach(() => {
  directory.entries = []
  directory.bindStatus = 0
  directory.odd = undefined
})

t.test('[DIRECTORY1] an empty password is refused before the directory is asked', async (t) => {
  directory.entries = [person([emailOf('member')])]
  const before = directory.connections
  expectRefusal(t, await fetchKey('someone', ''), ...WRONG)
  expectRefusal(t, await logIn(emailOf('member'), ''), ...WRONG)
  t.equal(await directoryOf({}).logIn('someone', '', nothing), undefined)
  t.equal(directory.connections, before, 'this one says that every bind is right')
})

t.test('[DIRECTORY2] several entries of a name, or none, are a wrong password', async (t) => {
  directory.entries = [person([emailOf('member')]), person([emailOf('owner')], 'another')]
  expectRefusal(t, await fetchKey('someone'), ...WRONG)
  directory.entries = []
  const before = directory.requests.length
  expectRefusal(t, await fetchKey('someone'), ...WRONG)
  t.same(directory.requests.slice(before), ['search', 'bind'], 'an unknown name takes as many answers')
})

t.test('[DIRECTORY3] a person without an account here learns why they get none', async (t) => {
  const REFUSED = { status: 403, code: 'ACCOUNT_REFUSED' }
  directory.entries = [person([])]
  const noAddress = "The company's directory has no email address for you. Ask its administrators."
  expectRefusal(t, await fetchKey('someone'), noAddress, REFUSED)
  expectRefusal(t, await logIn('someone'), noAddress, REFUSED)
  directory.entries = [person(['no address', 'nor+this@'], 'of nobody')]
  expectRefusal(t, await fetchKey('someone'), noAddress, REFUSED)
  directory.entries = [person([emailOf('member2')], 'first')]
  t.equal((await fetchKey('someone')).status, 200)
  directory.entries = [person([emailOf('member2')], 'second')]
  const taken = "Your address belongs to another person in the company's directory. Ask an administrator."
  expectRefusal(t, await fetchKey('someone'), taken, REFUSED)
  const page = await new Browser(server.node.url).send('POST', '/accounts/login', {
    fields: { username: 'someone', password: PASSWORD },
  })
  t.equal(page.status, 403)
  t.match(page.text, 'Your address belongs to another person')
})

t.test('[DIRECTORY4] while the directory is away, sessions and the passwords of owners work', async (t) => {
  directory.entries = [person([emailOf('member')], 'of the member')]
  const browser = new Browser(server.node.url)
  const fields = { username: 'someone', password: PASSWORD }
  t.equal((await browser.send('POST', '/json/login', { fields })).status, 200)
  const change = { old_password: PASSWORD, new_password: 'another horse battery' }
  expectRefusal(
    t,
    await server.as('member').patch('/settings', change),
    "Your password is that of the company's directory: change it there.",
  )
  directory.odd = (socket) => socket.destroy()
  expectRefusal(t, await fetchKey('someone'), ...UNAVAILABLE)
  expectRefusal(t, await logIn('someone'), ...UNAVAILABLE)
  const page = await new Browser(server.node.url).send('POST', '/accounts/login', { fields })
  t.equal(page.status, 503)
  t.match(page.text, 'The company’s directory does not respond. Try again in a moment.')
  t.match(page.text, 'Email address or user name')
  t.equal((await browser.send('GET', '/json/users/me')).status, 200)
  t.equal((await fetchKey(emailOf('owner'))).status, 200)
})

t.test('[DIRECTORY5] whatever goes wrong with a directory ends in one error, without secrets', async (t) => {
  const clock = new ManualClock()
  const oddities: Record<string, LyingDirectory['odd']> = {
    'nothing in LDAP': (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'half an answer': (socket, _, answer) => socket.end(answer.subarray(0, 5)),
    'an unknown status': (socket) => socket.write(encodeResult(2, 0x61, 80)),
    'no bind before a search': (socket) => socket.write(encodeResult(2, 0x65, 1)),
  }
  for (const [name, odd] of Object.entries(oddities)) {
    directory.odd = odd
    const error = await directoryOf({ LDAP_BIND_DN: 'cn=reader', LDAP_BIND_PASSWORD: 'a secret' }, clock)
      .logIn('someone', PASSWORD, nothing)
      .catch((one: unknown) => one)
    t.ok(error instanceof DirectoryError, name)
    t.notMatch(String(error), /a secret|correct horse/)
  }
  directory.odd = undefined
  directory.bindStatus = 49
  const refused = directoryOf({ LDAP_BIND_DN: 'cn=reader', LDAP_BIND_PASSWORD: 'a secret' })
  await t.rejects(refused.logIn('someone', PASSWORD, nothing), {
    message: 'it refuses LDAP_BIND_DN with LDAP_BIND_PASSWORD',
  })
  const closed = directoryOf({ LDAP_URL: 'ldap://127.0.0.1:1' })
  await t.rejects(closed.logIn('someone', PASSWORD, nothing), { message: /\(ECONNREFUSED\)$/ })
  directory.entries = [{ dn: 'cn=x', values: { mail: ['a@example.com'] } }]
  await t.rejects(directoryOf({}).logIn('a', 'b', nothing), { message: /look at LDAP_ID$/ })
})

t.test('[DIRECTORY6] a directory that does not answer is given up', async (t) => {
  const clock = new ManualClock()
  const asked = Promise.withResolvers<void>()
  directory.odd = () => asked.resolve()
  const login = directoryOf({}, clock).logIn('someone', PASSWORD, nothing)
  await asked.promise
  clock.advance(10_000)
  await t.rejects(login, { message: 'its answer is too late' })
})

t.test('[DIRECTORY7] log-ins at a time are limited', async (t) => {
  const clock = new ManualClock()
  const arrived = Promise.withResolvers<void>()
  let count = 0
  directory.odd = () => {
    if (++count === 50) arrived.resolve()
  }
  const busy = directoryOf({}, clock)
  const logins = Array.from({ length: 50 }, () => busy.logIn('someone', PASSWORD, nothing))
  await arrived.promise
  await t.rejects(busy.logIn('someone', PASSWORD, nothing), { name: 'OverloadError' })
  clock.advance(10_000)
  for (const one of await Promise.allSettled(logins)) t.equal(one.status, 'rejected')
  directory.odd = undefined
  t.equal(await busy.logIn('nobody', PASSWORD, nothing), undefined)
})

/** Agrees to TLS, and answers its first message with an answer to a bind in the clear. */
const endAfterHello: LyingDirectory['odd'] = (socket, _, answer) => {
  socket.removeAllListeners('data')
  socket.once('data', () => socket.end(encodeResult(2, 0x61, 0)))
  socket.write(answer)
}

t.test('[DIRECTORY8] no password is sent unless the directory agrees to TLS', async (t) => {
  const startTls = { LDAP_STARTTLS: 'on', LDAP_BIND_DN: 'cn=reader', LDAP_BIND_PASSWORD: 'a secret' }
  const lies: Record<string, [LyingDirectory['odd'], RegExp]> = {
    'a refusal': [(socket) => socket.write(encodeResult(1, 0x78, 2)), /offers no TLS/],
    'another answer': [(socket) => socket.write(encodeResult(1, 0x61, 0)), /offers no TLS/],
    'the start of a later answer in the clear': [
      (socket, _, answer) => socket.write(Buffer.concat([answer, encodeResult(2, 0x61, 0).subarray(0, 13)])),
      /sends something after/,
    ],
    'no LDAP': [(socket) => socket.write('220 mail.example.com ESMTP, but a long one\r\n'.repeat(50)), /./],
    'the end': [(socket) => socket.end(), /./],
    'no TLS after all': [endAfterHello, /./],
  }
  let isAsked = false
  lies['a certificate of an unknown authority'] = [
    (socket, _, answer) => {
      socket.removeAllListeners('data')
      socket.write(answer)
      const secure = new TLSSocket(socket, { isServer: true, ...FOR_ADDRESSES })
      secure.on('data', () => (isAsked = true)).on('error', () => undefined)
    },
    /\((SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)\)/,
  ]
  for (const [name, [odd, message]] of Object.entries(lies)) {
    isAsked = false
    directory.odd = (socket, kind, answer) => {
      if (kind === 'tls') odd?.(socket, kind, answer)
      else isAsked = true
    }
    const login = directoryOf(startTls, new ManualClock()).logIn('someone', PASSWORD, nothing)
    await t.rejects(login, { name: 'DirectoryError', message }, name)
    t.notOk(isAsked, name)
  }
})

t.test('[DIRECTORY9] wrong settings are refused with their names, and without secrets', async (t) => {
  const right = {
    LDAP_URL: 'ldaps://ldap.example.com',
    LDAP_BASE: 'dc=example,dc=com',
    LDAP_BIND_DN: 'cn=reader',
    LDAP_BIND_PASSWORD: 'a secret',
  }
  const expectWrong = (t: Test, env: Record<string, string>, wanted: RegExp) => {
    try {
      readConfig({ ...right, ...env })
      t.fail(`taken: ${JSON.stringify(env)}`)
    } catch (error) {
      t.ok(error instanceof ConfigError)
      t.match((error as Error).message, wanted)
      t.notMatch((error as Error).message, 'a secret')
    }
  }
  t.match(readConfig(right).directory, { host: 'ldap.example.com', port: 636, security: 'tls' })
  t.match(readConfig({ ...right, LDAP_URL: 'ldap://[::1]:3890' }).directory, {
    host: '::1',
    port: 3890,
    security: 'none',
  })
  t.match(readConfig({ ...right, LDAP_URL: 'ldap://ldap.example.com/' }).directory, {
    port: 389,
    security: 'starttls',
  })
  t.equal(readConfig({}).directory, undefined)
  expectWrong(t, { LDAP_URL: 'https://ldap.example.com' }, /^LDAP_URL must be/)
  expectWrong(t, { LDAP_URL: 'ldaps://reader:a secret@ldap.example.com' }, /^LDAP_URL must be/)
  expectWrong(t, { LDAP_URL: 'ldaps://ldap.example.com/dc=example' }, /^LDAP_URL must be/)
  expectWrong(t, { LDAP_URL: 'ldap://ldap.example.com', LDAP_STARTTLS: 'off' }, /^LDAP_STARTTLS=off is for/)
  expectWrong(t, { LDAP_STARTTLS: 'on' }, /^LDAP_STARTTLS is for ldap/)
  expectWrong(t, { LDAP_BASE: '' }, /^LDAP_BASE must be set/)
  expectWrong(t, { LDAP_BIND_PASSWORD: '' }, /must be set together$/)
  for (const filter of ['(uid=ann)', 'uid={login}', '(uid={login}', '(uid={login})(mail={login})', '{login}'])
    expectWrong(t, { LDAP_FILTER: filter }, /^LDAP_FILTER must be/)
  expectWrong(t, { LDAP_EMAIL: 'mail,' }, /^LDAP_EMAIL must be/)
  expectWrong(t, { LDAP_ID: 'entry UUID' }, /^LDAP_ID must be/)
  expectWrong(t, { LDAP_NAME: '*' }, /^LDAP_NAME must be/)
  expectWrong(t, { LDAP_ROLES: '{' }, /^LDAP_ROLES must be valid JSON/)
  expectWrong(t, { LDAP_USER_GROUPS: '[]' }, /^LDAP_ROLES or LDAP_USER_GROUPS must have/)
  expectWrong(t, { LDAP_ACCOUNTS: 'everyone' }, /^LDAP_ACCOUNTS must be one of/)
})

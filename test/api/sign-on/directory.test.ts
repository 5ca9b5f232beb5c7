/** Log-ins with the password of a company's directory: a real OpenLDAP server, where it is installed. */

import t from 'tap'
import { findLinkedUserId } from '../../../db/accounts/login-links.ts'
import { findResettable } from '../../../db/accounts/password-resets.ts'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import { Directory } from '../../../server/changes/sign-on/directory/directory.ts'
import { checkConfig } from '../../../server/checks/check-config.ts'
import { readConfig } from '../../../server/config.ts'
import { systemClock } from '../../../server/domain/clock.ts'
import { ROLES } from '../../../server/domain/entities.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { DIRECTORY_OPTIONS, startDirectory } from '../../harness/sign-on/start-directory.ts'

const PASSWORD = 'pässwort of the directory'
const OWN_PASSWORD = 'correct horse battery'
const WRONG = [
  'Your username or password is incorrect',
  { status: 401, code: 'AUTHENTICATION_FAILED' },
] as const
const nothing = async () => undefined

t.test('log-ins by a directory', DIRECTORY_OPTIONS, async (t) => {
  const directory = await startDirectory(t)
  const group = 'CN=Chat Admins, ou=groups,dc=example,dc=com'
  const clock = new ManualClock()
  const server = await startTestServer(t, {
    clock,
    env: {
      ...directory.env,
      LDAP_ROLES: JSON.stringify({ [group]: 'administrator' }),
      LDAP_ACCOUNTS: 'anyone',
      RATE_LIMIT_LOGINS_PER_MINUTE: '12',
    },
  })
  const { sql, passwords, state } = server.node.services
  await directory.add('ann', {
    mail: 'ann@example.com',
    displayName: 'Ännchen Meyer',
    userPassword: PASSWORD,
  })
  const fetchKey = (username: string, password = PASSWORD) =>
    server.anyone.post('/fetch_api_key', { username, password })
  const setOwnPassword = async (id: number) =>
    storePasswordHash(sql, id as UserId, await passwords.hash(OWN_PASSWORD))
  t.beforeEach(() => clock.advance(61_000))

  t.test('[DIRECTORY10] name and address both log in, by each door that takes a password', async (t) => {
    const first = await fetchKey('ann')
    t.equal(first.status, 200)
    const user = state.getUser(first.body.user_id as UserId)
    t.match(user, { email: 'ann@example.com', fullName: 'Ännchen Meyer', role: ROLES.member, isActive: true })
    t.equal((await fetchKey(' ANN@example.com ')).body.user_id, user.id)
    const browser = new Browser(server.node.url)
    const fields = { username: 'ann', password: PASSWORD }
    t.equal((await browser.send('POST', '/json/login', { fields })).body.user_id, user.id)
    const page = new Browser(server.node.url)
    t.equal((await page.send('POST', '/accounts/login', { fields })).headers.get('location'), '/')
    t.equal((await page.send('GET', '/json/users/me')).body.user_id, user.id)
    for (const password of ['', ' ', `${PASSWORD} `, OWN_PASSWORD])
      expectRefusal(t, await fetchKey('ann', password), ...WRONG)
    t.match(await server.anyone.must('GET', '/server_settings'), {
      authentication_methods: { ldap: true, password: true },
      require_email_format_usernames: false,
    })
  })

  t.test('[DIRECTORY11] no letter of a name has a meaning in the filter', async (t) => {
    const names = ['*', 'a*', 'ann)(uid=*', 'ann)(|(uid=*', '*)(objectClass=*', 'ann\\', '\\61nn', '{login}']
    for (const name of names) {
      clock.advance(61_000)
      expectRefusal(t, await fetchKey(name), ...WRONG)
    }
    await directory.add('odd', {
      uid: ['odd', 'odd*(one)\\'],
      mail: 'odd@example.com',
      userPassword: PASSWORD,
    })
    t.equal((await fetchKey('odd*(one)\\')).body.email, 'odd@example.com')
    await directory.add('jürgen', { mail: 'juergen@example.com', userPassword: PASSWORD })
    t.equal((await fetchKey('Jürgen')).body.email, 'juergen@example.com')
  })

  t.test('[DIRECTORY12] the directory decides about its people, except for owners', async (t) => {
    for (const person of ['member', 'owner'] as const) {
      const { userId } = server.as(person)
      await setOwnPassword(userId)
      t.equal((await fetchKey(emailOf(person), OWN_PASSWORD)).status, 200, 'until the first log-in by it')
      await directory.add(person, { mail: emailOf(person), userPassword: PASSWORD })
      t.equal((await fetchKey(person)).body.user_id, userId)
    }
    expectRefusal(t, await fetchKey(emailOf('member'), OWN_PASSWORD), ...WRONG)
    t.equal((await fetchKey(emailOf('owner'), OWN_PASSWORD)).status, 200)
    const issuer = 'ldap:ou=people,dc=example,dc=com'
    t.equal(await findResettable(sql, emailOf('member'), issuer), undefined, 'no mail sets it anew')
    t.equal((await findResettable(sql, emailOf('owner'), issuer))?.email, emailOf('owner'))
    const { api_key } = (await fetchKey('member')).body
    const member = new Client(server.node.url, server.as('member').userId, emailOf('member'), api_key)
    const change = { old_password: OWN_PASSWORD, new_password: 'another horse battery' }
    expectRefusal(
      t,
      await member.patch('/settings', change),
      "Your password is that of the company's directory: change it there.",
    )
    await directory.change('member', { userPassword: 'another one' })
    expectRefusal(t, await fetchKey('member'), ...WRONG)
    await directory.remove('member')
    expectRefusal(t, await fetchKey('member', 'another one'), ...WRONG)
  })

  t.test('[DIRECTORY13] its password proves a person in their session', async (t) => {
    const browser = new Browser(server.node.url)
    await browser.send('POST', '/json/login', { fields: { username: 'ann', password: PASSWORD } })
    clock.advance(11 * 60_000)
    const regenerate = (password: string) =>
      browser.call('POST', '/json/users/me/api_key/regenerate', { password })
    t.match((await regenerate('')).body, { code: 'RECENT_LOGIN_REQUIRED' })
    t.match((await regenerate(OWN_PASSWORD)).body, { msg: 'Wrong password!' })
    t.equal((await regenerate(PASSWORD)).status, 200)
  })

  t.test('[DIRECTORY14] names and roles follow the directory at each log-in', async (t) => {
    const { user_id: id } = (await fetchKey('ann')).body
    const user = () => state.getUser(id as UserId)
    await directory.addGroup('chat admins', ['ann'])
    await directory.change('ann', { displayName: 'Ann Schmidt' })
    await fetchKey('ann')
    t.match(user(), { fullName: 'Ann Schmidt', role: ROLES.administrator })
    await directory.change('ann', { mail: 'ann.schmidt@example.com' })
    t.equal((await fetchKey('ann')).body.user_id, id, 'the id of the entry counts, not its address')
    await directory.add('newcomer', { mail: 'ann@example.com', userPassword: PASSWORD })
    const refused = await fetchKey('newcomer')
    t.equal(refused.status, 403, 'nobody takes over an account by an address')
    t.match(refused.body.code, 'ACCOUNT_REFUSED')
  })

  t.test('[DIRECTORY15] guesses are counted by person, whatever name they enter', async (t) => {
    await directory.add('guessed', {
      uid: ['guessed', ...Array.from({ length: 20 }, (_, index) => `guessed${index}`)],
      mail: 'guessed@example.com',
      userPassword: PASSWORD,
    })
    const statuses: number[] = []
    for (let index = 0; index < 14; index++) {
      const { status } = await server.anyone.post('/fetch_api_key', {
        username: `guessed${index}`,
        password: 'a guess',
      })
      statuses.push(status)
    }
    t.same(statuses, [...Array.from({ length: 12 }, () => 401), 429, 429])
  })

  t.test('[DIRECTORY16] TLS is checked against the name and the authority', async (t) => {
    const { ports, caFile, env } = directory
    const logIn = (url: string, more: Record<string, string> = {}) => {
      const { directory: settings } = readConfig({ ...env, LDAP_URL: url, ...more })
      if (!settings) throw new Error('no directory')
      return new Directory(settings, systemClock).logIn('ann', PASSWORD, nothing)
    }
    const plain = `ldap://localhost:${ports.plain}`
    const tls = `ldaps://localhost:${ports.tls}`
    const isAnn = { emails: ['ann.schmidt@example.com'] }
    t.match(await logIn(tls, { LDAP_CA: caFile }), isAnn)
    t.match(await logIn(plain, { LDAP_CA: caFile, LDAP_STARTTLS: 'on' }), isAnn)
    await t.rejects(logIn(tls), { message: /SELF_SIGNED_CERT_IN_CHAIN/ })
    await t.rejects(logIn(plain, { LDAP_STARTTLS: 'on' }), { message: /SELF_SIGNED_CERT_IN_CHAIN/ })
    const byAddress = tls.replace('localhost', '127.0.0.1')
    await t.rejects(logIn(byAddress, { LDAP_CA: caFile }), { message: /ERR_TLS_CERT_ALTNAME_INVALID/ })
    await t.rejects(logIn(plain, { LDAP_BIND_PASSWORD: 'wrong' }), { message: /LDAP_BIND_DN/ })
    await t.rejects(logIn(plain, { LDAP_FILTER: '(uid{login})' }), { message: 'LDAP_FILTER is not a filter' })
    await t.rejects(logIn(plain, { LDAP_BASE: 'ou=nowhere,dc=example,dc=com' }), { name: 'DirectoryError' })
  })

  t.test('[DIRECTORY18] the check of the settings searches, and says what to look at', async (t) => {
    const folder = { DATA_DIR: await makeFolder(t) }
    const find = async (env: Record<string, string>) =>
      (await checkConfig(readConfig({ ...directory.env, ...folder, ...env }))).find(
        ({ part }) => part === 'directory',
      )
    const place = `127.0.0.1:${directory.ports.plain}`
    t.match(await find({}), { state: 'ok', text: `${place} finds people, without TLS` })
    t.match(await find({ LDAP_FILTER: '(title={login})' }), { state: 'fails', text: /look at LDAP_BASE/ })
    const roles = JSON.stringify({ [group]: 'owner', 'cn=gone,dc=example,dc=com': 'guest' })
    t.match(await find({ LDAP_ROLES: roles }), { state: 'fails', text: /has no cn=gone,dc=example,dc=com:/ })
    const wrong = await find({ LDAP_BIND_PASSWORD: 'a wrong secret' })
    t.match(wrong, { state: 'fails', text: /it refuses LDAP_BIND_DN/ })
    t.notMatch(wrong?.text, 'a wrong secret')
  })

  t.test('[DIRECTORY17] only invited people get accounts if the operator says so', async (t) => {
    await directory.add('stranger', { mail: 'stranger@example.com', userPassword: PASSWORD })
    const { node } = await startTestServer(t, { env: { ...directory.env, LDAP_ACCOUNTS: 'invited' } })
    const anyone = new Client(node.url, 0, '', '')
    const fields = { username: 'stranger', password: PASSWORD }
    const answer = await anyone.post('/fetch_api_key', fields)
    expectRefusal(t, answer, 'You have no account here yet. Ask for an invitation.', {
      status: 403,
      code: 'ACCOUNT_REFUSED',
    })
    const issuer = 'ldap:ou=people,dc=example,dc=com'
    t.equal(await findLinkedUserId(node.services.sql, { issuer, subject: 'x' }), undefined)
  })
})

/** Passwords that attackers try first are refused wherever one is chosen. */

import { createHook } from 'node:async_hooks'
import t from 'tap'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import { storeReset } from '../../../db/accounts/password-resets.ts'
import { inviteByOperator } from '../../../server/changes/invitations/invite-by-operator.ts'
import { createApiKey, hashApiKey, Passwords } from '../../../server/changes/passwords.ts'
import { ROLES } from '../../../server/domain/entities.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { isPersonalPassword } from '../../../server/domain/users/personal-password.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startEmpty } from '../../harness/servers/start-empty.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { submitForm } from '../../harness/browser/visit-page.ts'

const server = await startTestServer(t)
const { services } = server.node
const { sql, state } = services
const COMMON =
  'This password is among those that attackers try first. Several words together are strong and easy to type.'
const PERSONAL =
  'This password is easy to guess from your name, your address or the name of the organization. Choose other words.'

/** Passwords that nobody may have, and the reasons. */
const WEAK: readonly (readonly [password: string, reason: string])[] = [
  ['password', COMMON],
  ['12345678', COMMON],
  ['PassWord1', COMMON],
  ['ｑｗｅｒｔｙｕｉｏｐ', COMMON],
  ['test organization', PERSONAL],
]
const GOOD = 'correct horse'

t.test('[PASS10] no operation takes a password that attackers try first', async (t) => {
  const owner = server.as('owner')
  const account = { full_name: 'Grace Hopper', email: 'amazing@navy.example' }
  const own = [account.full_name, account.email, 'amazing2024!', 'G.R.A.C.E.1906', 'navy navy']
  for (const [password, reason] of [...WEAK, ...own.map((one) => [one, PERSONAL] as const)])
    expectRefusal(t, await owner.post('/users', { ...account, password }), reason)
  t.equal(state.findUserByEmail(account.email), undefined)
  t.equal((await owner.post('/users', { ...account, password: GOOD })).status, 200)

  const member = server.as('member')
  const change = (new_password: string, fields = {}) => member.patch('/settings', { new_password, ...fields })
  const ownOnes = ['member@example.com', 'The Member 2024', 'Example: 1']
  for (const [password, reason] of [...WEAK, ...ownOnes.map((one) => [one, PERSONAL] as const)])
    expectRefusal(t, await change(password), reason)
  expectRefusal(t, await change('lovelace 1815', { email: 'lovelace@example.com' }), PERSONAL)
  t.equal((await change(GOOD)).status, 200)
})

t.test('[PASS11] no page takes one, and each says why beside its field', async (t) => {
  const shows = (text: string, reason: string) =>
    text.includes(reason) && /<input id="password"[^>]* aria-invalid="true"/.test(text)
  const { id, email } = state.getUser(5 as UserId)
  const token = createApiKey()
  await storeReset(sql, id, email, hashApiKey(token))
  const inviter = state.getUser(1 as UserId)
  const invited = { role: ROLES.member, channelNames: undefined, inviter, lifetimeMinutes: 60 }
  const { url } = await inviteByOperator(services, server.node.url, { ...invited, email: 'ada@example.com' })
  const empty = await startEmpty(t)
  const pages: [link: string, fields: Record<string, string>, own: string][] = [
    [`${server.node.url}/accounts/password/reset/${token}/`, {}, 'member2@example.com'],
    [url, { full_name: 'Ada Lovelace' }, 'Lovelace1815'],
    [
      empty.nodes[0].url + empty.path,
      {
        organization: 'Test Organization',
        full_name: 'Ada Lovelace',
        email: 'ada@example.com',
        channels: '',
      },
      'adalovelace',
    ],
  ]
  for (const [link, fields, own] of pages) {
    for (const [password, reason] of [...WEAK, [own, PERSONAL] as const]) {
      const { status, text } = await submitForm(link, { ...fields, password })
      t.ok(status === 400 && shows(text, reason), `${link}: ${password}`)
    }
    const { status } = await submitForm(link, { ...fields, password: GOOD })
    t.ok(status === 303 || status === 200, `${link} still works`)
  }
})

t.test('[PASS12] names inside a password with other words do not matter', async (t) => {
  const owner = { email: 'al.smith@shop.example', fullName: 'Zoë Al Smith', organization: 'Blue Horse' }
  for (const one of [
    'Zoe!!!!!',
    'smith-smith',
    'BLUEhorse99',
    'shop 123',
    'al.smith@shop.example',
    'Parley123',
  ])
    t.ok(isPersonalPassword(one, owner), one)
  for (const one of ['correct horse battery', 'also 7 apples', 'goldsmiths at work', 'aaaaaaaa', ''])
    t.notOk(isPersonalPassword(one, owner), one)
  t.notOk(isPersonalPassword('anything else', { email: '', fullName: '', organization: '' }))
})

t.test('[PASS13] a hash of production has the cost that OWASP recommends', async (t) => {
  const stored = await new Passwords().hash(GOOD)
  t.match(stored, /^scrypt\$65536\$8\$2\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/)
  t.equal(new Passwords().isOutdated(stored), false)
  t.equal(new Passwords().isOutdated(stored.replace('$2$', '$1$')), true)
})

t.test('[PASS14] a log-in replaces a cheaper hash of its password, whatever it asks for', async (t) => {
  const userId = 3 as UserId
  const older = await new Passwords({ N: 2 ** 9 }).hash(GOOD)
  const read = async () =>
    (await sql<{ hash: string }[]>`select password_hash as hash from users where id = ${userId}`)[0]?.hash ??
    ''
  const fields = { username: 'moderator@example.com', password: GOOD }
  const ways = [
    () => server.anyone.post('/fetch_api_key', fields),
    () => new Browser(server.node.url).send('POST', '/json/login', { fields }),
    () => new Browser(server.node.url).send('POST', '/accounts/login', { fields }),
  ]
  for (const way of ways) {
    await storePasswordHash(sql, userId, older)
    t.equal((await server.anyone.post('/fetch_api_key', { ...fields, password: 'wrong' })).status, 401)
    t.equal(await read(), older, 'a wrong password changes nothing')
    const many = await Promise.all([way(), way(), way()])
    t.ok(many.every(({ status }) => status === 200 || status === 303))
    const stored = await read()
    t.match(stored, /^scrypt\$1024\$8\$2\$/)
    await way()
    t.equal(await read(), stored, 'a present hash stays')
  }

  const { passwords } = services
  const hash = passwords.hash.bind(passwords)
  await storePasswordHash(sql, userId, older)
  passwords.hash = async (password) => {
    await storePasswordHash(sql, userId, await hash('another of the same person'))
    return hash(password)
  }
  t.equal((await server.anyone.post('/fetch_api_key', fields)).status, 401, 'it has changed meanwhile')
  passwords.hash = hash
  await storePasswordHash(sql, userId, older)
})

t.test('[PASS15] a wrong password costs as much if the hash of the account is a cheaper one', async (t) => {
  const passwords = new Passwords({ N: 2 ** 10 })
  const [present, older] = [await passwords.hash(GOOD), await new Passwords({ N: 2 ** 9 }).hash(GOOD)]
  let derived = 0
  const hook = createHook({
    init(_id, type) {
      if (type.startsWith('SCRYPT')) derived++
    },
  }).enable()
  const count = async (password: string, stored: string | undefined) => {
    derived = 0
    await passwords.verify(password, stored)
    return derived
  }
  t.same(
    [await count('wrong', present), await count('wrong', undefined), await count(GOOD, older)],
    [1, 1, 1],
  )
  t.equal(await count('wrong', older), 2, 'the rest is made up for')
  hook.disable()
})

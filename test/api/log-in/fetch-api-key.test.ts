import t from 'tap'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import { API_KEYS_PER_USER_MAX } from '../../../server/domain/limits.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addApiKey } from '../../harness/worlds/account-changes.ts'
import { createApiKey } from '../../../server/changes/passwords.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const PASSWORD = 'correct horse battery staple ä'
const server = await startTestServer(t)
const { sql, passwords, committer } = server.node.services
const hash = await passwords.hash(PASSWORD)
const member = server.as('member')
await storePasswordHash(sql, member.userId as UserId, hash)

const fetchKey = (username?: string, password?: string) =>
  server.anyone.post('/fetch_api_key', { username, password })
const INCORRECT = [
  'Your username or password is incorrect',
  { status: 401, code: 'AUTHENTICATION_FAILED' },
] as const
const works = async (key: string) =>
  (await new Client(member.url, member.userId, member.email, key).get('/users/me')).status === 200

t.test('[KEY1] the right password returns a new key; earlier keys stay valid', async (t) => {
  const keys: string[] = []
  const events = await expectConsistent(server, async () => {
    for (const username of [emailOf('member'), ` ${emailOf('member').toUpperCase()} `]) {
      const { status, body } = await fetchKey(username, PASSWORD)
      t.equal(status, 200)
      t.same(body, {
        result: 'success',
        msg: '',
        api_key: body.api_key,
        email: emailOf('member'),
        user_id: member.userId,
      })
      t.match(body.api_key, /^[A-Za-z0-9]{32}$/)
      keys.push(body.api_key)
    }
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  t.not(keys[0], keys[1])
  for (const key of [...keys, member.key]) t.ok(await works(key))
})

t.test(
  '[KEY2] a wrong password, an unknown account and an account without a password look alike',
  async (t) => {
    const answers = [
      await fetchKey(emailOf('member'), `${PASSWORD} `),
      await fetchKey(emailOf('member'), ''),
      await fetchKey('nobody@example.com', PASSWORD),
      await fetchKey('', PASSWORD),
      await fetchKey(emailOf('owner'), ''),
    ]
    for (const answer of answers) {
      expectRefusal(t, answer, ...INCORRECT)
      t.same([...answer.headers.keys()].sort(), [...(answers[0]?.headers.keys() ?? [])].sort())
    }
  },
)

t.test('[KEY3] only the right password reveals that an account is deactivated', async (t) => {
  const gone = await addUser(server, 'gone')
  await storePasswordHash(sql, gone.userId as UserId, hash)
  await deactivate(server, gone.userId)
  expectRefusal(t, await fetchKey(gone.email, 'wrong'), ...INCORRECT)
  expectRefusal(t, await fetchKey(gone.email, PASSWORD), 'Account is deactivated', {
    status: 401,
    code: 'UNAUTHORIZED',
  })
})

t.test('[KEY4] both parameters are required and limited in length', async (t) => {
  for (const [name, answer] of [
    ['username', await fetchKey(undefined, PASSWORD)],
    ['password', await fetchKey(emailOf('member'))],
  ] as const) {
    expectRefusal(t, answer, `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  }
  expectRefusal(
    t,
    await fetchKey(emailOf('member'), 'x'.repeat(1_001)),
    'password is too long (limit: 1000 characters)',
  )
  expectRefusal(t, await fetchKey('x'.repeat(255), PASSWORD), 'username is too long (limit: 254 characters)')
})

t.test('[KEY5] a user has at most 100 keys: new ones replace the oldest', async (t) => {
  const first = member.key
  const { api_key: second } = (await fetchKey(emailOf('member'), PASSWORD)).body
  const held = () => server.node.services.state.apiKeyHashes.get(member.userId as UserId)?.length ?? 0
  while (held() < API_KEYS_PER_USER_MAX) {
    await committer.submit(addApiKey(member.userId as UserId, createApiKey()))
  }
  t.ok(await works(first))
  const { api_key: newest } = (await fetchKey(emailOf('member'), PASSWORD)).body
  t.equal(held(), API_KEYS_PER_USER_MAX)
  t.notOk(await works(first))
  for (const key of [second, newest]) t.ok(await works(key))
})

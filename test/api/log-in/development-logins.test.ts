/** Keys without passwords: only if the operator enables them. */

import t from 'tap'
import { ConfigError, readConfig } from '../../../server/config.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const PATHS = [
  ['POST', '/dev_fetch_api_key'],
  ['GET', '/dev_list_users'],
] as const
const wrong = [
  'Your username or password is incorrect',
  { status: 401, code: 'AUTHENTICATION_FAILED' },
] as const

t.test('[DEV1] the development login paths do not exist by default', async (t) => {
  const server = await startTestServer(t)
  for (const client of [server.anyone, server.as('owner')]) {
    for (const [method, path] of PATHS) {
      for (const asked of [path, `${path}x`]) {
        const answer = await client.request(method, asked, { username: emailOf('owner') })
        expectRefusal(t, answer, 'No such endpoint', { status: 404, code: 'NOT_FOUND' })
      }
    }
  }
  const { authentication_methods: methods } = await server.anyone.must('GET', '/server_settings')
  t.equal(methods.dev, false)
  const document = await (await fetch(`${server.node.url}/api/v1/openapi.json`)).text()
  t.notMatch(document, 'dev_fetch_api_key')
  t.equal(readConfig({}).hasDevelopmentLogins, false)
  t.throws(() => readConfig({ DEVELOPMENT_LOGINS: 'true' }), ConfigError)
})

t.test('[DEV2] with the development setting, an address alone returns an API key', async (t) => {
  const server = await startTestServer(t, { env: { DEVELOPMENT_LOGINS: 'on' } })
  const ask = (username?: string) => server.anyone.post('/dev_fetch_api_key', { username })
  let key = ''
  const events = await expectConsistent(server, async () => {
    const { status, body } = await ask(` ${emailOf('member').toUpperCase()} `)
    t.equal(status, 200)
    t.same(body, { result: 'success', msg: '', api_key: body.api_key, email: emailOf('member'), user_id: 4 })
    key = body.api_key
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  const member = new Client(server.node.url, 4, emailOf('member'), key)
  t.equal((await member.must('GET', '/users/me')).user_id, 4)
  t.equal((await server.as('member').must('GET', '/users/me')).user_id, 4, 'the earlier key stays')
  const inQuery = await fetch(
    `${server.node.url}/api/v1/dev_fetch_api_key?username=${encodeURIComponent(emailOf('owner'))}`,
    { method: 'POST', headers: { 'content-type': 'application/json' } },
  )
  t.equal(inQuery.status, 200)

  expectRefusal(t, await ask('nobody@example.com'), ...wrong)
  await server.as('owner').must('POST', '/realm/test_welcome_bot_custom_message', {
    welcome_message_custom_text: 'Welcome.',
  })
  expectRefusal(t, await ask('notification-bot@127.0.0.1'), ...wrong)
  expectRefusal(t, await ask('x'.repeat(255)), 'username is too long (limit: 254 characters)')
  expectRefusal(t, await ask(), "Missing 'username' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'username',
  })
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  expectRefusal(t, await ask(gone.email), 'Account is deactivated', { status: 401, code: 'UNAUTHORIZED' })

  const list = await server.anyone.must('GET', '/dev_list_users')
  const entry = (person: 'owner' | 'administrator' | 'moderator' | 'member' | 'member2' | 'guest') => ({
    email: emailOf(person),
    full_name: `The ${person}`,
    realm_url: server.node.url,
    realm_uri: server.node.url,
  })
  t.same(list, {
    result: 'success',
    msg: '',
    direct_admins: [entry('owner'), entry('administrator')],
    direct_users: [entry('moderator'), entry('member'), entry('member2'), entry('guest')],
  })
  const { authentication_methods: methods } = await server.anyone.must('GET', '/server_settings')
  t.equal(methods.dev, true)
})

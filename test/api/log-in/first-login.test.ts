import t from 'tap'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const CREATED_MS = Date.UTC(2030, 0, 1)
const DAY_MS = 86_400_000
const clock = new ManualClock(CREATED_MS)
const server = await startTestServer(t, { clock })
const owner = server.as('owner')
const account = { email: 'new@example.com', password: 'correct horse', full_name: 'New Person' }
const joinedAt = async (id: number) => (await owner.must('GET', `/users/${id}`)).user.date_joined
const logIn = (password: string) =>
  server.anyone.post('/fetch_api_key', { username: account.email, password })

t.test('[ACCOUNT11] the first login of a created account sends its join event, once', async (t) => {
  const { user_id: id } = await owner.must('POST', '/users', account)
  t.equal(await joinedAt(id), '2030-01-01T00:00:00+00:00')
  clock.leap(DAY_MS)
  t.equal((await logIn('wrong')).status, 401)
  t.equal(await joinedAt(id), '2030-01-01T00:00:00+00:00')
  const received = await expectConsistent(server, async () => {
    t.equal((await logIn(account.password)).status, 200)
    t.equal((await logIn(account.password)).status, 200)
  })
  for (const events of Object.values(received)) {
    const person = { user_id: id, date_joined: '2030-01-02T00:00:00+00:00' }
    t.match(events, [{ type: 'realm_user', op: 'update', person }])
    t.equal(events.length, 1)
  }
  clock.leap(DAY_MS)
  t.equal((await logIn(account.password)).status, 200)
  t.equal(await joinedAt(id), '2030-01-02T00:00:00+00:00')
})

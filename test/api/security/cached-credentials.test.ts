import t from 'tap'
import { authenticate, credentialsBytes } from '../../../server/api/door/authenticate.ts'
import { giveKeyBack } from '../../harness/worlds/add-user.ts'
import { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const [owner, member, bot] = [server.as('owner'), server.as('member'), server.as('bot')]
const INVALID = ['Invalid API key', { status: 401, code: 'UNAUTHORIZED' }] as const

t.test('[FASTR1] a cached key is refused once another is generated', async (t) => {
  for (let times = 0; times < 2; times++) t.equal((await bot.get('/users/me')).status, 200)
  const path = `/bots/${bot.userId}/api_key/regenerate` as const
  const { api_key: key } = await member.must('POST', path)
  for (let times = 0; times < 2; times++) expectRefusal(t, await bot.get('/users/me'), ...INVALID)
  t.equal((await new Client(bot.url, bot.userId, bot.email, key).get('/users/me')).status, 200)
})

t.test('[FASTR2] a changed role takes effect from the next request', async (t) => {
  const ask = async () => (await member.get('/streams', { include_all_active: true })).status
  t.equal(await ask(), 400)
  await owner.must('PATCH', `/users/${member.userId}`, { role: 200 })
  t.equal(await ask(), 200)
  await owner.must('PATCH', `/users/${member.userId}`, { role: 400 })
  t.equal(await ask(), 400)
})

t.test(
  '[FASTR3] a deactivated user is refused at once, and a reactivation revives no cached key',
  async (t) => {
    t.equal((await member.get('/users/me')).status, 200)
    await owner.must('DELETE', `/users/${member.userId}`)
    expectRefusal(t, await member.get('/users/me'), 'Account is deactivated', {
      status: 401,
      code: 'UNAUTHORIZED',
    })
    await owner.must('POST', `/users/${member.userId}/reactivate`)
    expectRefusal(t, await member.get('/users/me'), 'Invalid API key', { status: 401, code: 'UNAUTHORIZED' })
    await giveKeyBack(server, member)
    t.equal((await member.get('/users/me')).status, 200)
  },
)

t.test('[FASTR4] a valid cached key does not make another key, or that of another user, valid', async (t) => {
  const wrong = `${member.key.slice(0, -1)}${member.key.endsWith('a') ? 'b' : 'a'}`
  for (const [email, key] of [
    [member.email, wrong],
    [member.email, owner.key],
    [owner.email, member.key],
  ] as const) {
    expectRefusal(t, await new Client(member.url, member.userId, email, key).get('/users/me'), ...INVALID)
  }
})

t.test('[FASTR5] a long header is valid, and not cached', (t) => {
  const { state } = server.node.services
  const credentials = owner.authorization.slice('Basic '.length)
  const isCached = (spaces: number) => {
    const before = credentialsBytes(state)
    const header = `Basic ${credentials.slice(0, 8)}${' '.repeat(spaces)}${credentials.slice(8)}`
    t.equal(authenticate(header, state, 0).user.id, owner.userId)
    return credentialsBytes(state) > before
  }
  t.ok(isCached(1))
  t.notOk(isCached(500), 'the cache is bounded by the length of each')
  t.end()
})

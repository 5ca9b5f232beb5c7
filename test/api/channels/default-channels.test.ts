import t from 'tap'
import { createUser } from '../../harness/worlds/account-changes.ts'
import { createApiKey } from '../../../server/changes/passwords.ts'
import { ROLES } from '../../../server/domain/entities.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')

const add = (person: Person, stream_id: unknown) => server.as(person).post('/default_streams', { stream_id })
const remove = (person: Person, stream_id: unknown) =>
  server.as(person).delete('/default_streams', { stream_id })
const idOf = (name: string) => server.node.services.state.findChannelByName(name)?.channel.id as number

t.before(async () => {
  await owner.subscribe(['general', 'random', 'old'])
  await owner.subscribe(['secret'], { invite_only: true })
})

t.test('[DEFCH1] everyone but guests gets events of default channels', async (t) => {
  const second = await expectConsistent(server, async () => {
    t.same((await add('administrator', idOf('random'))).body, { result: 'success', msg: '' })
  })
  t.match(second.member, [{ type: 'default_streams', default_streams: [idOf('random')] }])
  t.same(second.guest, [])
  const both = await expectConsistent(server, () => add('owner', idOf('general')))
  t.match(both.owner, [{ type: 'default_streams', default_streams: [idOf('general'), idOf('random')] }])
  const left = await expectConsistent(server, async () => {
    t.same((await remove('administrator', idOf('random'))).body, { result: 'success', msg: '' })
  })
  t.match(left.member2, [{ type: 'default_streams', default_streams: [idOf('general')] }])
  t.same(left.guest, [])
})

t.test(
  '[DEFCH2] adding a default channel again, or removing one that is none, changes nothing',
  async (t) => {
    const events = await expectConsistent(server, async () => {
      t.equal((await add('owner', idOf('general'))).status, 200)
      t.equal((await remove('owner', idOf('random'))).status, 200)
    })
    t.same(events, { owner: [], member: [], member2: [], guest: [] })
  },
)

t.test('[DEFCH3] only administrators change the default channels', async (t) => {
  const message = 'Must be an organization administrator'
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await add(person, idOf('random')), message)
    expectRefusal(t, await remove(person, idOf('general')), message)
  }
})

t.test('[DEFCH4] private, archived and unknown channels cannot be default channels', async (t) => {
  expectRefusal(t, await add('owner', idOf('secret')), 'Private channels cannot be made default.')
  await owner.must('DELETE', `/streams/${idOf('old')}`)
  for (const id of [idOf('old'), 0, -1, 999]) expectRefusal(t, await add('owner', id), 'Invalid channel ID')
  for (const id of [0, 999]) expectRefusal(t, await remove('owner', id), 'Invalid channel ID')
  expectRefusal(t, await add('owner', 'general'), 'stream_id is not valid JSON')
  expectRefusal(t, await remove('owner', undefined), "Missing 'stream_id' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'stream_id',
  })
})

t.test('[DEFCH5] new people are subscribed to the default channels, with events', async (t) => {
  await add('owner', idOf('random'))
  let person = 0
  const events = await expectConsistent(server, async () => {
    person = (await addUser(server, 'newcomer')).userId
  })
  const peers = { type: 'subscription', op: 'peer_add', user_ids: [person] }
  t.match(events.member?.slice(-1), [{ ...peers, stream_ids: [idOf('general'), idOf('random')] }])
  t.same(
    events.guest?.filter(({ type }) => type === 'subscription'),
    [],
  )
  const { subscribers } = await owner.must('GET', `/streams/${idOf('random')}/members`)
  t.same(subscribers, [1, person])
})

t.test('[DEFCH6] new guests and bots are not subscribed', async (t) => {
  const guest = await addUser(server, 'visitor', { role: 'guest' })
  const bot = await server.node.services.committer.submit(
    createUser(
      {
        email: 'helper@example.com',
        fullName: 'The helper',
        role: ROLES.member,
        isActive: true,
        botType: 1,
        botOwnerId: 1 as UserId,
        timezone: '',
        joinedAt: 1_700_000_000,
        avatarVersion: 1,
      },
      createApiKey(),
    ),
  )
  const { subscribers } = await owner.must('GET', `/streams/${idOf('general')}/members`)
  t.notOk(subscribers.includes(guest.userId) || subscribers.includes(bot.id))
})

/** Decisions where the API documents are ambiguous; the rest has its own tests. */

import t from 'tap'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { joinByLink } from '../../harness/mail/join-by-link.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env })
await startMailWorkers(t, server, 1)
const mailboxes = openMailboxes(mailServer, server)
const owner = server.as('owner')
const member = server.as('member')
const member2 = server.as('member2')
const groups = (...ids: number[]) => ({ new: { direct_members: ids, direct_subgroups: [] } })

t.test('[SETTLED1] changing an absent object is a bad request', async (t) => {
  for (const [path, msg] of [
    ['/scheduled_messages/99', 'Scheduled message does not exist'],
    ['/saved_snippets/99', 'Saved snippet does not exist.'],
  ] as const) {
    const fields = { content: 'x', title: 'x' }
    expectRefusal(t, await owner.patch(path, fields), msg)
    expectRefusal(t, await owner.delete(path), msg)
  }
})

t.test(
  '[SETTLED2] members who may join a private channel also subscribe others if the organization allows it',
  async (t) => {
    await owner.subscribe(['den'], { invite_only: true })
    const id = channelIdOf(server, 'den')
    const bring = (person: 'member' | 'member2', principal: number) =>
      server
        .as(person)
        .post('/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals: [principal] })
    expectRefusal(t, await bring('member', 6), 'Unable to access channel (den).')
    await owner.must('PATCH', `/streams/${id}`, { can_subscribe_group: groups(4) })
    const events = await expectConsistent(server, async () => {
      t.equal((await bring('member', 6)).status, 200)
    })
    t.ok(events.guest?.some(({ type, op }) => type === 'subscription' && op === 'add'))
    t.notOk(events.member2?.some(({ type }) => type === 'subscription' || type === 'stream'))
    expectRefusal(t, await bring('member2', 3), 'Unable to access channel (den).')
    await owner.must('PATCH', '/realm', { can_add_subscribers_group: { new: SYSTEM_GROUPS.moderators } })
    expectRefusal(t, await bring('member', 3), 'Insufficient permission')
    t.equal((await bring('member', 4)).status, 200, 'themself all the same')
    await owner.must('PATCH', '/realm', { can_add_subscribers_group: { new: SYSTEM_GROUPS.members } })
  },
)

t.test('[SETTLED5] an invitation gives only channels that its inviter still may give', async (t) => {
  await owner.subscribe(['default'])
  await member.subscribe(['own'])
  const [common, own] = [channelIdOf(server, 'default'), channelIdOf(server, 'own')]
  await owner.must('POST', '/default_streams', { stream_id: common })
  await owner.must('PATCH', '/realm', {
    can_add_subscribers_group: { new: SYSTEM_GROUPS.moderators },
    create_multiuse_invite_group: { new: SYSTEM_GROUPS.members },
  })
  const mayAdd = (...ids: number[]) =>
    owner.must('PATCH', `/streams/${own}`, { can_add_subscribers_group: groups(...ids) })
  const subscribersOf = async (id: number): Promise<number[]> =>
    (await owner.must('GET', `/streams/${id}/members`)).subscribers
  await mayAdd(4)
  const { invite_link } = await member.must('POST', '/invites/multiuse', { stream_ids: [common, own] })
  const join = async (name: string) => {
    const fields = { full_name: name, email: `${name}@example.com`, password: 'long enough to be one' }
    t.equal((await joinByLink(mailboxes, invite_link, fields)).status, 303)
    return server.node.services.state.findUserByEmail(fields.email)?.id as number
  }
  const first = await join('first')
  for (const id of [common, own]) t.ok((await subscribersOf(id)).includes(first))
  await mayAdd()
  const second = await join('second')
  for (const id of [common, own]) t.notOk((await subscribersOf(id)).includes(second))
  await owner.must('PATCH', '/realm', { can_add_subscribers_group: { new: SYSTEM_GROUPS.members } })
})

t.test('[SETTLED3] an id in a path that is no integer looks absent', async (t) => {
  for (const [method, path] of [
    ['PATCH', '/streams/abc'],
    ['GET', '/streams/1.5/members'],
    ['GET', '/messages/-1'],
    ['PATCH', '/saved_snippets/0x1'],
    ['PATCH', '/scheduled_messages/%31a'],
    ['POST', '/user_groups/x/deactivate'],
  ]) {
    const answer = await owner.request(method as string, path as string)
    expectRefusal(t, answer, 'No such endpoint', { status: 404, code: 'NOT_FOUND' })
  }
})

t.test('[SETTLED4] event ids are positions of the log: those of a queue rise, with gaps', async (t) => {
  await owner.subscribe(['log'], { principals: [1, 4] })
  const queues = [await member.register(), await member2.register()] as const
  const start = queues[0].lastEventId
  t.equal(queues[1].lastEventId, start, 'registrations at the same time start at the same position')
  const first = await owner.send('log', 'x', 'one')
  await owner.send('log', 'x', 'two')
  await owner.must('POST', '/users', {
    email: 'new@example.com',
    password: 'long enough to be one',
    full_name: 'New',
  })
  const [own, others] = [await member.events(queues[0]), await member2.events(queues[1])]
  const idsOf = (events: readonly WireEvent[]) => events.map(({ id }) => id)
  t.equal(own[0].id, first, 'a message has the id of the event that announced it')
  t.same(
    idsOf(own),
    [...idsOf(own)].sort((a, b) => a - b),
  )
  t.ok(others[0].id > start + 2, 'events for others leave a gap')
  const shared = own.find(({ type, op }) => type === 'realm_user' && op === 'add')
  t.equal(others.find(({ type, op }) => type === 'realm_user' && op === 'add')?.id, shared?.id)
  const about: string = (await (await fetch(`${server.node.url}/api/v1/openapi.json`)).json()).info
    .description
  t.match(about, 'positions in the log')
})

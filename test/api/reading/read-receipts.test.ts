import t from 'tap'
import { findFlagHolders } from '../../../db/unread/flag-holders.ts'
import type { MessageId, UserId } from '../../../server/domain/ids.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
await owner.subscribe(['town'], { principals: [1, 2, 4, 6, 7] })
await owner.subscribe(['secret'], { invite_only: true, principals: [1, 4] })

const ask = (person: Person, id: number) => server.as(person).get(`/messages/${id}/read_receipts`)
const readersOf = async (id: number, person: Person = 'owner') => {
  const { status, body } = await ask(person, id)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.user_ids
}
const read = (person: Person, ...messages: number[]) =>
  server.as(person).must('POST', '/messages/flags', { messages, op: 'add', flag: 'read' })
const unread = (person: Person, ...messages: number[]) =>
  server.as(person).must('POST', '/messages/flags', { messages, op: 'remove', flag: 'read' })
const unreadOf = async (id: number) =>
  (await findFlagHolders(server.node.services.sql, id as MessageId)).unreadUserIds

t.test('[RECEIPT1] receipts list users who have read a message, except its sender', async (t) => {
  const id = await owner.send('town', 'Tea', 'hello', { read_by_sender: true })
  t.same((await ask('owner', id)).body, { result: 'success', msg: '', user_ids: [] })
  t.same(await unreadOf(id), [2, 4, 6, 7])
  await read('guest', id)
  await read('member', id)
  t.same(await readersOf(id), [4, 6])
  t.same(await readersOf(id, 'member'), [4, 6], 'the same for everyone')
  await unread('guest', id)
  await unread('owner', id)
  t.same(await readersOf(id), [4])
  t.same(await unreadOf(id), [1, 2, 6, 7])
  await server.as('administrator').must('POST', '/mark_all_as_read')
  await server.as('guest').must('POST', '/mark_stream_as_read', { stream_id: 1 })
  t.same(await readersOf(id), [2, 4, 6])
  const later = await owner.send('town', 'Tea', 'later', { read_by_sender: true })
  t.same(await readersOf(later), [], 'later messages are not read yet')
})

t.test('[RECEIPT2] direct messages have receipts, too', async (t) => {
  const id = await owner.sendDirect([4, 6], 'hello', { read_by_sender: true })
  t.same(await readersOf(id), [])
  await read('guest', id)
  t.same(await readersOf(id, 'member'), [6])
  t.same(await unreadOf(id), [4])
  expectRefusal(t, await ask('member2', id), 'Invalid message(s)')
})

t.test(
  '[RECEIPT3] users who did not receive a message, or left before reading it, are left out',
  async (t) => {
    const id = await owner.send('town', 'Tea', 'hello', { read_by_sender: true })
    await server.as('member2').subscribe(['town'])
    await server.as('member2').must('POST', '/mark_all_as_read')
    await server.as('guest').must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] })
    t.same(await readersOf(id), [])
    t.same(await unreadOf(id), [2, 4, 7])
    await owner.subscribe(['town'], { principals: [6] })
    t.same(await readersOf(id), [])
    t.same(await unreadOf(id), [2, 4, 7], 'returning makes nothing unread')
    await server.as('guest').must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] })
    const missed = await owner.send('town', 'Tea', 'for the others', { read_by_sender: true })
    await owner.sendDirect([6], 'for the guest')
    await server.as('guest').must('POST', '/mark_all_as_read')
    t.same(await readersOf(missed), [], 'nor has a user who left before it arrived')
    await owner.subscribe(['town'], { principals: [6] })
  },
)

t.test('[RECEIPT4] users who turned receipts off and deactivated users are left out', async (t) => {
  const id = await owner.send('town', 'Tea', 'hello', { read_by_sender: true })
  for (const person of ['administrator', 'member', 'bot'] as const) await read(person, id)
  t.same(await readersOf(id), [2, 4, 7])
  const settings = (value: boolean) =>
    commitEvents(server, [
      {
        type: 'user_settings/update',
        userId: 4 as UserId,
        change: { name: 'sendsReadReceipts', value },
      },
    ])
  await settings(false)
  t.same(await readersOf(id), [2, 7])
  await settings(true)
  await owner.must('DELETE', '/users/7')
  t.same(await readersOf(id), [2, 4])
})

t.test('[RECEIPT5] an unreadable message has no receipts', async (t) => {
  const id = await owner.send('secret', 'Tea', 'hello', { read_by_sender: true })
  for (const one of [id, 0, 10 ** 15 - 1])
    expectRefusal(t, await ask('administrator', one), 'Invalid message(s)')
  t.same(await readersOf(id, 'member'), [])
})

t.test('[RECEIPT6] an organization can turn receipts off', async (t) => {
  const id = await owner.send('town', 'Tea', 'hello', { read_by_sender: true })
  await owner.must('PATCH', '/realm', { enable_read_receipts: false })
  expectRefusal(t, await ask('owner', id), 'Read receipts are disabled in this organization.')
  expectRefusal(t, await ask('owner', 0), 'Read receipts are disabled in this organization.')
  await owner.must('PATCH', '/realm', { enable_read_receipts: true })
  t.same(await readersOf(id), [])
})

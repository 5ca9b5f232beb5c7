import t from 'tap'
import { Client } from '../harness/client.ts'
import { startTestServer } from '../harness/start-server.ts'
const server = await startTestServer(t)
const owner0 = server.as('owner')
await owner0.subscribe(['big'], { principals: [1, 4, 5] })
await owner0.subscribe(['other'], { principals: [1, 4] })
const { sql } = server.node.services
const base = server.node.services.state.appliedId
await sql`insert into messages (id, channel_id, topic, sender_id, content, rendered, sent_at, client)
  select ${base} + g, 1, case when g <= 12000 then 'tea' else 'milk' end, 5, 'hello world', '<p>hello world</p>', 1700000000 + g, 'x' from generate_series(1, 62000) g`
await sql`update event_counter set last_id = last_id + 62000, structural_id = last_id + 62000`
await sql`analyze`
const { node } = await server.startAnotherNode()
const as = (p: 'owner'|'member'|'member2') => { const { userId, email, key } = server.as(p); return new Client(node.url, userId, email, key) }
const [owner, member, member2] = [as('owner'), as('member'), as('member2')]
const time = async (name: string, run: () => Promise<any>) => { const start = performance.now(); const r = await run(); console.error(name, Math.round(performance.now() - start), 'ms', JSON.stringify(r?.body ?? '').slice(0, 200)); return r }
t.test('probe', async () => {
  // How long sends wait meanwhile.
  let longest = 0, on = true
  const sender = (async () => { while (on) { const s = performance.now(); await owner.send('other', 'x', 'y'); longest = Math.max(longest, performance.now() - s) } })
  const during = async (name: string, run: () => Promise<any>) => { on = true; longest = 0; const s = sender(); await time(name, run); on = false; await s; console.error('   longest send', Math.round(longest)) }
  const newest = base + 62000
  await sql`analyze`; const ids = (n: number) => Array.from({ length: n }, (_, i) => newest - i)
  await time('unread', () => member.post('/register', { fetch_event_types: ['update_message_flags'] }).then(() => undefined))
  for (let i = 0; i < 3; i++) {
    await during('flags add 300', () => member.post('/messages/flags', { messages: ids(300), op: 'add', flag: 'read' }).then(() => undefined))
    await during('flags remove 300', () => member.post('/messages/flags', { messages: ids(300), op: 'remove', flag: 'read' }).then(() => undefined))
  }
  await during('flags add 10000 alternate', () => member.post('/messages/flags', { messages: ids(20000).filter((x) => x % 2 === 0), op: 'add', flag: 'read' }).then(() => undefined))
  await during('star 10000', () => member.post('/messages/flags', { messages: ids(10000), op: 'add', flag: 'starred' }).then(() => undefined))
  await during('unstar 10000', () => member.post('/messages/flags', { messages: ids(10000), op: 'remove', flag: 'starred' }).then(() => undefined))
  await during('mark channel', () => member2.post('/mark_stream_as_read', { stream_id: 1 }))
  await during('mark all', () => member.post('/mark_all_as_read'))
  const mv = (id: number, f: any) => owner.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...f })
  await during('move 10000 topic', () => mv(base + 2001, { topic: 'coffee', propagate_mode: 'change_later' }))
  await during('move 1000 topic', () => mv(base + 11001, { topic: 'coffee2', propagate_mode: 'change_later' }))
  const first = base + 2001
  await during('move 10000 channel', () => mv(first, { stream_id: 2, propagate_mode: 'change_all' }))
  await during('move 1 channel', () => mv(base + 3, { stream_id: 2 }))
  await during('move 1000 back', async () => { await time('  to topic', () => mv(base + 11001, { topic: 'q', propagate_mode: 'change_later' })); return mv(base + 11001, { stream_id: 1, topic: 'q', propagate_mode: 'change_all' }) })
  await during('delete_topic', () => owner.post('/streams/2/delete_topic', { topic_name: 'coffee' }))
})

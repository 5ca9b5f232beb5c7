/** Windows of messages against a real server. The random walk over messages compares their content, too. */

import t from 'tap'
import { MessageStore } from '../../../client/store/messages/message-store.ts'
import { type FetchMessages, WindowLoader } from '../../../client/store/messages/load-window.ts'
import {
  MENTIONS,
  type Narrow,
  ofChannel,
  ofDirect,
  ofTopic,
  STARRED,
} from '../../../client/store/narrows/narrow.ts'
import { REGISTRATION } from '../../../client/store/registration.ts'
import { type Event, ParleyClient } from '../../../packages/client/src/index.ts'
import type { Fields } from '../../harness/client/client.ts'

import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await member.subscribe(['general', 'other'], { principals: [1, 4] })
await owner.must('PATCH', '/realm', { message_content_edit_limit_seconds: 'unlimited' })
const client = new ParleyClient({ url: server.node.url, email: member.email, key: member.key })
const fetchMessages: FetchMessages = (params) => client.call('GET /messages', params)

/** A store that follows the server when asked to. */
async function openStore(limits: Partial<{ hiddenMax: number; windowMax: number }> = {}) {
  const queue = await member.register(REGISTRATION as Fields)
  const store = new MessageStore(() => member.userId, limits)
  const loader = new WindowLoader(store, fetchMessages)
  const follow = async () => {
    for (const event of (await member.events(queue)) as unknown as Event[]) store.apply(event)
  }
  const idsIn = (narrow: Narrow) => store.window(narrow).value.messages.map(({ id }) => id)
  return { store, loader, follow, idsIn }
}

/** Throws unless a window equals one that is loaded now. */
async function expectFresh(
  t: { strictSame(one: unknown, other: unknown): boolean },
  store: MessageStore,
  narrow: Narrow,
): Promise<void> {
  const afresh = await openStore()
  await afresh.loader.open(narrow, 'newest')
  const view = (one: MessageStore) =>
    one.window(narrow).value.messages.map(({ id, content, subject, stream_id, reactions, flags }) => ({
      id,
      content,
      subject,
      stream_id,
      flags: [...flags].sort(),
      reactions: reactions.map(({ emoji_code, user_id }) => `${emoji_code} ${user_id}`),
    }))
  t.strictSame(view(store), view(afresh.store))
}

t.test('[STORE20] windows follow messages that are sent, edited, flagged, moved and deleted', async (t) => {
  const first = await owner.send('general', 'one', 'first')
  const { store, loader, follow, idsIn } = await openStore()
  const narrows = [ofTopic(1, 'one'), ofTopic(1, 'two'), ofChannel(1), ofDirect([1]), MENTIONS, STARRED]
  for (const narrow of narrows) await loader.open(narrow, 'newest')
  const second = await owner.send('general', 'One', 'second')
  const mention = await owner.send('general', 'two', '@**The member|4**')
  const direct = await owner.sendDirect([4], 'direct')
  await follow()
  t.same(idsIn(ofTopic(1, 'one')), [first, second])
  t.same(idsIn(MENTIONS), [mention])
  t.same(idsIn(ofDirect([1])), [direct])
  await owner.must('PATCH', `/messages/${first}`, { content: 'changed' })
  await owner.must('POST', `/messages/${first}/reactions`, { emoji_name: 'heart' })
  await member.must('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
  await owner.must('PATCH', `/messages/${second}`, {
    topic: 'two',
    propagate_mode: 'change_one',
    send_notification_to_new_thread: false,
  })
  await owner.must('DELETE', `/messages/${direct}`)
  await follow()
  t.same(idsIn(ofTopic(1, 'two')), [second, mention])
  t.same(idsIn(STARRED), [first])
  for (const narrow of narrows) {
    t.equal(store.window(narrow).value.isStale, false)
    await expectFresh(t, store, narrow)
  }
})

t.test('[STORE21] a page that is older than an event does not undo it', async (t) => {
  const changed = await owner.send('other', 'load', 'before')
  const removed = await owner.send('other', 'load', 'removed')
  const { store, follow } = await openStore()
  let sent = 0
  const slow = new WindowLoader(store, async (params) => {
    const page = await fetchMessages(params)
    await owner.must('PATCH', `/messages/${changed}`, { content: 'after' })
    await owner.must('DELETE', `/messages/${removed}`)
    sent = await owner.send('other', 'load', 'sent meanwhile')
    await follow()
    return page
  })
  await slow.open(ofTopic(2, 'load'), 'newest')
  const { messages } = store.window(ofTopic(2, 'load')).value
  t.same(
    messages.map(({ id }) => id),
    [changed, sent],
  )
  await expectFresh(t, store, ofTopic(2, 'load'))
})

t.test('[STORE22] pages join without a gap, and the ends are noted', async (t) => {
  const ids: number[] = []
  for (let count = 0; count < 190; count++) ids.push(await owner.send('other', 'long', `${count}`))
  const narrow = ofTopic(2, 'long')
  const { store, loader, follow, idsIn } = await openStore()
  await loader.open(narrow, ids[95] as number)
  t.match(store.window(narrow).value, { hasOldest: false, hasNewest: false })
  const late = await owner.send('other', 'long', 'late')
  await follow()
  t.notOk(idsIn(narrow).includes(late), 'a message beyond a gap is not shown')
  await Promise.all([loader.loadOlder(narrow), loader.loadNewer(narrow), loader.loadOlder(narrow)])
  await loader.loadNewer(narrow)
  await loader.loadOlder(narrow)
  t.same(idsIn(narrow), [...ids, late])
  t.match(store.window(narrow).value, { hasOldest: true, hasNewest: true })
})

t.test('[STORE23] a window is stale if a message enters it whose text is not loaded', async (t) => {
  const from = await owner.send('other', 'from', 'moves')
  await owner.send('general', 'to', 'stays')
  const { store, loader, follow, idsIn } = await openStore()
  const [to, elsewhere] = [ofTopic(1, 'to'), ofTopic(1, 'one')]
  await loader.open(to, 'newest')
  await loader.open(elsewhere, 'newest')
  await owner.must('PATCH', `/messages/${from}`, { stream_id: 1, topic: 'to' })
  await owner.must('PATCH', `/messages/${from}`, { content: 'and changes' })
  await follow()
  t.equal(store.window(to).value.isStale, true)
  t.equal(store.window(elsewhere).value.isStale, false)
  await loader.open(to, 'newest')
  t.equal(store.window(to).value.isStale, false)
  t.ok(idsIn(to).includes(from))
  store.markStale()
  t.match(store.window(to).value, { isStale: true, hasNewest: false })
})

t.test('[STORE24] the messages in memory are bounded, and shown windows stay', async (t) => {
  const narrow = ofTopic(2, 'long')
  const { store, loader, follow, idsIn } = await openStore({ hiddenMax: 60, windowMax: 70 })
  const hide = store.show(narrow)
  await loader.open(narrow, 'newest')
  await loader.loadOlder(narrow)
  t.equal(idsIn(narrow).length, 70)
  t.equal(store.window(narrow).value.hasNewest, false, 'the other end was dropped')
  await loader.loadNewer(narrow)
  t.match(store.window(narrow).value, { hasOldest: false, hasNewest: true })
  await owner.send('other', 'long', 'one more')
  await follow()
  t.equal(idsIn(narrow).length, 70)
  await loader.open(ofTopic(1, 'one'), 'newest')
  t.ok(idsIn(ofTopic(1, 'one')).length > 0)
  hide()
  t.ok(idsIn(narrow).length === 0 || idsIn(ofTopic(1, 'one')).length === 0, 'something was dropped')
})

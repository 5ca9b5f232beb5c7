/** Details of windows, one rule at a time: each is a mistake that shows a person wrong messages. */

import t from 'tap'
import { applyToWindow } from '../../../client/store/messages/apply-to-window.ts'
import { type FetchMessages, WindowLoader } from '../../../client/store/messages/load-window.ts'
import { matchNarrow } from '../../../client/store/messages/match-narrow.ts'
import { MessageStore } from '../../../client/store/messages/message-store.ts'
import { type MessageWindow, trim, windowOf } from '../../../client/store/messages/message-window.ts'
import { type Narrow, ofDirect, ofTopic, STARRED } from '../../../client/store/narrows/narrow.ts'
import { type Event, ParleyClient } from '../../../packages/client/src/index.ts'
import type { EventOf } from '../../../client/store/events/reducer.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['general'], { principals: [1, 4] })
const client = new ParleyClient({ url: server.node.url, email: member.email, key: member.key })
const fetchMessages: FetchMessages = (params) => client.call('GET /messages', params)
const OWN_ID = 4

/** The window of a narrow as the server has it, and the events of an action after it. */
async function observe(narrow: Narrow, act: () => Promise<unknown>): Promise<[MessageWindow, Event[]]> {
  const store = new MessageStore(() => OWN_ID)
  await new WindowLoader(store, fetchMessages).open(narrow, 'newest')
  const queue = await member.register({ apply_markdown: true })
  await act()
  return [store.window(narrow).value, (await member.events(queue)) as unknown as Event[]]
}

const follow = (window: MessageWindow, events: readonly Event[]) =>
  events.reduce((now, event) => applyToWindow(now, event, OWN_ID), window)

t.test('[STORE94] reactions with the same code but another type are apart', async (t) => {
  const id = await owner.send('general', 'reactions', 'text')
  const [window, events] = await observe(ofTopic(1, 'reactions'), () =>
    owner.must('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' }),
  )
  const [message] = follow(window, events).messages
  const [reaction] = message?.reactions ?? []
  t.match(reaction, { user_id: 1, reaction_type: 'unicode_emoji' })
  const custom = {
    ...(events.find(({ type }) => type === 'reaction') as EventOf<'reaction/add'>),
    reaction_type: 'realm_emoji' as const,
  }
  const both = follow(window, [...events, custom]).messages[0]?.reactions
  t.same(
    both?.map(({ reaction_type }) => reaction_type),
    ['unicode_emoji', 'realm_emoji'],
  )
  const removed = { ...custom, op: 'remove' as const }
  t.same(follow(window, [...events, custom, removed]).messages[0]?.reactions, [reaction])
})

t.test('[STORE95] a text that is only rendered anew does not count as edited', async (t) => {
  const id = await owner.send('general', 'rendering', 'text')
  const [window, events] = await observe(ofTopic(1, 'rendering'), () =>
    owner.must('PATCH', `/messages/${id}`, { content: 'changed' }),
  )
  t.type(follow(window, events).messages[0]?.last_edit_timestamp, 'number')
  const rendered = events.map((event) =>
    event.type === 'update_message' ? { ...event, rendering_only: true } : event,
  ) as Event[]
  const [message] = follow(window, rendered).messages
  t.equal(message?.content, '<p>changed</p>')
  t.equal(message?.last_edit_timestamp, undefined)
})

t.test('[STORE96] only an added flag can bring a message into a list of that flag', async (t) => {
  const kept = await owner.send('general', 'flags', 'kept')
  const id = await owner.send('general', 'flags', 'text')
  await member.must('POST', '/messages/flags', { messages: [kept], op: 'add', flag: 'starred' })
  const change = (op: 'add' | 'remove') => () =>
    member.must('POST', '/messages/flags', { messages: [id], op, flag: 'starred' })
  const [window, added] = await observe(STARRED, change('add'))
  t.equal(follow(window, added).isStale, true, 'its text is not loaded')
  const removed = added.map((event) => ({ ...event, op: 'remove', operation: 'remove' })) as Event[]
  t.equal(follow(window, removed), window)
})

t.test('[STORE97] a conversation with one person has no messages of larger groups', async (t) => {
  const [pair, group] = [await owner.sendDirect([4], 'to you'), await owner.sendDirect([4, 5], 'to both')]
  const read = async (id: number) =>
    (await member.must('GET', `/messages/${id}`)).message as unknown as Message
  const [ofPair, ofGroup] = [await read(pair), await read(group)]
  t.equal(matchNarrow(ofDirect([1]), ofPair, OWN_ID), true)
  t.equal(matchNarrow(ofDirect([1]), ofGroup, OWN_ID), false)
  t.equal(matchNarrow(ofDirect([1, 5]), ofGroup, OWN_ID), true)
  t.equal(matchNarrow(ofDirect([1, 5]), ofPair, OWN_ID), false)
})

t.test('[STORE98] a window that dropped messages at an end knows that more exist there', async (t) => {
  for (let count = 0; count < 4; count++) await owner.send('general', 'ends', `${count}`)
  const page = await fetchMessages({
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [
      { operator: 'channel', operand: 1 },
      { operator: 'topic', operand: 'ends' },
    ],
  })
  const window = windowOf(ofTopic(1, 'ends'), page)
  t.match(window, { hasOldest: true, hasNewest: true })
  t.match(trim(window, 3, 'oldest'), { hasOldest: false, hasNewest: true })
  t.match(trim(window, 3, 'newest'), { hasOldest: true, hasNewest: false })
  t.equal(trim(window, 4, 'oldest'), window)
})

t.test('[STORE99] a page for a window that was replaced meanwhile is dropped', async (t) => {
  const ids: number[] = []
  for (let count = 0; count < 160; count++) ids.push(await owner.send('general', 'replaced', `${count}`))
  const narrow = ofTopic(1, 'replaced')
  const store = new MessageStore(() => OWN_ID)
  let isSlow = false
  const loader = new WindowLoader(store, async (params) => {
    const page = await fetchMessages(params)
    if (!isSlow) return page
    isSlow = false
    await loader.open(narrow, 'oldest')
    return page
  })
  await loader.open(narrow, 'newest')
  const [first] = store.window(narrow).value.messages
  t.ok((first?.id ?? 0) > (ids[60] as number))
  isSlow = true
  await loader.loadOlder(narrow)
  const shown = store.window(narrow).value.messages.map(({ id }) => id)
  t.same(shown, ids.slice(0, shown.length), 'without a gap from the oldest on')
  t.equal(store.window(narrow).value.hasOldest, true)
})

t.test('[STORE107] a page that was asked for before another registration is asked for again', async (t) => {
  const narrow = ofTopic(1, 'registered')
  await owner.send('general', 'registered', 'before')
  const store = new MessageStore(() => OWN_ID)
  let isFirst = true
  const loader = new WindowLoader(store, async (params) => {
    const page = await fetchMessages(params)
    if (!isFirst) return page
    isFirst = false
    // No event of it reaches the page: the registration has it already.
    await owner.send('general', 'registered', 'meanwhile')
    store.markStale()
    return page
  })
  await loader.open(narrow, 'newest')
  const { messages, isStale, hasNewest } = store.window(narrow).value
  t.same(
    messages.map(({ content }) => content),
    ['<p>before</p>', '<p>meanwhile</p>'],
  )
  t.same({ isStale, hasNewest }, { isStale: false, hasNewest: true })
})

t.test('[STORE108] a further page from before another registration is dropped', async (t) => {
  const narrow = ofTopic(1, 'further')
  for (let count = 0; count < 120; count++) await owner.send('general', 'further', `${count}`)
  const store = new MessageStore(() => OWN_ID)
  let isStale = false
  const loader = new WindowLoader(store, async (params) => {
    const page = await fetchMessages(params)
    if (isStale) store.markStale()
    return page
  })
  await loader.open(narrow, 'newest')
  const before = store.window(narrow).value.messages
  isStale = true
  await loader.loadOlder(narrow)
  t.equal(store.window(narrow).value.messages, before)
  t.equal(store.window(narrow).value.isStale, true)
})

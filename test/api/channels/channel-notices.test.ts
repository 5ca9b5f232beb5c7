import t from 'tap'
import type { OrganizationChange } from '../../../server/domain/events/organization.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent, type VIEWERS } from '../../harness/states/expect-consistent.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer, type Person, type TestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const bot = server.as('bot')

const set = (changes: OrganizationChange) => commitEvents(server, [{ type: 'realm/update_dict', changes }])
const subscribe = (person: Person, names: readonly string[], fields: Fields = {}) =>
  server.as(person).must('POST', '/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    ...fields,
  })
/** The messages that a person receives during an action, as Markdown. */
async function hear(person: Person, act: () => Promise<unknown>, at: TestServer = server) {
  const client = at.as(person)
  const queue = await client.register({ apply_markdown: false, event_types: ['message'] })
  await act()
  return (await client.events(queue)).map(({ message }) => message)
}
const contents = (messages: readonly { content: string }[]) => messages.map(({ content }) => content)
const OWNER = '@_**The owner|1**'
const MEMBER = '@_**The member|4**'

t.test(
  '[ANN1] a new channel gets a notice in its topic for events with its creator, kind and description',
  async (t) => {
    await set({ settings: { sendsChannelEvents: true, hasSpectatorAccess: true } })
    const make = (name: string, description: string, fields: Fields = {}) =>
      hear('owner', () =>
        owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name, description }], ...fields }),
      )
    t.match(await make('plain', ''), [
      {
        type: 'stream',
        display_recipient: 'plain',
        subject: 'channel events',
        sender_full_name: 'Notification Bot',
        client: 'Internal',
        content: `**Public** channel created by ${OWNER}.`,
      },
    ])
    const described = `channel created by ${OWNER}. **Description:**\n\n> For *all*`
    for (const [kind, fields] of [
      ['Public', {}],
      ['Web-public', { is_web_public: true }],
      ['Private, protected history', { invite_only: true }],
      ['Private, shared history', { invite_only: true, history_public_to_subscribers: true }],
    ] as const) {
      t.same(contents(await make(`a ${kind}`, 'For *all*', fields)), [`**${kind}** ${described}`])
    }
  },
)

t.test('[ANN2] if only the empty topic is allowed, the notice goes there', async (t) => {
  const queue = await owner.register({
    event_types: ['message'],
    client_capabilities: { empty_topic_name: true },
  })
  await subscribe('owner', ['topicless'], { topics_policy: 'empty_topic_only' })
  t.match(await owner.events(queue), [{ message: { subject: '', display_recipient: 'topicless' } }])
})

t.test(
  '[ANN3] each of several new channels gets a notice; existing channels and joins get none',
  async (t) => {
    const heard = await hear('owner', () => subscribe('owner', ['plain', 'one', 'two']))
    t.same(new Set(heard.map(({ display_recipient: name }) => name)), new Set(['one', 'two']))
    t.same(await hear('owner', () => subscribe('member', ['plain', 'one'])), [])
    const created = await hear('owner', () =>
      owner.must('POST', '/channels/create', { name: 'three', subscribers: [1] }),
    )
    t.same(contents(created), [`**Public** channel created by ${OWNER}.`])
    const changed = await hear('member', () =>
      member.must('PATCH', '/users/me/subscriptions', { add: [{ name: 'four' }] }),
    )
    t.same(contents(changed), [`**Public** channel created by ${MEMBER}.`])
  },
)

t.test('[ANN4] an organization can turn these notices off', async (t) => {
  await set({ settings: { sendsChannelEvents: false } })
  t.same(await hear('owner', () => subscribe('owner', ['silent'])), [])
})

t.test('[ANN5] new public channels are announced on request if an announcement channel is set', async (t) => {
  const announced = (names: readonly string[], fields: Fields = {}) =>
    hear('member2', () => subscribe('owner', names, { announce: true, ...fields }))
  t.same(await announced(['nowhere']), [])
  await owner.subscribe(['news'], { principals: [1, 5] })
  await set({ settings: { announcementsChannelId: channelIdOf(server, 'news') } })
  t.match(await announced(['first']), [
    {
      display_recipient: 'news',
      subject: 'new channels',
      sender_full_name: 'Notification Bot',
      content: `${OWNER} created a new channel #**first**.`,
    },
  ])
  t.same(contents(await announced(['second', 'first', 'third'])), [
    `${OWNER} created the following channels: #**second**, #**third**.`,
  ])
  t.same(await announced(['first']), [])
  t.same(await announced(['secret'], { invite_only: true }), [])
  t.same(await announced(['unannounced'], { announce: false }), [])
  const create = (name: string) =>
    owner.must('POST', '/channels/create', { name, subscribers: [], announce: true })
  t.same(contents(await hear('member2', () => create('fourth'))), [
    `${OWNER} created a new channel #**fourth**.`,
  ])
  await setUpChannel(server, 'news', { kind: 'archived', isArchived: true })
  t.same(await announced(['fifth']), [])
})

t.test('[ANN6] a user subscribed by another gets a direct message; nobody else does', async (t) => {
  await owner.subscribe(['left', 'right'])
  const message = `${OWNER} subscribed you to the channel #**left**.`
  const events = await expectConsistent(server, () =>
    subscribe('owner', ['left'], { principals: [1, 4, 5, 7] }),
  )
  const messages = (person: (typeof VIEWERS)[number]) =>
    events[person].filter(({ type }) => type === 'message').map(({ message }) => message)
  t.match(messages('member'), [
    { type: 'private', sender_full_name: 'Notification Bot', display_recipient: { length: 2 } },
  ])
  t.equal(messages('member2').length, 1)
  t.same(messages('owner'), [])
  t.same(messages('guest'), [])
  await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
  t.same(contents(await hear('member', () => subscribe('owner', ['left'], { principals: [4] }))), [message])
  // Neither existing subscribers, nor users who join by themselves, nor bots.
  t.same(await hear('member', () => subscribe('owner', ['left'], { principals: [4] })), [])
  t.same(await hear('member', () => subscribe('member', ['right'])), [])
  const toBot = { principals: [bot.userId] }
  t.same(await hear('bot', () => subscribe('owner', ['right'], toBot)), [])
})

t.test('[ANN7] one message names all channels, except for new ones', async (t) => {
  await owner.subscribe(['apples', 'pears'])
  const names = ['apples', 'baked', 'pears']
  t.same(contents(await hear('guest', () => subscribe('owner', names, { principals: [6] }))), [
    `${OWNER} subscribed you to the following channels:\n\n* #**apples**\n* #**pears**`,
  ])
  t.same(await hear('guest', () => subscribe('owner', ['brand new'], { principals: [6] })), [])
  const create = () => owner.must('POST', '/channels/create', { name: 'brand newer', subscribers: [6] })
  t.same(await hear('guest', create), [])
})

t.test('[ANN8] no notice is sent if the caller turns it off', async (t) => {
  await owner.subscribe(['quiet'])
  const fields = { principals: [6], send_new_subscription_messages: false }
  t.same(await hear('guest', () => subscribe('owner', ['quiet'], fields)), [])
})

t.test('[ANN9] a long list of channels is shortened', async (t) => {
  const names = Array.from({ length: 30 }, (_, index) => `number ${index}`)
  await owner.subscribe(names)
  const [content] = contents(await hear('guest', () => subscribe('owner', names, { principals: [6] })))
  t.ok(content?.includes('* #**number 23**\n* and 6 more'))
  t.notOk(content?.includes('number 24'))
})

t.test('[ANN10] names and descriptions are escaped in notices', async (t) => {
  await set({ settings: { sendsChannelEvents: true } })
  const queue = await owner.register({ event_types: ['message'], apply_markdown: true })
  const name = '**x** `y` [a](b)'
  const description = 'fine **bold** <b>'
  await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name, description }] })
  const raw = await hear('member', () => subscribe('owner', [name], { principals: [4] }))
  const id = channelIdOf(server, name)
  t.same(contents(raw), [
    `${OWNER} subscribed you to the channel [#&#42;&#42;x&#42;&#42; &#96;y&#96; &#91;a&#93;&#40;b&#41;](/#narrow/channel/${id}).`,
  ])
  const [made] = await owner.events(queue)
  t.match(made.message.content, '<blockquote>\n<p>fine <strong>bold</strong> &lt;b&gt;</p>\n</blockquote>')
  const heard = await member.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'dm' }],
  })
  t.match(heard.messages[0].content, `<a href="/#narrow/channel/${id}">#**x** \`y\` [a](b)</a>.`)
})

t.test('[ANN11] a user whose name does not fit a mention is named by id', async (t) => {
  await set({ settings: { sendsChannelEvents: true } })
  const odd = await addUser(server, '**odd** `name`')
  const queue = await odd.register({ event_types: ['message'], apply_markdown: false })
  await odd.subscribe(['odd'])
  t.match(await odd.events(queue), [
    { message: { content: `**Public** channel created by @_**|${odd.userId}**.` } },
  ])
})

t.test('[ANN12] no notices are sent if more than 100 people are subscribed at once', async (t) => {
  const large = await startTestServer(t)
  const clients = await Promise.all(Array.from({ length: 101 }, (_, index) => addUser(large, `user${index}`)))
  const ids = clients.map(({ userId }) => userId)
  const join = (names: readonly string[], principals: readonly number[]) =>
    large.as('owner').must('POST', '/users/me/subscriptions', {
      subscriptions: names.map((name) => ({ name })),
      principals,
    })
  await large.as('owner').subscribe(['hall', 'room'])
  const queue = await clients[0]?.register({ event_types: ['message'] })
  if (!queue) throw new Error('the person has no queue')
  t.equal((await join(['hall'], ids)).new_subscription_messages_sent, false)
  t.same(await clients[0]?.events(queue), [])
  t.equal((await join(['room'], ids.slice(0, 100))).new_subscription_messages_sent, true)
  t.equal((await clients[0]?.events(queue))?.length, 1)
  // Existing subscribers are not newly subscribed.
  t.equal((await join(['hall', 'room'], ids)).new_subscription_messages_sent, true)
})

t.test('[ANN13] the notification bot gets another address if its own is taken', async (t) => {
  const other = await startTestServer(t)
  const { hostname } = new URL(other.node.services.publicUrl)
  await addUser(other, 'impostor', { email: `notification-bot@${hostname}` })
  await other.as('owner').subscribe(['lobby'])
  const heard = await hear(
    'member',
    () =>
      other.as('owner').must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: 'lobby' }],
        principals: [4],
      }),
    other,
  )
  t.match(heard, [{ sender_email: `server-notification-bot@${hostname}` }])
})

t.test('[ANN14] a notice that cannot be rendered is omitted; the change is still made', async (t) => {
  const slow = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const changes = { settings: { sendsChannelEvents: true } }
  await commitEvents(slow, [{ type: 'realm/update_dict', changes }])
  // Short enough to render without a time limit alone, but not within the notice.
  const description = '![['.repeat(163)
  const heard = await hear(
    'owner',
    async () => {
      // Before the slow one, which may leave it no time to render in place.
      await slow.as('owner').subscribe(['other'])
      const subscriptions = [{ name: 'lobby', description }]
      const { subscribed } = await slow.as('owner').must('POST', '/users/me/subscriptions', { subscriptions })
      t.same(subscribed, { 1: ['lobby'] })
    },
    slow,
  )
  t.same(
    heard.map(({ display_recipient: name }) => name),
    ['other'],
  )
})

t.test('[ANN15] notices in channels are in the language of the organization', async (t) => {
  await set({ settings: { sendsChannelEvents: true, defaultLanguage: 'de' } })
  t.match(await hear('owner', () => subscribe('owner', ['deutsch'])), [
    { subject: 'Kanalereignisse', content: `${OWNER} hat diesen Kanal angelegt: **Öffentlich**.` },
  ])
  await set({ settings: { defaultLanguage: 'en' } })
})

t.test('[ANN16] a direct notice is in the language of its reader', async (t) => {
  await server.as('member2').must('PATCH', '/settings', { default_language: 'de' })
  await subscribe('owner', ['known'])
  const add = () => subscribe('owner', ['known'], { principals: [4, 5] })
  const queue = await member.register({ apply_markdown: false, event_types: ['message'] })
  const heard = await hear('member2', add)
  t.same(contents(heard), [`${OWNER} hat dich in den Kanal #**known** aufgenommen.`])
  const english = (await member.events(queue)).map(({ message }) => message.content)
  t.same(english, [`${OWNER} subscribed you to the channel #**known**.`])
})

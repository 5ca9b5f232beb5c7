import t from 'tap'
import { changeAddress } from '../../harness/mail/change-address.ts'
import { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, PEOPLE, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { List, Recipients, WireEvent } from '../../harness/client/wire-types.ts'

const EVERYONE = 1
const MEMBERS = 2
const ADMINISTRATORS = 3
const NOBODY = 4
const MODERATORS = 5

const server = await startTestServer(t, { env: { GRAVATAR: 'on' } })
const owner = server.as('owner')
const member = server.as('member')
const guest = server.as('guest')
const host = new URL(server.node.url).hostname
const standIn = `user4@${host}`

const show = (visibility: number, person: Person = 'member') =>
  server.as(person).must('PATCH', '/settings', { email_address_visibility: visibility })
const look = async (client: Client) => (await client.must('GET', '/users/4')).user

t.test(
  '[USER20] each visibility shows the address to the users it names, and always to its owner',
  async (t) => {
    const seers: Record<number, Person[]> = {
      [EVERYONE]: [...PEOPLE],
      [MEMBERS]: ['owner', 'administrator', 'moderator', 'member', 'member2', 'bot'],
      [MODERATORS]: ['owner', 'administrator', 'moderator', 'member'],
      [ADMINISTRATORS]: ['owner', 'administrator', 'member'],
      [NOBODY]: ['member'],
    }
    for (const [visibility, people] of Object.entries(seers)) {
      await show(Number(visibility))
      for (const person of PEOPLE) {
        const { delivery_email, email, avatar_url } = await look(server.as(person))
        const isSeen = people.includes(person)
        t.equal(delivery_email, isSeen ? emailOf('member') : null, `${visibility} ${person}`)
        t.equal(email, Number(visibility) === EVERYONE ? emailOf('member') : standIn)
        t.equal(avatar_url === null, isSeen, 'a client without the address gets the avatar URL')
      }
    }
    t.match(await member.must('GET', '/users/me'), { delivery_email: emailOf('member'), email: standIn })
    const { state } = await member.register({ fetch_event_types: ['realm_user'] })
    t.match(state, { delivery_email: emailOf('member'), email: standIn })
    await show(EVERYONE)
  },
)

t.test('[USER21] a hidden address cannot be guessed from the avatar', async (t) => {
  const avatarOf = async () =>
    (await guest.must('GET', '/users/4', { client_gravatar: false })).user.avatar_url as string
  const real = await avatarOf()
  await show(NOBODY)
  t.not(await avatarOf(), real)
  await show(EVERYONE)
  t.equal(await avatarOf(), real)
})

t.test('[USER22] a user who gains or loses sight of an address gets an event; others do not', async (t) => {
  const person = (update: object) => ({ type: 'realm_user', op: 'update', person: { user_id: 4, ...update } })
  const avatar = person({ avatar_source: 'G', avatar_version: 1 })
  const renamed = person({ new_email: standIn })
  const hidden = person({ delivery_email: null })
  const shown = person({ delivery_email: emailOf('member') })
  const userEvents = (events: readonly WireEvent[]) =>
    withoutIds(events).filter(({ type }) => type === 'realm_user')
  const hiding = await expectConsistent(server, () => show(MEMBERS))
  t.match(userEvents(hiding.guest), [renamed, hidden, avatar])
  for (const who of ['owner', 'member', 'member2'] as const)
    t.match(userEvents(hiding[who]), [renamed, avatar])
  const hidingMore = await expectConsistent(server, () => show(ADMINISTRATORS))
  t.match(userEvents(hidingMore.member2), [hidden, avatar])
  t.same([hidingMore.owner, hidingMore.guest], [[], []])
  t.same(userEvents(hidingMore.member), [])
  const showing = await expectConsistent(server, () => show(EVERYONE))
  const again = person({ new_email: emailOf('member') })
  for (const who of ['member2', 'guest'] as const) t.match(userEvents(showing[who]), [again, shown, avatar])
  for (const who of ['owner', 'member'] as const) t.match(userEvents(showing[who]), [again, avatar])
})

t.test('[USER23] a change of role shows or hides addresses', async (t) => {
  await show(ADMINISTRATORS)
  const setRole = (role: number) => owner.must('PATCH', '/users/5', { role })
  const emails = (events: readonly WireEvent[]) =>
    events.filter(({ type, person }) => type === 'realm_user' && 'delivery_email' in person)
  const lifted = await expectConsistent(server, () => setRole(200))
  t.match(emails(lifted.member2), [{ person: { user_id: 4, delivery_email: emailOf('member') } }])
  t.same(emails(lifted.guest), [])
  const lowered = await expectConsistent(server, () => setRole(400))
  t.match(emails(lowered.member2), [{ person: { user_id: 4, delivery_email: null } }])
  await show(EVERYONE)
})

t.test('[USER24] events to many users contain only the address that all may see', async (t) => {
  await owner.subscribe(['town'], { principals: [1, 4, 6] })
  await member.send('town', 'x', 'before')
  await guest.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [['channel', 'town']],
  })
  await member.must('POST', '/users/me/presence', { status: 'active' })
  await show(NOBODY)
  const sees = await guest.register({ event_types: ['message', 'typing'] })
  const narrowed = await guest.register({ event_types: ['message'], narrow: [['sender', standIn]] })
  const guessing = await guest.register({ event_types: ['message'], narrow: [['sender', emailOf('member')]] })
  await member.sendDirect([6], 'hello')
  await member.must('POST', '/typing', { op: 'start', to: [6] })
  const [message, typing] = await guest.events(sees)
  t.match(message.message, { sender_email: standIn, avatar_url: /gravatar/ })
  t.same(
    (message.message.display_recipient as Recipients).map(({ email }) => email),
    [standIn, emailOf('guest')],
  )
  t.match(typing, { sender: { email: standIn } })
  t.equal((await guest.events(narrowed)).length, 1)
  t.same(await guest.events(guessing), [])
  const page = { anchor: 'newest', num_before: 5, num_after: 0 }
  const { messages } = await guest.must('GET', '/messages', { ...page, narrow: [['channel', 'town']] })
  t.match(messages, [{ sender_email: standIn }], 'cached encodings are replaced')
  const { presences } = await guest.must('GET', '/realm/presence')
  t.ok(standIn in presences)
  t.notOk(emailOf('member') in presences)
  await show(EVERYONE)
})

t.test(
  '[USER25] users are found by their placeholder address, and by the real one if it is visible',
  async (t) => {
    await show(ADMINISTRATORS)
    for (const email of [standIn, standIn.toUpperCase()]) {
      t.equal((await guest.must('GET', `/users/${email}`)).user.user_id, 4)
    }
    t.equal((await owner.must('GET', `/users/${emailOf('member').toUpperCase()}`)).user.user_id, 4)
    t.equal((await member.must('GET', `/users/${emailOf('member')}`)).user.user_id, 4)
    for (const email of [
      emailOf('member'),
      `user99@${host}`,
      `user4@elsewhere.example`,
      'nobody@example.com',
    ]) {
      expectRefusal(t, await guest.get(`/users/${email}`), 'No such user')
    }
    const sendTo = (email: string) => guest.post('/messages', { type: 'direct', to: email, content: 'x' })
    t.equal((await sendTo(standIn)).status, 200)
    expectRefusal(t, await sendTo(emailOf('member')), `Invalid email '${emailOf('member')}'`)
    const find = (sender: string) =>
      guest.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['sender', sender]] })
    t.equal((await find(standIn)).status, 200)
    t.equal((await find(emailOf('member'))).body.code, 'BAD_NARROW')
    t.equal(
      (
        await owner.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'hall' }],
          principals: [standIn],
          send_new_subscription_messages: false,
        })
      ).status,
      200,
    )
    t.equal((await member.get('/users/me')).status, 200, 'logging in needs the real address')
    await show(EVERYONE)
  },
)

t.test('[USER71] a new address that is hidden changes no picture for others', async (t) => {
  await show(NOBODY, 'member2')
  const queues = [await owner.register(), await guest.register()] as const
  const own = server.as('member2')
  await changeAddress(server, own, 'hidden@example.com')
  const events = [...(await owner.events(queues[0])), ...(await guest.events(queues[1]))]
  t.same(
    events.filter(({ type }) => type === 'realm_user'),
    [],
  )
  await changeAddress(server, own, emailOf('member2'))
})

t.test('[USER26] the address of a bot is never hidden', async (t) => {
  const queue = await guest.register()
  await show(NOBODY, 'bot')
  t.notOk((await guest.events(queue)).some(({ type }) => type === 'realm_user'))
  const { user } = await guest.must('GET', '/users/7')
  t.match(user, { email: emailOf('bot'), delivery_email: emailOf('bot') })
})

t.test(
  '[USER27] a client that connects later gets the creation of a user without the address hidden since',
  async (t) => {
    const queues = { owner: await owner.register(), guest: await guest.register() }
    const account = { email: 'late@example.com', password: 'long enough', full_name: 'Late' }
    const { user_id } = await owner.must('POST', '/users', account)
    const { api_key } = await server.anyone.must('POST', '/fetch_api_key', {
      username: account.email,
      password: account.password,
    })
    const late = new Client(server.node.url, user_id, account.email, api_key)
    await late.must('PATCH', '/settings', { email_address_visibility: MEMBERS })
    const addedIn = (events: List<WireEvent>) => events.find(({ op }) => op === 'add').person
    t.match(addedIn(await owner.events(queues.owner)), {
      delivery_email: account.email,
      email: `user${user_id}@${host}`,
      profile_data: {},
    })
    t.match(addedIn(await guest.events(queues.guest)), { delivery_email: null })
  },
)

t.test('[USER47] the placeholder address works for HTTP Basic, like the real one', async (t) => {
  await show(NOBODY)
  const as = (email: string, key = member.key) => new Client(member.url, member.userId, email, key)
  for (const email of [standIn, standIn.toUpperCase(), emailOf('member')]) {
    t.equal((await as(email).must('GET', '/users/me')).user_id, 4, email)
  }
  await show(EVERYONE)
  t.equal((await as(standIn).must('GET', '/users/me')).user_id, 4, 'even if it is hidden')
  const refused = { status: 401, code: 'UNAUTHORIZED' }
  expectRefusal(t, await as(`user1@${host}`).get('/users/me'), 'Invalid API key', refused)
  expectRefusal(t, await as(`user99@${host}`).get('/users/me'), 'Invalid API key', refused)
  expectRefusal(t, await as('user4@elsewhere.example').get('/users/me'), 'Invalid API key', refused)
})

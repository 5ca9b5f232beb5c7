import t from 'tap'
import { sendNotice } from '../../../server/changes/messages/send-notice.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { Client, type Fields, type Queue } from '../../harness/client/client.ts'
import { changeAddress, confirmAddress } from '../../harness/mail/change-address.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, type Person, startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t, { redis: true })
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
const host = new URL(server.node.url).hostname
const done = { result: 'success', msg: '' }
const WRONG = 'Wrong password!'
const UNIQUE = 'Unique names required in this organization.'
const PASSWORD = 'correct horse'

const set = (fields: Fields, person: Person = 'member') => server.as(person).patch('/settings', fields)
const logIn = (username: string, password: string, on: Pick<TestServer, 'anyone'> = server) =>
  on.anyone.post('/fetch_api_key', { username, password })
const withEmail = (client: Client, email: string) => new Client(client.url, client.userId, email, client.key)
/** The client of the member, whose address changes during the tests. */
const withOneMember: TestServer = {
  ...server,
  as: (person) => (person === 'member' ? member : server.as(person)),
}
const ofUsers = (events: readonly WireEvent[]) =>
  events.filter(({ type }: { type: string }) => type === 'realm_user')
const rule = (fields: Fields) => owner.must('PATCH', '/realm', fields)

t.test('[ACCOUNT1] a user without a password sets one; a change needs the old password', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.same((await set({ new_password: PASSWORD })).body, done)
    t.same((await set({ old_password: PASSWORD, new_password: 'battery staple' })).body, done)
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  for (const old_password of [undefined, '', PASSWORD, 'battery stapl'])
    expectRefusal(t, await set({ old_password, new_password: PASSWORD }), WRONG)
  const email = emailOf('member')
  t.match((await logIn(email, 'battery staple')).body, { user_id: 4 })
  t.equal((await logIn(email, PASSWORD)).status, 401)
  t.equal((await member.get('/users/me')).status, 200, 'keys stay')
})

t.test('[ACCOUNT2] a new password has 8 to 1,000 characters', async (t) => {
  const change = (new_password: string) => set({ old_password: 'battery staple', new_password })
  for (const weak of ['1234567', '😀'.repeat(7)])
    expectRefusal(t, await change(weak), 'New password is too weak!')
  expectRefusal(t, await change('x'.repeat(1_001)), 'new_password is too long (limit: 1000 characters)')
  expectRefusal(
    t,
    await set({ old_password: 'x'.repeat(1_001) }),
    'old_password is too long (limit: 1000 characters)',
  )
  t.equal((await change('')).status, 200, 'an empty one counts as none')
  t.equal((await change('😀'.repeat(1_000))).status, 200)
  t.equal((await set({ old_password: '😀'.repeat(1_000), new_password: PASSWORD })).status, 200)
})

t.test('[ACCOUNT3] a new address is valid in every process, and the old one belongs to nobody', async (t) => {
  const another = await server.startAnotherNode()
  t.equal((await another.as('member').get('/users/me')).status, 200)
  const events = await expectConsistent(withOneMember, async () => {
    t.same((await set({ email: ' fresh@example.com ', old_password: PASSWORD })).body, done)
    t.equal((await confirmAddress(server, 4, 'fresh@example.com')).status, 200)
    Object.assign(member, { email: 'fresh@example.com' })
  })
  for (const person of ['owner', 'member', 'member2', 'guest'] as const)
    t.match(
      withoutIds(ofUsers(events[person])),
      [
        { op: 'update', person: { user_id: 4, new_email: 'fresh@example.com' } },
        { op: 'update', person: { user_id: 4, delivery_email: 'fresh@example.com' } },
      ],
      person,
    )
  await another.as('owner').must('PATCH', '/settings', { starred_message_counts: false })
  for (const node of [server, another]) {
    const before = node.as('member')
    expectRefusal(t, await before.get('/users/me'), 'Invalid API key', { status: 401, code: 'UNAUTHORIZED' })
    const { email, delivery_email } = await withEmail(before, 'FRESH@example.com').must('GET', '/users/me')
    t.same([email, delivery_email], ['fresh@example.com', 'fresh@example.com'])
  }
  t.equal((await logIn('fresh@example.com', PASSWORD)).body.user_id, 4)
  t.equal((await logIn(emailOf('member'), PASSWORD)).status, 401)
  const account = { email: emailOf('member'), password: PASSWORD, full_name: 'Another' }
  t.equal((await owner.post('/users', account)).status, 200)
  expectRefusal(
    t,
    await member.patch('/settings', { email: emailOf('member'), old_password: PASSWORD }),
    `Email '${emailOf('member')}' already in use`,
  )
  t.same((await member.patch('/settings', { email: 'Fresh@example.com', old_password: PASSWORD })).body, done)
})

t.test('[ACCOUNT4] a hidden address is sent only to users who may see it', async (t) => {
  await set({ email_address_visibility: 3 }, 'member2')
  const own = server.as('member2')
  const queues = new Map<Person, Queue>()
  for (const person of ['owner', 'guest', 'moderator'] as const)
    queues.set(person, await server.as(person).register())
  const queue = await own.register()
  t.same((await set({ email: 'second@example.com' }, 'member2')).body, done)
  t.equal((await confirmAddress(server, 5, 'second@example.com')).status, 200)
  const delivery = { op: 'update', person: { user_id: 5, delivery_email: 'second@example.com' } }
  t.match(ofUsers(await owner.events(queues.get('owner') as Queue)), [delivery])
  for (const person of ['guest', 'moderator'] as const)
    t.same(await server.as(person).events(queues.get(person) as Queue), [], person)
  const renamed = withEmail(own, 'second@example.com')
  t.match(ofUsers(await renamed.events(queue)), [delivery])
  t.match((await guest.must('GET', '/users/5')).user, { email: `user5@${host}`, delivery_email: null })
  // Only users who can see the address when it is confirmed get it.
  const watching = await guest.register()
  await changeAddress(server, renamed, 'third@example.com', { email_address_visibility: 1 })
  t.ok(JSON.stringify(await guest.events(watching)).includes('third@example.com'))
  const third = withEmail(own, 'third@example.com')
  await changeAddress(server, third, 'fourth@example.com', { email_address_visibility: 4 })
  t.notOk(JSON.stringify(await guest.events(watching)).includes('fourth@example.com'))
  t.notOk(JSON.stringify(await owner.events(queues.get('owner') as Queue)).includes('fourth@example.com'))
  const fourth = withEmail(own, 'fourth@example.com')
  await changeAddress(server, fourth, emailOf('member2'), { email_address_visibility: 1 })
})

t.test('[ACCOUNT5] an address must be valid and not taken, and a change needs the password', async (t) => {
  await set({ new_password: PASSWORD }, 'guest')
  const change = (email: string, old_password: string | undefined = PASSWORD) =>
    set({ email, old_password }, 'guest')
  for (const email of ['x', 'x@', 'a b@example.com', 'a:b@example.com'])
    expectRefusal(t, await change(email), 'Invalid email address')
  expectRefusal(t, await change(`x@${'y'.repeat(260)}`), 'email is too long (limit: 254 characters)')
  for (const email of [emailOf('owner'), emailOf('owner').toUpperCase(), `user1@${host}`])
    expectRefusal(t, await change(email), `Email '${email}' already in use`)
  expectRefusal(t, await change('other@example.com', 'wrong'), WRONG)
  expectRefusal(t, await set({ email: 'other@example.com' }, 'guest'), WRONG)
  for (const email of ['', emailOf('guest')]) t.same((await set({ email }, 'guest')).body, done)
  const refused = 'This endpoint does not accept bot requests.'
  expectRefusal(t, await set({ email: 'other@example.com' }, 'bot'), refused)
  expectRefusal(t, await set({ new_password: PASSWORD }, 'bot'), refused)
})

t.test('[ACCOUNT6] an update makes all of its changes or none', async (t) => {
  const fields = { full_name: 'Half', new_password: 'not to be', old_password: PASSWORD }
  expectRefusal(t, await set({ ...fields, old_password: 'wrong' }, 'guest'), WRONG)
  expectRefusal(
    t,
    await set({ ...fields, email: emailOf('owner') }, 'guest'),
    `Email '${emailOf('owner')}' already in use`,
  )
  t.equal((await guest.must('GET', '/users/me')).full_name, 'The guest')
  t.equal((await logIn(emailOf('guest'), PASSWORD)).status, 200)
  t.same((await set({ ...fields, full_name: 'Whole' }, 'guest')).body, done)
  t.equal((await guest.must('GET', '/users/me')).full_name, 'Whole')
  t.equal((await logIn(emailOf('guest'), 'not to be')).status, 200)
})

t.test('[ACCOUNT12] one of two concurrent password changes succeeds', async (t) => {
  const [first, second] = await Promise.all(
    ['the first one', 'the second one'].map((new_password) =>
      set({ old_password: 'not to be', new_password }, 'guest'),
    ),
  )
  const isFirst = first?.status === 200
  const refused = isFirst ? second : first
  if (refused) expectRefusal(t, refused, WRONG)
  t.equal((isFirst ? first : second)?.status, 200)
  const now = isFirst ? 'the first one' : 'the second one'
  t.same((await set({ old_password: now, new_password: 'not to be' }, 'guest')).body, done)
})

t.test('[ACCOUNT7] if address changes are disabled, only administrators change theirs', async (t) => {
  const events = await expectConsistent(withOneMember, () => rule({ email_changes_disabled: true }))
  t.match(events.guest, [{ type: 'realm', op: 'update_dict', data: { email_changes_disabled: true } }])
  expectRefusal(
    t,
    await set({ email: 'other@example.com', old_password: 'not to be' }, 'guest'),
    'Email address changes are disabled in this organization.',
  )
  t.same((await set({ email: 'boss@example.com' }, 'administrator')).body, done)
  t.equal((await confirmAddress(server, 2, 'boss@example.com')).status, 200)
  const boss = withEmail(server.as('administrator'), 'boss@example.com')
  await changeAddress(server, boss, emailOf('administrator'))
  await rule({ email_changes_disabled: false })
})

t.test('[ACCOUNT8] if name changes are disabled, only administrators change names', async (t) => {
  await rule({ name_changes_disabled: true })
  t.equal((await guest.register()).state.realm_name_changes_disabled, true)
  const refused = 'Name changes are disabled in this organization.'
  expectRefusal(t, await set({ full_name: 'Other' }, 'guest'), refused)
  t.same((await set({ full_name: 'Whole', fluid_layout_width: true }, 'guest')).body, done)
  t.same((await set({ full_name: 'Chief' }, 'administrator')).body, done)
  t.same((await owner.patch('/users/6', { full_name: 'The guest' })).body, done)
  await rule({ name_changes_disabled: false })
  t.same((await set({ full_name: 'Visitor' }, 'guest')).body, done)
})

t.test('[ACCOUNT9] if names are unique, a new name must not be taken', async (t) => {
  await rule({ require_unique_names: true })
  for (const full_name of ['Visitor', 'vISITOR', 'Ｖisitor', 'The bot']) {
    expectRefusal(t, await member.patch('/settings', { full_name }), UNIQUE)
    expectRefusal(t, await owner.patch('/users/5', { full_name }), UNIQUE)
    expectRefusal(t, await owner.patch(`/users/${emailOf('member2')}`, { full_name }), UNIQUE)
    const account = { email: 'unique@example.com', password: PASSWORD, full_name }
    expectRefusal(t, await owner.post('/users', account), UNIQUE)
  }
  expectRefusal(t, await member.post('/bots', { full_name: 'visitor', short_name: 'twin' }), UNIQUE)
  expectRefusal(t, await member.patch('/bots/7', { full_name: 'visitor' }), UNIQUE)
  t.same((await set({ full_name: 'VISITOR' }, 'guest')).body, done, 'their own is theirs in any case')
  await sendNotice(server.node.services, null, [4 as UserId], 'from the user of the server')
  const account = { email: 'notifier@example.com', password: PASSWORD, full_name: 'notification bot' }
  t.equal(
    (await owner.post('/users', account)).status,
    200,
    'the name of a user of the server is no name of a person',
  )
  t.equal((await member.patch('/bots/7', { full_name: 'The Bot' })).status, 200)
  await rule({ require_unique_names: false })
  t.same((await member.patch('/settings', { full_name: 'visitor' })).body, done)
})

t.test('[ACCOUNT10] password guesses count towards the login limit', async (t) => {
  const limited = await startTestServer(t, {
    clock: new ManualClock(),
    env: { RATE_LIMIT_LOGINS_PER_MINUTE: '2' },
  })
  const client = limited.as('member')
  await client.must('PATCH', '/settings', { new_password: PASSWORD })
  const guess = () => client.patch('/settings', { old_password: 'guess', new_password: 'battery staple' })
  for (let times = 0; times < 2; times++) expectRefusal(t, await guess(), WRONG)
  t.match(await guess(), { status: 429, body: { code: 'RATE_LIMIT_HIT' } })
  t.equal((await client.patch('/settings', { starred_message_counts: false })).status, 200)
})

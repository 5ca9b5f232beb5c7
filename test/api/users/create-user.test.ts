import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const guest = server.as('guest')
const host = new URL(server.node.url).hostname

const ACCOUNT = { email: 'new@example.com', password: 'correct horse', full_name: 'New Person' }
const create = (fields: Fields, person: Person = 'administrator') =>
  server.as(person).post('/users', { ...ACCOUNT, ...fields })
const update = (userId: number | string, fields: Fields, person: Person = 'administrator') =>
  server.as(person).patch(`/users/${userId}`, fields)
const done = { result: 'success', msg: '' }

t.test('[USER30] an administrator creates an account, and its owner can log in', async (t) => {
  await owner.subscribe(['town'])
  await owner.must('POST', '/default_streams', { stream_id: 1 })
  let userId = 0
  const received = await expectConsistent(server, async () => {
    const { status, body } = await create({ email: ' new@example.com ', full_name: ' New Person ' })
    userId = body.user_id
    t.same({ status, body }, { status: 200, body: { ...done, user_id: 8 } })
  })
  for (const events of Object.values(received)) {
    t.match(events[0], {
      type: 'realm_user',
      op: 'add',
      person: { user_id: userId, email: ACCOUNT.email, full_name: 'New Person', role: 400, profile_data: {} },
    })
  }
  t.ok(received.member?.some(({ op, user_ids }) => op === 'peer_add' && user_ids.includes(userId)))
  const logIn = (password: string) =>
    server.anyone.post('/fetch_api_key', { username: ACCOUNT.email, password })
  t.match((await logIn(ACCOUNT.password)).body, { user_id: userId, email: ACCOUNT.email })
  t.equal((await logIn('correct hors')).status, 401)
})

t.test('[USER31] only administrators create accounts', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(
      t,
      await create({ email: 'x@example.com' }, person),
      'Must be an organization administrator',
    )
  }
})

t.test('[USER32] an address must be valid and not taken', async (t) => {
  for (const email of [
    '',
    'x',
    'x@',
    '@example.com',
    'a b@example.com',
    'a:b@example.com',
    `${'x'.repeat(65)}@example.com`,
  ]) {
    expectRefusal(t, await create({ email }), 'Invalid email address')
  }
  expectRefusal(
    t,
    await create({ email: `x@${'y'.repeat(260)}` }),
    'email is too long (limit: 254 characters)',
  )
  for (const email of [emailOf('guest'), emailOf('guest').toUpperCase(), `user1@${host}`, `USER99@${host}`]) {
    expectRefusal(t, await create({ email }), `Email '${email}' already in use`)
  }
})

t.test('[USER33] a password has 8 to 1,000 characters, and a name must be valid', async (t) => {
  const email = 'second@example.com'
  for (const password of ['', '1234567', '😀'.repeat(7)]) {
    expectRefusal(t, await create({ email, password }), 'The password is too weak.')
  }
  expectRefusal(
    t,
    await create({ email, password: 'x'.repeat(1_001) }),
    'password is too long (limit: 1000 characters)',
  )
  expectRefusal(t, await create({ email, full_name: ' x ' }), 'Name too short!')
  expectRefusal(t, await create({ email, full_name: 'x'.repeat(101) }), 'Name too long!')
  expectRefusal(t, await create({ email, full_name: 'a@b' }), 'Invalid characters in name!')
  expectRefusal(t, await create({ email, full_name: 'Ann|15' }), 'Invalid format!')
  for (const name of ['email', 'password', 'full_name']) {
    expectRefusal(t, await create({ email, [name]: undefined }), `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  }
  t.equal((await create({ email, password: '😀'.repeat(8) })).status, 200)
})

t.test('[USER34] an administrator renames anyone, an owner their bot, others nobody', async (t) => {
  const received = await expectConsistent(server, async () => {
    t.same((await update(6, { full_name: ' Renamed Guest ' })).body, done)
    t.same((await update(6, { full_name: 'Renamed Guest' })).body, done)
    t.same((await update(7, { full_name: 'Robot' }, 'member')).body, done)
  })
  for (const events of Object.values(received)) {
    // The drawn pictures follow the names, by events of their own.
    const ofUsers = events.filter(({ type, person }) => type === 'realm_user' && !person.avatar_url)
    t.same(withoutIds(ofUsers), [
      { type: 'realm_user', op: 'update', person: { user_id: 6, full_name: 'Renamed Guest' } },
      { type: 'realm_user', op: 'update', person: { user_id: 7, full_name: 'Robot' } },
    ])
  }
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await update(5, { full_name: 'Other' }, person), 'Insufficient permission')
  }
  expectRefusal(t, await update(7, { full_name: 'Other' }, 'member2'), 'Insufficient permission')
  expectRefusal(t, await update(99, { full_name: 'Other' }), 'No such user')
})

t.test('[USER35] the rules for names hold for every caller', async (t) => {
  for (const by of [5, emailOf('member2')]) {
    expectRefusal(t, await update(by, { full_name: 'x' }), 'Name too short!')
    expectRefusal(t, await update(by, { full_name: 'x'.repeat(101) }), 'Name too long!')
    expectRefusal(t, await update(by, { full_name: 'a*b' }), 'Invalid characters in name!')
    expectRefusal(t, await update(by, { full_name: 'Ann|15' }), 'Invalid format!')
  }
})

t.test('[USER36] an update with several changes makes all of them or none', async (t) => {
  expectRefusal(t, await update(5, { full_name: 'Half', role: 100 }), 'Must be an organization owner')
  t.equal((await guest.must('GET', '/users/5')).user.full_name, 'The member2')
  t.same((await update(5, { full_name: 'Whole', role: 300 })).body, done)
  t.match((await guest.must('GET', '/users/5')).user, { full_name: 'Whole', role: 300 })
})

t.test('[USER37] an update names its user by address or by id', async (t) => {
  t.same((await update(emailOf('member2').toUpperCase(), { full_name: 'By Address', role: 400 })).body, done)
  t.match((await guest.must('GET', '/users/5')).user, { full_name: 'By Address', role: 400 })
  await member.must('PATCH', '/settings', { email_address_visibility: 4 })
  t.same((await update(`user4@${host}`, { full_name: 'Hidden' })).body, done)
  expectRefusal(t, await update(emailOf('member'), { full_name: 'Seen' }), 'No such user')
  await member.must('PATCH', '/settings', { email_address_visibility: 1 })
  expectRefusal(t, await update('nobody@example.com', { role: 400 }), 'No such user')
  expectRefusal(t, await update(emailOf('owner'), { full_name: 'Own' }, 'member'), 'Insufficient permission')
  expectRefusal(t, await update(emailOf('owner'), { role: 400 }), 'Must be an organization owner')
  expectRefusal(
    t,
    await update(emailOf('owner'), { role: 400 }, 'owner'),
    'The owner permission cannot be removed from the only organization owner.',
  )
})

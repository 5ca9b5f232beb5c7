import t from 'tap'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const administrator = server.as('administrator')
const member = server.as('member')
const guest = server.as('guest')

const CAR = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' }
const EXTRA = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' }
const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }
const done = { result: 'success', msg: '' }

/** Sets a status by the administrator's operation. */
const set = (userId: number, fields: Fields, person: Person = 'administrator') =>
  server.as(person).post(`/users/${userId}/status`, fields)
const setOwn = (fields: Fields) => member.post('/users/me/status', fields)
const statusOf = async (userId: number) => (await guest.must('GET', `/users/${userId}/status`)).status
/** Starts a test with a user without a status. */
const clear = (userId: number) => set(userId, { status_text: '', emoji_name: '' })

t.test(
  '[STATUS1] an administrator sets the status of a user, and everyone gets and can read it',
  async (t) => {
    const events = await expectConsistent(server, async () => {
      t.same((await set(4, { status_text: 'on vacation', ...CAR })).body, done)
      t.same(await statusOf(4), { status_text: 'on vacation', ...CAR })
    })
    for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
      t.same(
        withoutIds(events[person]),
        [{ type: 'user_status', user_id: 4, status_text: 'on vacation', ...CAR }],
        person,
      )
    }
    const { state } = await guest.register({ fetch_event_types: ['user_status'] })
    t.same(state.user_status, { 4: { status_text: 'on vacation', ...CAR } })
  },
)

t.test('[STATUS2] omitted fields stay, and the event has only changes', async (t) => {
  await set(4, { status_text: 'here', ...CAR })
  const events = await expectConsistent(server, async () => {
    await set(4, { status_text: 'there' })
    t.same(await statusOf(4), { status_text: 'there', ...CAR })
    await set(4, { status_text: 'there', emoji_name: 'tada' })
    await set(4, { status_text: ' there ', emoji_name: 'tada' })
    await set(4, { emoji_name: '' })
    t.same(await statusOf(4), { status_text: 'there' })
    await set(4, { status_text: '  ', emoji_name: '' })
    t.same(await statusOf(4), {})
  })
  const event = (changes: object) => ({ type: 'user_status', user_id: 4, ...changes })
  t.same(withoutIds(events.guest), [
    event({ status_text: 'there' }),
    event({ emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }),
    event(NO_EMOJI),
    event({ status_text: '' }),
  ])
  const { state } = await guest.register({ fetch_event_types: ['user_status'] })
  t.same(state.user_status, {}, 'an empty status is none')
})

t.test(
  '[STATUS3] without code or type the emoji is found by its name, including the extra one',
  async (t) => {
    for (const [given, found] of [
      [{ emoji_name: 'car' }, CAR],
      [{ emoji_name: 'car', emoji_code: '1f697' }, CAR],
      [{ emoji_name: 'car', reaction_type: 'unicode_emoji' }, CAR],
      [{ emoji_name: 'zulip' }, EXTRA],
      [{ ...EXTRA, reaction_type: 'zulip_extra_emoji' }, EXTRA],
      // An unknown name is accepted with a known code.
      [
        { emoji_name: 'my_car', emoji_code: '1f697' },
        { ...CAR, emoji_name: 'my_car' },
      ],
    ] as const) {
      await clear(4)
      t.same((await set(4, given)).body, done)
      t.same(await statusOf(4), found, JSON.stringify(given))
    }
  },
)

t.test('[STATUS4] an emoji code or type needs the emoji name', async (t) => {
  const msg = 'Client must pass emoji_name if they pass either emoji_code or reaction_type.'
  for (const fields of [
    { emoji_code: '1f697' },
    { reaction_type: 'unicode_emoji' },
    { status_text: 'x', emoji_code: '1f697' },
    { status_text: 'x', reaction_type: 'unicode_emoji' },
  ]) {
    expectRefusal(t, await set(4, fields), msg)
    expectRefusal(t, await setOwn(fields), msg)
  }
})

t.test('[STATUS5] an empty request is refused', async (t) => {
  expectRefusal(t, await set(4, {}), 'Client did not pass any new values.')
  expectRefusal(t, await setOwn({}), 'Client did not pass any new values.')
  expectRefusal(t, await setOwn({ what: 'else' }), 'Client did not pass any new values.')
})

t.test('[STATUS6] the text has at most 60 code points without surrounding spaces', async (t) => {
  const msg = 'status_text is too long (limit: 60 characters)'
  expectRefusal(t, await set(4, { status_text: 'x'.repeat(61) }), msg)
  expectRefusal(t, await setOwn({ status_text: '\u{1f389}'.repeat(61) }), msg)
  t.same((await set(4, { status_text: `  ${'\u{1f389}'.repeat(60)}  ` })).body, done)
  t.equal((await statusOf(4)).status_text, '\u{1f389}'.repeat(60))
})

t.test('[STATUS7] an unknown emoji is refused', async (t) => {
  await clear(4)
  const custom = { ...CAR, reaction_type: 'realm_emoji' }
  for (const [fields, msg] of [
    [{ emoji_name: 'no_such' }, "Emoji 'no_such' does not exist"],
    [{ emoji_name: 'no_such', reaction_type: 'realm_emoji' }, "Emoji 'no_such' does not exist"],
    [{ ...CAR, emoji_name: 'tada' }, 'Invalid emoji name.'],
    [{ ...CAR, emoji_name: 'No Such', emoji_code: '1f9a4' }, 'Invalid emoji name.'],
    [{ ...CAR, emoji_code: '0041' }, 'Invalid emoji code.'],
    [{ ...CAR, emoji_code: 'x' }, 'Invalid emoji code.'],
    [{ ...EXTRA, emoji_code: 'other' }, 'Invalid emoji code.'],
    [{ ...EXTRA, emoji_name: 'other' }, 'Invalid emoji name.'],
    [{ ...CAR, reaction_type: 'other' }, 'Invalid emoji type.'],
    [custom, 'Invalid custom emoji.'],
    [{ emoji_name: 'x'.repeat(101) }, 'emoji_name is too long (limit: 100 characters)'],
    [{ emoji_name: 'car', emoji_code: 'x'.repeat(101) }, 'emoji_code is too long (limit: 100 characters)'],
  ] as const) {
    expectRefusal(t, await set(4, fields), msg)
    expectRefusal(t, await setOwn(fields), msg)
  }
  t.same(await statusOf(4), {})
})

t.test('[STATUS8] only administrators and owners set the status of others', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await set(4, { status_text: 'x' }, person), 'Insufficient permission')
    expectRefusal(t, await set(4, {}, person), 'Insufficient permission')
  }
  for (const person of ['administrator', 'owner'] as const) {
    t.same((await set(4, { status_text: person }, person)).body, done)
    t.same((await set(server.as(person).userId, { status_text: 'own' }, person)).body, done)
  }
  t.same(await statusOf(1), { status_text: 'own' })
  await clear(1)
  await clear(2)
})

t.test('[STATUS9] users set their own status, guests and bots too', async (t) => {
  await clear(4)
  const events = await expectConsistent(server, async () => {
    t.same((await setOwn({ status_text: 'at lunch', emoji_name: 'car' })).body, done)
    t.same(await statusOf(4), { status_text: 'at lunch', ...CAR })
  })
  t.same(withoutIds(events.guest), [{ type: 'user_status', user_id: 4, status_text: 'at lunch', ...CAR }])
  for (const person of ['guest', 'bot'] as const) {
    const { userId, post } = server.as(person)
    t.same((await post('/users/me/status', { status_text: 'busy' })).body, done)
    t.same(await statusOf(userId), { status_text: 'busy' }, person)
    await clear(userId)
  }
})

t.test('[STATUS10] the older `away` is the opposite of the presence setting', async (t) => {
  await clear(4)
  const event = (changes: object) => ({ type: 'user_status', user_id: 4, ...changes })
  const events = await expectConsistent(server, async () => {
    t.same((await setOwn({ away: true })).body, done)
    t.same(await statusOf(4), { away: true })
    await setOwn({ away: true, status_text: 'away' })
    t.same(await statusOf(4), { away: true, status_text: 'away' })
    await setOwn({ away: false, status_text: '' })
    t.same(await statusOf(4), {})
    await member.must('PATCH', '/settings', { presence_enabled: false })
    t.same(await statusOf(4), { away: true })
    // A user who shows presence again is active, which is sent in time: the first event may have been under
    // way already.
    for (let count = 0; count < 2; count++) await server.node.services.presences.exchange()
  })
  const statuses = withoutIds(events.guest).filter(({ type }) => type === 'user_status')
  t.same(statuses, [
    event({ away: true }),
    event({ status_text: 'away' }),
    event({ away: false }),
    event({ status_text: '' }),
    event({ away: true }),
  ])
  t.same(
    withoutIds(events.member)
      .filter(({ type }) => type === 'user_settings')
      .map(({ value }) => value),
    [false, true, false],
  )
  await setOwn({ away: false })
  expectRefusal(t, await setOwn({ away: 'x' }), 'away is not valid JSON')
})

t.test('[STATUS11] unknown users have no status and cannot get one', async (t) => {
  const left = await addUser(server, 'left')
  await set(left.userId, { status_text: 'leaving' })
  await deactivate(server, left.userId)
  expectRefusal(t, await set(left.userId, { status_text: 'x' }), 'User is deactivated')
  t.same(await statusOf(left.userId), { status_text: 'leaving' }, 'the old status stays')
  for (const id of [99, 0, 2 ** 40]) {
    expectRefusal(t, await set(id, { status_text: 'x' }), 'No such user')
    expectRefusal(t, await guest.get(`/users/${id}/status`), 'No such user')
  }
  t.equal((await administrator.get('/users/x/status')).status, 404)
  t.equal((await server.anyone.get('/users/4/status')).status, 401)
})

t.test('[STATUS12] a new status text keeps an old emoji whose name now means another', async (t) => {
  const old = { emoji_name: 'x', emoji_code: '274c', reaction_type: 'unicode_emoji' }
  await clear(4)
  await server.node.services.committer.submit({
    kind: 'structure',
    decide: ({ rights }) => ({
      events: [
        {
          event: {
            type: 'user_status',
            userId: 4 as UserId,
            changes: { emoji: { emojiName: 'x', emojiCode: '274c', reactionType: 'unicode_emoji' } },
          },
          audience: { kind: 'users', users: rights.activeUsers },
        },
      ],
      reply: () => undefined,
    }),
  })
  t.same((await setOwn({ status_text: 'here', ...old })).body, done)
  t.same(await statusOf(4), { status_text: 'here', ...old })
  t.same((await set(4, { status_text: 'there', ...old })).body, done)
  expectRefusal(t, await set(1, old), 'Invalid emoji name.')
  t.same((await setOwn({ emoji_name: 'x' })).body, done)
  t.same(await statusOf(4), { status_text: 'there', ...old, emoji_code: '274e' })
  await clear(4)
})

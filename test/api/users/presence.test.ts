import t from 'tap'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const clock = new ManualClock(Date.parse('2027-03-01T12:00:00Z'))
const server = await startTestServer(t, { clock })
const { presences, committer } = server.node.services
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]

const now = () => clock.nowMs() / 1000
/** Lets time pass and sends the reports of that time. */
async function pass(seconds: number): Promise<void> {
  clock.leap((seconds - 1) * 1000)
  clock.advance(1000)
  await presences.exchange()
  await committer.drain()
}
/** All earlier users are long offline. */
const passLong = () => pass(1_000)
const report = (person: Person, status: string, fields: Fields = {}) =>
  server.as(person).must('POST', '/users/me/presence', { status, ...fields })
const everyone = async () => (await guest.must('GET', '/realm/presence')).presences

const entry = (status: string, timestamp: number) => ({
  website: { client: 'website', status, timestamp, pushable: false },
  aggregated: { client: 'website', status, timestamp },
})
const MODERN = { client_capabilities: { simplified_presence_events: true }, event_types: ['presence'] }
const LEGACY = { event_types: ['presence'] }

t.test('[PRESENCE1] a report is sent to everyone, by email address and in both forms', async (t) => {
  t.same(await guest.must('GET', '/realm/presence'), {
    result: 'success',
    msg: '',
    server_timestamp: now(),
    presences: {},
  })
  await report('member', 'active')
  const active = now()
  t.same(await everyone(), { 'member@example.com': entry('active', active) }, 'at once')
  await pass(10)
  await report('owner', 'idle')
  t.same(await guest.must('GET', '/realm/presence'), {
    result: 'success',
    msg: '',
    server_timestamp: now(),
    presences: {
      'member@example.com': entry('active', active),
      'owner@example.com': entry('idle', now()),
    },
  })
})

t.test('[PRESENCE2] a user stays active for 70 seconds after their last activity', async (t) => {
  await passLong()
  await report('member', 'active')
  const active = now()
  const own = async () => (await everyone())['member@example.com']
  await pass(70)
  await report('member', 'idle')
  t.same(await own(), entry('active', active))
  await pass(1)
  await report('member', 'idle')
  t.same(await own(), entry('idle', now()))
  await pass(1)
  await report('member', 'active')
  t.same(await own(), entry('active', now()))
})

t.test(
  '[PRESENCE3] the reply to a report has the presence of all users, in the requested form',
  async (t) => {
    await passLong()
    await report('member', 'active')
    const active = now()
    await pass(100)
    const legacy = await report('guest', 'idle')
    t.match(legacy, { server_timestamp: now(), presence_last_update_id: presences.lastId })
    t.equal(legacy.zephyr_mirror_active, false)
    t.same(legacy.presences[emailOf('guest')], entry('idle', now()), 'the own report is in it')
    t.same(legacy.presences[emailOf('member')], entry('active', active))
    for (const fields of [{ slim_presence: true }, { last_update_id: -1 }]) {
      const modern = await report('guest', 'idle', fields)
      t.same(modern.presences[4], { active_timestamp: active, idle_timestamp: active })
      t.same(
        modern.presences[6],
        { active_timestamp: 1_700_000_000, idle_timestamp: now() },
        'inactive users are idle since they joined',
      )
      t.match(modern, { server_timestamp: now(), presence_last_update_id: presences.lastId })
      t.equal(modern.zephyr_mirror_active, false)
    }
    t.same(await report('guest', 'idle', { ping_only: true, new_user_input: true }), {
      result: 'success',
      msg: '',
    })
  },
)

t.test('[PRESENCE4] a client gets the changes since its last update id', async (t) => {
  await passLong()
  await report('member', 'active')
  await report('owner', 'active')
  await pass(1)
  const { presence_last_update_id: first, presences: all } = await report('guest', 'idle', {
    last_update_id: -1,
  })
  t.ok(all[1] && all[4] && all[6])
  await pass(1)
  const { presence_last_update_id: second, presences: later } = await report('guest', 'idle', {
    last_update_id: first,
  })
  t.same(Object.keys(later), ['6'], 'the own report')
  t.ok(second > first)
  await report('member', 'active')
  await pass(1)
  const idsSince = async (last_update_id: number) => {
    const { presences: known } = await member.must('POST', '/users/me/presence', {
      status: 'active',
      last_update_id,
    })
    return Object.keys(known)
  }
  t.same(await idsSince(second), ['4', '6'], 'the guest’s last report was counted after the second')
  await pass(1)
  t.same(await idsSince(presences.lastId), ['4'])
  for (const unknown of [-1, 0, 17, presences.lastId + 1, 2 ** 50]) {
    t.same(await idsSince(unknown), Object.keys(all), `everyone since ${unknown}`)
  }
})

t.test('[PRESENCE5] users whose last report is older than the requested time are left out', async (t) => {
  await passLong()
  await report('member', 'active')
  await pass(3 * 24 * 3600)
  const idsOf = async (history_limit_days: number) => {
    const { presences: known } = await report('guest', 'idle', { slim_presence: true, history_limit_days })
    return Object.keys(known)
  }
  t.same(await idsOf(0), ['6'])
  t.same(await idsOf(2), ['6'])
  t.ok((await idsOf(3)).includes('4'))
  t.ok((await idsOf(10_000)).includes('4'))
  const registered = async (presence_history_limit_days: number) => {
    const { state } = await guest.register({ ...LEGACY, presence_history_limit_days })
    return Object.keys(state.presences)
  }
  t.same(await registered(2), ['guest@example.com'])
  t.ok((await registered(3)).includes('member@example.com'))
  expectRefusal(
    t,
    await guest.post('/users/me/presence', { status: 'idle', history_limit_days: -1 }),
    'Invalid history_limit_days',
  )
})

t.test('[PRESENCE6] presence is deleted after 14 days', async (t) => {
  await report('member', 'active')
  await pass(14 * 24 * 3600 - 3600)
  t.ok((await everyone())['member@example.com'])
  await pass(2 * 3600)
  t.same(await everyone(), {})
})

t.test('[PRESENCE7] going online, idle and active again is sent, other reports are not', async (t) => {
  await passLong()
  const queue = await guest.register(MODERN)
  t.same(await guest.events(queue), [])
  const nextPresences = async () => withoutIds(await guest.events(queue)).map(({ presences: known }) => known)
  const came = now()
  await report('member', 'idle')
  t.same(await nextPresences(), [], 'within a second')
  await pass(1)
  const idle = { active_timestamp: 1_700_000_000, idle_timestamp: came }
  const [first, ...none] = withoutIds(await guest.events(queue))
  t.same(none, [])
  t.same(Object.keys(first), ['type', 'presences'])
  t.match(first.presences[4], { idle_timestamp: idle.idle_timestamp })
  for (let count = 0; count < 3; count++) {
    await pass(60)
    await report('member', 'idle')
  }
  await pass(1)
  t.same(await nextPresences(), [], 'still idle')
  const active = now()
  await report('member', 'active')
  await pass(60)
  await report('member', 'active')
  await pass(1)
  t.same(await nextPresences(), [{ 4: { active_timestamp: active, idle_timestamp: active } }], 'once')
  await pass(199)
  await report('member', 'active')
  await pass(1)
  t.same(await nextPresences(), [], 'hardly away')
  await pass(200)
  await report('member', 'active')
  await pass(1)
  t.equal((await nextPresences()).length, 1, 'away for more than 200 seconds and back')
})

t.test(
  '[PRESENCE8] users who come online within a second share an event; older clients get one each',
  async (t) => {
    await passLong()
    const modern = await guest.register(MODERN)
    const legacy = await guest.register(LEGACY)
    const came = now()
    await Promise.all([report('member', 'active'), report('owner', 'active')])
    await pass(1)
    const [together, ...none] = withoutIds(await guest.events(modern))
    t.same(none, [])
    const times = { active_timestamp: came, idle_timestamp: came }
    t.same(together, { type: 'presence', presences: { 1: times, 4: times } })
    const each = withoutIds(await guest.events(legacy)).sort((a, b) => Number(a.user_id) - Number(b.user_id))
    t.same(
      each,
      [1, 4].map((user_id) => ({
        type: 'presence',
        user_id,
        email: emailOf(user_id === 1 ? 'owner' : 'member'),
        server_timestamp: now(),
        presence: { website: { client: 'website', status: 'active', timestamp: came, pushable: false } },
      })),
    )
  },
)

t.test('[PRESENCE9] the registered state with the events equals the later state', async (t) => {
  await passLong()
  await report('owner', 'active')
  await pass(1)
  const events = await expectConsistent(server, async () => {
    await report('member', 'active')
    await pass(1)
  })
  for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
    t.match(events[person], [{ type: 'presence', user_id: 4 }], person)
  }
  const { state: slim } = await guest.register({ ...MODERN, slim_presence: true })
  t.equal(slim.presence_last_update_id, presences.lastId)
  t.equal(slim.server_timestamp, now())
  t.match(slim.presences, { 4: { active_timestamp: now() - 1, idle_timestamp: now() - 1 } })
  const { state: other } = await guest.register({ fetch_event_types: ['realm'] })
  t.equal(other.server_presence_ping_interval_seconds, 60)
  t.equal(other.server_presence_offline_threshold_seconds, 200)
  t.notOk('presences' in other)
})

t.test('[PRESENCE10] the presence of one user is found by id and email address, in both forms', async (t) => {
  await passLong()
  await report('member', 'active')
  const active = now()
  const seen = (status: string) => ({
    active_timestamp: active,
    idle_timestamp: active,
    aggregated: { status, timestamp: active },
    website: { status: 'active', timestamp: active },
  })
  await pass(200)
  for (const who of ['4', 'member@example.com', 'Member@Example.com']) {
    t.same(
      await guest.must('GET', `/users/${who}/presence`),
      { result: 'success', msg: '', presence: seen('active'), server_timestamp: now() },
      who,
    )
  }
  await pass(1)
  t.same((await guest.must('GET', '/users/4/presence')).presence, seen('offline'))
  await report('member', 'idle')
  t.match((await guest.must('GET', '/users/4/presence')).presence, {
    active_timestamp: active,
    idle_timestamp: now(),
    aggregated: { status: 'idle', timestamp: now() },
  })
})

t.test('[PRESENCE11] bots and unknown users have no presence', async (t) => {
  const ask = (who: string) => guest.get(`/users/${who}/presence`)
  expectRefusal(t, await ask('7'), 'Presence is not supported for bot users.')
  expectRefusal(t, await ask('bot@example.com'), 'Presence is not supported for bot users.')
  expectRefusal(t, await ask('5'), 'No presence data for 5')
  expectRefusal(t, await ask('member2@example.com'), 'No presence data for member2@example.com')
  for (const who of ['99', 'nobody@example.com', 'x', '999999999999999999']) {
    expectRefusal(t, await ask(who), 'No such user')
  }
  expectRefusal(t, await ask('x'.repeat(255)), 'user_id_or_email is too long (limit: 254 characters)')
  expectRefusal(
    t,
    await server.as('bot').post('/users/me/presence', { status: 'active' }),
    'This endpoint does not accept bot requests.',
  )
  expectRefusal(t, await member.post('/users/me/presence', { status: 'offline' }), 'Invalid status')
  expectRefusal(t, await member.post('/users/me/presence'), "Missing 'status' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'status',
  })
  t.equal((await server.anyone.get('/realm/presence')).status, 401)
  t.ok((await server.as('bot').must('GET', '/realm/presence')).presences)
})

t.test('[PRESENCE12] deactivated users are not shown', async (t) => {
  const left = await addUser(server, 'left')
  const { presences: before } = await left.must('POST', '/users/me/presence', { status: 'active' })
  t.ok(before[left.email])
  t.ok((await everyone())[left.email])
  await deactivate(server, left.userId)
  t.notOk((await everyone())[left.email])
  t.notOk((await report('guest', 'idle')).presences[left.email])
  expectRefusal(t, await guest.get(`/users/${left.userId}/presence`), 'No such user')
})

t.test(
  '[PRESENCE13] a user who hides their presence goes offline at once, and is not recorded until they show it',
  async (t) => {
    await passLong()
    const see = (presence_enabled: boolean) => member.must('PATCH', '/settings', { presence_enabled })
    await report('member', 'active')
    await pass(1)
    const queue = await guest.register(MODERN)
    const events = await expectConsistent(server, async () => {
      await see(false)
      await pass(1)
    })
    const gone = now() - 1 - 320
    t.same(await everyoneOf(guest, 4), entry('active', gone))
    t.same((await guest.must('GET', '/users/4/presence')).presence.aggregated.status, 'offline')
    t.match(
      withoutIds(events.guest).filter(({ type }) => type === 'presence'),
      [{ user_id: 4, presence: { website: { timestamp: gone } } }],
    )
    await report('member', 'active')
    await pass(1)
    t.same(await everyoneOf(guest, 4), entry('active', gone), 'nothing is noted')
    t.equal((await guest.events(queue)).length, 1)
    await see(true)
    t.same(await everyoneOf(guest, 4), entry('active', now()), 'there again')
    await pass(1)
    t.equal((await guest.events(queue)).length, 1)
  },
)

async function everyoneOf(client: Client, userId: number): Promise<unknown> {
  const { presences: known } = await client.must('GET', '/realm/presence')
  return known[server.node.services.state.getUser(userId as never).email]
}

t.test('[PRESENCE14] presence does not reveal a hidden email address', async (t) => {
  await passLong()
  const hide = (email_address_visibility: number) =>
    member.must('PATCH', '/settings', { email_address_visibility })
  const { hostname } = new URL(server.node.url)
  const standIn = `user4@${hostname}`
  await report('member', 'active')
  t.ok((await everyone())['member@example.com'])
  await pass(1_000)
  const queue = await guest.register(LEGACY)
  await hide(3)
  t.notOk((await everyone())['member@example.com'])
  t.ok((await everyone())[standIn])
  await report('member', 'active')
  t.same((await everyone())[standIn], entry('active', now()))
  await pass(1)
  t.match(await guest.events(queue), [{ user_id: 4, email: standIn }])
  t.match((await guest.register(LEGACY)).state.presences[standIn], entry('active', now() - 1))
  t.ok(await guest.must('GET', `/users/${standIn}/presence`))
  expectRefusal(t, await guest.get('/users/member@example.com/presence'), 'No such user')
  t.ok(await owner.must('GET', '/users/member@example.com/presence'), 'the address is visible')
  await hide(1)
  t.ok((await everyone())['member@example.com'])
})

t.test('[WALKO4] no presence is sent for a bot, whatever its settings', async (t) => {
  await passLong()
  const events = await expectConsistent(server, async () => {
    for (const presence_enabled of [false, true]) {
      await server.as('bot').must('PATCH', '/settings', { presence_enabled })
    }
    await pass(1)
  })
  t.same(
    events.owner?.map(({ type, away }) => [type, away]),
    [
      ['user_status', true],
      ['user_status', false],
    ],
  )
})

t.test('[PRESENCE15] with more than 100 active users, clients poll presence and get no events', async (t) => {
  await passLong()
  const { state } = server.node.services
  await addCrowd(server, 100 - state.rights.activeUsers.size, 1_700_000_000)
  const queue = await guest.register(MODERN)
  await report('owner', 'active')
  await pass(1)
  t.equal((await guest.events(queue)).length, 1, 'of 100 users')
  await addUser(server, 'onemore')
  await guest.events(queue)
  await report('member', 'active')
  await pass(1)
  t.same(await guest.events(queue), [], 'of 101')
  t.same(await everyoneOf(owner, 4), entry('active', now() - 1), 'requests still get presence')
})

import t from 'tap'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { emailOf, startTestServer, type Person } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const member2 = server.as('member2')
const guest = server.as('guest')
const bot = server.as('bot')

const leave = (person: Person, subscriptions: unknown, fields: Fields = {}) =>
  server.as(person).delete('/users/me/subscriptions', { subscriptions, ...fields })
const types = (events: readonly WireEvent[]) =>
  events.map(({ type, op }: { type: string; op: string }) => `${type}/${op}`)
const names = async (person: Person) => {
  const { subscriptions } = await server.as(person).must('GET', '/users/me/subscriptions')
  return subscriptions.map(({ name }: { name: string }) => name)
}

t.test('[UNSUB1] a user who leaves a public channel still sees it, and others get the removal', async (t) => {
  await owner.subscribe(['town'], { principals: [1, 4, 5] })
  const events = await expectConsistent(server, async () => {
    t.same((await leave('member', [' TOWN ', 'town'])).body, {
      result: 'success',
      msg: '',
      removed: ['town'],
      not_removed: [],
    })
  })
  t.match(events.member, [{ type: 'subscription', op: 'remove', subscriptions: [{ name: 'town' }] }])
  t.match(events.member2, [{ type: 'subscription', op: 'peer_remove', user_ids: [4] }])
  t.match(events.owner, [{ type: 'subscription', op: 'peer_remove', user_ids: [4] }])
  t.same(events.guest, [])
})

t.test('[UNSUB2] unsubscribing without a subscription changes nothing', async (t) => {
  const events = await expectConsistent(server, async () => {
    const { body } = await leave('member', ['town'])
    t.match(body, { removed: [], not_removed: ['town'] })
    t.match((await leave('member', [])).body, { removed: [], not_removed: [] })
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
})

t.test(
  '[UNSUB3] administrators unsubscribe anyone; the reply has an entry for each user and channel',
  async (t) => {
    await owner.subscribe(['square'], { principals: [1, 4, 5] })
    await owner.subscribe(['town'], { principals: [4, 5] })
    const events = await expectConsistent(server, async () => {
      const { body } = await leave('administrator', ['town', 'square'], { principals: [4, 5, 6] })
      t.same(body, {
        result: 'success',
        msg: '',
        removed: ['town', 'town', 'square', 'square'],
        not_removed: ['town', 'square'],
      })
    })
    t.same(types(events.member), ['subscription/remove', 'subscription/peer_remove'])
    t.match(events.member?.[0], { subscriptions: [{ name: 'town' }, { name: 'square' }] })
    t.match(events.member?.[1], { stream_ids: [{}, {}].map(() => Number), user_ids: [4, 5] })
    t.same(events.guest, [])
    t.notOk((await names('member')).includes('town'))
  },
)

t.test('[UNSUB4] principals can be email addresses in any case', async (t) => {
  await owner.subscribe(['square'], { principals: [5] })
  const { body } = await leave('owner', ['square'], { principals: [emailOf('member2').toUpperCase()] })
  t.same(body.removed, ['square'])
})

t.test('[UNSUB5] others unsubscribe their own bots from channels they can read', async (t) => {
  await owner.subscribe(['square'], { principals: [bot.userId, member2.userId] })
  t.match((await leave('member', ['square'], { principals: [bot.userId] })).body.removed, ['square'])
  const missing = 'Insufficient permission'
  await owner.subscribe(['square'], { principals: [bot.userId] })
  expectRefusal(t, await leave('member2', ['square'], { principals: [bot.userId] }), missing)
  expectRefusal(t, await leave('moderator', ['square'], { principals: [member2.userId] }), missing)
  expectRefusal(t, await leave('member', ['square'], { principals: [member2.userId] }), missing)
  expectRefusal(t, await leave('bot', ['square'], { principals: [member.userId] }), missing)
  expectRefusal(
    t,
    await leave('guest', ['square'], { principals: [member2.userId] }),
    "Channel 'square' does not exist",
    {
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'square',
    },
  )
})

t.test('[UNSUB6] one refusal undoes the whole request', async (t) => {
  await member.subscribe(['square'])
  const events = await expectConsistent(server, async () => {
    for (const principals of [
      [4, 5],
      [5, 4],
    ]) {
      expectRefusal(t, await leave('member', ['square'], { principals }), 'Insufficient permission')
    }
    expectRefusal(t, await leave('member', ['square', 'nowhere']), "Channel 'nowhere' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'nowhere',
    })
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  t.ok((await names('member')).includes('square'))
})

t.test('[UNSUB7] an unknown channel and an invisible one look exactly alike', async (t) => {
  await member.subscribe(['hidden'], { invite_only: true })
  for (const person of ['member2', 'guest', 'bot'] as const) {
    const invisible = await leave(person, ['Hidden'])
    const unknown = await leave(person, ['Absent'])
    t.equal(invisible.status, 400)
    t.equal(unknown.status, 400)
    t.equal(JSON.stringify(invisible.body).replaceAll('Hidden', 'Absent'), JSON.stringify(unknown.body))
    t.same([...invisible.headers.keys()], [...unknown.headers.keys()])
  }
  t.match((await leave('owner', ['hidden'])).body, { removed: [], not_removed: ['hidden'] })
})

t.test('[UNSUB8] a user who loses sight of a private channel gets its deletion', async (t) => {
  await member.subscribe(['hidden'], { principals: [1, 5, 6] })
  const events = await expectConsistent(server, async () => {
    await leave('member2', ['hidden'])
    await leave('owner', ['hidden'], { principals: [owner.userId, guest.userId] })
  })
  t.same(types(events.member2), ['subscription/remove', 'stream/delete'])
  t.same(types(events.guest), ['subscription/peer_remove', 'subscription/remove', 'stream/delete'])
  t.same(types(events.member), ['subscription/peer_remove', 'subscription/peer_remove'])
  // An administrator still sees it, and so gets the removal of the guest, too.
  t.same(types(events.owner), ['subscription/peer_remove', 'subscription/remove', 'subscription/peer_remove'])
})

t.test('[UNSUB9] a guest who leaves a public channel loses sight of it', async (t) => {
  await owner.subscribe(['town'], { principals: [6] })
  const events = await expectConsistent(server, () => leave('guest', ['town']))
  t.same(types(events.guest), ['subscription/remove', 'stream/delete'])
  t.same(types(events.member), ['subscription/peer_remove'])
})

t.test('[UNSUB10] an unknown or deactivated principal refuses the whole request', async (t) => {
  const gone = await addUser(server, 'gone')
  await owner.subscribe(['town'], { principals: [gone.userId, 4] })
  await deactivate(server, gone.userId)
  for (const [principals, msg] of [
    [[4, 999], 'No such user'],
    [['nobody@example.com'], 'No such user'],
    [[4, gone.userId], 'User is deactivated'],
  ] as const) {
    expectRefusal(t, await leave('owner', ['town'], { principals }), msg)
  }
  t.ok((await names('member')).includes('town'))
})

t.test('[UNSUB11] subscriptions are required, as a list of names', async (t) => {
  expectRefusal(t, await leave('owner', undefined), "Missing 'subscriptions' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'subscriptions',
  })
  expectRefusal(t, await leave('owner', 'town'), 'subscriptions is not valid JSON')
  expectRefusal(t, await leave('owner', {}), 'subscriptions is not a list')
  expectRefusal(t, await leave('owner', [7]), 'subscriptions[0] is not a string')
  expectRefusal(
    t,
    await leave('owner', Array(1_001).fill('town')),
    'subscriptions is too long (limit: 1000 items)',
  )
})

t.test('[UNSUB12] one request ends at most 10,000 subscriptions', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  const others = await Promise.all(Array.from({ length: 94 }, (_, index) => addUser(server, `user${index}`)))
  const principals = [1, 2, 3, 4, 5, 6, 7, ...others.map(({ userId }) => userId)]
  const names = Array.from({ length: 100 }, (_, index) => `c${index}`)
  await owner.subscribe(names)
  expectRefusal(
    t,
    await owner.delete('/users/me/subscriptions', { subscriptions: names, principals }),
    'Too many subscriptions in one request (maximum 10000).',
  )
  const { removed } = await owner.must('DELETE', '/users/me/subscriptions', {
    subscriptions: names,
    principals: principals.slice(0, 100),
  })
  t.equal(removed.length, 100)
})

const only = (...ids: number[]) => ({ directMembers: ids as UserId[], directSubgroups: [] })

t.test(
  '[UNSUB13] users with the permission and channel administrators unsubscribe anyone from it',
  async (t) => {
    for (const permission of ['canRemoveSubscribers', 'canAdministerChannel'] as const) {
      await owner.subscribe([permission], { principals: [1, 3, 4, 5] })
      const remove = (person: Person) => leave(person, [permission], { principals: [1] })
      expectRefusal(t, await remove('member'), 'Insufficient permission')
      await setUpChannel(server, permission, { kind: 'permission', permission, setting: only(4) })
      t.same((await remove('member')).body.removed, [permission])
      for (const person of ['member2', 'bot', 'moderator'] as const) {
        expectRefusal(t, await remove(person), 'Insufficient permission')
      }
    }
  },
)

t.test('[UNSUB14] the permission to unsubscribe needs sight of the channel, too', async (t) => {
  await owner.subscribe(['closed'], { invite_only: true, principals: [1, 5] })
  await setUpChannel(server, 'closed', {
    kind: 'permission',
    permission: 'canRemoveSubscribers',
    setting: only(4),
  })
  expectRefusal(
    t,
    await leave('member', ['closed'], { principals: [5] }),
    "Channel 'closed' does not exist",
    {
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'closed',
    },
  )
  await owner.subscribe(['closed'], { principals: [4] })
  t.same((await leave('member', ['closed'], { principals: [5] })).body.removed, ['closed'])
  await owner.subscribe(['closed'], { principals: [bot.userId] })
  expectRefusal(t, await leave('bot', ['closed'], { principals: [4] }), 'Insufficient permission')
  t.same((await leave('member', ['closed'], { principals: [bot.userId] })).body.removed, ['closed'])
})

t.test(
  '[UNSUB15] a user who sees a private channel through a group still sees it after leaving',
  async (t) => {
    await owner.subscribe(['garden'], { invite_only: true, principals: [1, 4, 5] })
    await setUpChannel(server, 'garden', { kind: 'permission', permission: 'canSubscribe', setting: only(4) })
    const events = await expectConsistent(server, () => leave('owner', ['garden'], { principals: [4, 5] }))
    t.same(types(events.member), ['subscription/remove', 'subscription/peer_remove'])
    t.same(types(events.member2), ['subscription/remove', 'stream/delete'])
  },
)

t.test('[UNSUB16] archived channels can be left, with events to clients that know them', async (t) => {
  await owner.subscribe(['ruin'], { invite_only: true, principals: [1, 4, 5] })
  await setUpChannel(server, 'ruin', { kind: 'archived', isArchived: true })
  const old = await member.register()
  const events = await expectConsistent(server, () => leave('member', ['ruin']))
  t.same(types(events.member), ['subscription/remove', 'stream/delete'])
  t.same(types(events.member2), ['subscription/peer_remove'])
  t.same(await member.events(old), [])
})

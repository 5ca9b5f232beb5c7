import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer, type Person } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')

const change = (person: Person, fields: Fields) => server.as(person).patch('/users/me/subscriptions', fields)
const types = (events: readonly WireEvent[]) => events.map(({ type, op }) => `${type}/${op}`)
const nothing = { owner: [], member: [], member2: [], guest: [] }

await owner.subscribe(['north', 'south'], { principals: [1, 4, 5] })
await owner.subscribe(['vault'], { invite_only: true, principals: [1, 4] })

t.test('[SUB31] one request unsubscribes from some channels and subscribes to others', async (t) => {
  const events = await expectConsistent(server, async () => {
    const add = [{ name: 'west', description: 'Far *off*', color: '#123456' }, { name: 'South' }]
    t.same((await change('member', { delete: [' NORTH', 'vault'], add })).body, {
      result: 'success',
      msg: '',
      subscribed: { 4: ['west'] },
      already_subscribed: { 4: ['south'] },
      removed: ['north', 'vault'],
      not_removed: [],
    })
  })
  t.same(types(events.member), ['subscription/remove', 'stream/delete', 'stream/create', 'subscription/add'])
  t.match(events.member?.[3], {
    subscriptions: [{ name: 'west', color: '#123456', rendered_description: '<p>Far <em>off</em></p>' }],
  })
  t.same(types(events.member2), ['subscription/peer_remove', 'stream/create', 'subscription/peer_add'])
  t.same(events.guest, [])
})

t.test('[SUB32] either list may be missing, but not both', async (t) => {
  t.match((await change('member', { delete: ['north', 'south'] })).body, {
    subscribed: {},
    already_subscribed: {},
    removed: ['south'],
    not_removed: ['north'],
  })
  t.match((await change('member', { add: [{ name: 'south' }] })).body, {
    subscribed: { 4: ['south'] },
    removed: [],
    not_removed: [],
  })
  const message = 'Nothing to do. Specify at least one of "add" or "delete".'
  for (const fields of [{}, { add: [] }, { delete: [] }, { add: [], delete: [] }]) {
    expectRefusal(t, await change('member', fields), message)
  }
})

t.test('[SUB33] a refusal of one list undoes the other', async (t) => {
  const events = await expectConsistent(server, async () => {
    const add = [{ name: 'east' }]
    expectRefusal(
      t,
      await change('member', { delete: ['nowhere'], add }),
      "Channel 'nowhere' does not exist",
      {
        code: 'STREAM_DOES_NOT_EXIST',
        stream: 'nowhere',
      },
    )
    const vault = 'Unable to access channel (vault).'
    expectRefusal(t, await change('member', { delete: ['south'], add: [...add, { name: 'vault' }] }), vault)
    const empty = "Channel name can't be empty."
    expectRefusal(t, await change('member', { delete: ['south'], add: [...add, { name: ' ' }] }), empty)
    const long = 'Channel name too long (limit: 60 characters).'
    expectRefusal(t, await change('member', { add: [{ name: 'x'.repeat(61) }] }), long)
    const character = 'Invalid character in channel name, at position 1.'
    expectRefusal(t, await change('member', { add: [{ name: '\u0378' }] }), character)
  })
  t.same(events, nothing)
})

t.test('[SUB34] a channel in both lists is unsubscribed first', async (t) => {
  const both = { delete: ['south'], add: [{ name: 'south' }] }
  const events = await expectConsistent(server, async () => {
    t.match((await change('member', both)).body, { removed: ['south'], subscribed: { 4: ['south'] } })
  })
  t.same(types(events.member), ['subscription/remove', 'subscription/add'])
  t.same(types(events.owner), ['subscription/peer_remove', 'subscription/peer_add'])
  // A user who leaves a private channel is outside of it.
  await owner.subscribe(['vault'], { principals: [4] })
  const answer = await change('member', { delete: ['vault'], add: [{ name: 'vault' }] })
  expectRefusal(t, answer, 'Unable to access channel (vault).')
  t.match((await change('member', { delete: ['vault'] })).body, { removed: ['vault'] })
})

t.test('[SUB35] guests can unsubscribe, but not subscribe', async (t) => {
  await owner.subscribe(['south'], { principals: [6] })
  const add = [{ name: 'south' }]
  expectRefusal(t, await change('guest', { delete: ['south'], add }), 'Must be an organization member')
  t.match((await change('guest', { delete: ['south'] })).body, { removed: ['south'] })
})

t.test('[SUB36] both lists have at most 1,000 items', async (t) => {
  const names = Array.from({ length: 1_001 }, (_, index) => `c${index}`)
  const add = names.map((name) => ({ name }))
  expectRefusal(t, await change('member', { delete: names }), 'delete is too long (limit: 1000 items)')
  expectRefusal(t, await change('member', { add }), 'add is too long (limit: 1000 items)')
  expectRefusal(t, await change('member', { delete: 'x' }), 'delete is not valid JSON')
  expectRefusal(t, await change('member', { add: [{}] }), 'add[0]["name"] field is missing: Field required')
  const color = [{ name: 'x', color: 'x' }]
  expectRefusal(t, await change('member', { add: color }), 'add[0]["color"] is not a valid hex color code')
})

t.test('[SUB37] a user who cannot create channels cannot create them here either', async (t) => {
  const slow = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const description = '![['.repeat(341) // In milliseconds.
  const answer = await slow
    .as('owner')
    .patch('/users/me/subscriptions', { add: [{ name: 'slow', description }] })
  expectRefusal(t, answer, 'Unable to render message')
  await slow.node.services.committer.submit({
    kind: 'structure',
    decide: () => ({
      events: [
        {
          event: {
            type: 'realm/update_dict',
            changes: {
              permissions: { canCreatePublicChannel: slow.node.services.state.permissions.canManageBilling },
            },
          },
          audience: { kind: 'nobody' },
        },
      ],
      reply: () => undefined,
    }),
  })
  const fields = { add: [{ name: 'new' }] }
  expectRefusal(
    t,
    await slow.as('member').patch('/users/me/subscriptions', fields),
    'Insufficient permission',
  )
  t.equal((await slow.as('administrator').patch('/users/me/subscriptions', fields)).status, 200)
  t.match((await member.patch('/users/me/subscriptions', fields)).body, { subscribed: { 4: ['new'] } })
})

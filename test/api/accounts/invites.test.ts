/** Invitations: who creates, sees and revokes them. invites-join.test.ts has joining. */

import t from 'tap'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { readConfig } from '../../../server/config.ts'
import { ConfigError } from '../../../server/config.ts'
import type { GroupId } from '../../../server/domain/ids.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { PEOPLE, type Person, startTestServer } from '../../harness/servers/start-server.ts'

const START_SECONDS = 1_800_000_000
const clock = new ManualClock(START_SECONDS * 1000)
const server = await startTestServer(t, { clock })
const { node } = server
const [owner, administrator, moderator] = [
  server.as('owner'),
  server.as('administrator'),
  server.as('moderator'),
]
const [member, member2, guest] = [server.as('member'), server.as('member2'), server.as('guest')]

const create = (client: Client, fields: Fields = {}) => client.post('/invites/multiuse', fields)
const listed = async (client: Client) => (await client.must('GET', '/invites')).invites
const newest = async (client = owner) => (await listed(client)).at(-1)
/** Creates an invitation and returns its entry. */
const made = async (client: Client, fields: Fields = {}) => {
  await client.must('POST', '/invites/multiuse', fields)
  return newest(client)
}
const allow = (name: string, group: GroupId) => owner.must('PATCH', '/realm', { [name]: { new: group } })
const revoke = (client: Client, id: number) => client.delete(`/invites/multiuse/${id}`)

await t.test('[INVITE1] an administrator creates a link, and administrators get an event', async (t) => {
  const events = await expectConsistent(server, async () => {
    const { invite_link: link } = await administrator.must('POST', '/invites/multiuse')
    t.match(link, new RegExp(`^${node.url}/join/[A-Za-z0-9]{32}/$`))
    t.same(await listed(owner), [
      {
        id: (await newest()).id,
        invited_by_user_id: administrator.userId,
        invited: START_SECONDS,
        expiry_date: START_SECONDS + 14_400 * 60,
        invited_as: 400,
        is_multiuse: true,
        link_url: link,
      },
    ])
  })
  t.match(events.owner, [{ type: 'invites_changed' }])
  t.same(Object.keys(events.owner?.[0]).sort(), ['id', 'type'])
  t.same([events.member, events.member2, events.guest], [[], [], []])
})

await t.test('[INVITE2] a permission decides who creates links; guests and bots never do', async (t) => {
  expectRefusal(t, await create(member), 'Insufficient permission')
  expectRefusal(t, await create(moderator), 'Insufficient permission')
  await allow('create_multiuse_invite_group', SYSTEM_GROUPS.members)
  const events = await expectConsistent(server, () => made(member))
  // Inviters get it, too.
  t.match([events.owner, events.member], [[{ type: 'invites_changed' }], [{ type: 'invites_changed' }]])
  t.same([events.member2, events.guest], [[], []])
  expectRefusal(t, await create(guest), 'Must be an organization member')
  expectRefusal(t, await create(server.as('bot')), 'This endpoint does not accept bot requests.')
})

await t.test(
  '[INVITE3] the role of an invitation is limited by the roles its inviter may give',
  async (t) => {
    const lacking = (name: string) => `Must be an organization ${name}`
    for (const client of [member, moderator]) {
      expectRefusal(t, await create(client, { invite_as: 100 }), lacking('owner'))
      expectRefusal(t, await create(client, { invite_as: 200 }), lacking('administrator'))
      expectRefusal(t, await create(client, { invite_as: 300 }), lacking('administrator'))
    }
    expectRefusal(t, await create(administrator, { invite_as: 100 }), lacking('owner'))
    for (const [client, roles] of [
      [owner, [100, 200, 300, 400, 600]],
      [administrator, [200, 300, 400, 600]],
      [member, [400, 600]],
    ] as const) {
      for (const role of roles) t.equal((await made(client, { invite_as: role })).invited_as, role)
    }
    for (const role of [0, 150, 500, 700]) {
      expectRefusal(
        t,
        await create(owner, { invite_as: role }),
        'Invalid invite_as: Value error, Not in the list of possible values',
      )
    }
    expectRefusal(t, await create(owner, { invite_as: 'member' }), 'invite_as is not valid JSON')
  },
)

await t.test(
  '[INVITE4] a link expires after the given minutes, after ten days by default, or never',
  async (t) => {
    const after = async (minutes?: number | null) =>
      (await made(owner, { invite_expires_in_minutes: minutes })).expiry_date
    t.equal(await after(), START_SECONDS + 10 * 24 * 3600)
    t.equal(await after(52_560_000), START_SECONDS + 52_560_000 * 60)
    t.equal(await after(null), null)
    const short = await made(owner, { invite_expires_in_minutes: 1 })
    t.equal(short.expiry_date, START_SECONDS + 60)
    clock.advance(59_000)
    t.ok((await listed(owner)).some(({ id }) => id === short.id))
    clock.advance(1_000)
    t.notOk((await listed(owner)).some(({ id }) => id === short.id))
    expectRefusal(t, await revoke(owner, short.id), 'No such invitation')
    for (const minutes of [0, -1, 52_560_001]) {
      expectRefusal(
        t,
        await create(owner, { invite_expires_in_minutes: minutes }),
        'Invalid invite_expires_in_minutes',
      )
    }
    t.equal(readConfig({ INVITATION_LINK_VALIDITY_MINUTES: '60' }).invitationMinutes, 60)
    t.throws(() => readConfig({ INVITATION_LINK_VALIDITY_MINUTES: '0' }), ConfigError)
  },
)

await t.test(
  '[INVITE5] an invitation names channels that the inviter sees and may subscribe others to',
  async (t) => {
    await owner.subscribe(['town', 'default', 'gone'])
    await owner.subscribe(['secret'], { invite_only: true })
    await member.subscribe(['own'])
    const id = (name: string) => channelIdOf(server, name)
    await owner.must('POST', '/default_streams', { stream_id: id('default') })
    await owner.must('DELETE', `/streams/${id('gone')}`)
    const wanting = (client: Client, ...ids: number[]) => create(client, { stream_ids: ids })
    t.equal((await wanting(member, id('town'), id('default'), id('town'))).status, 200)
    t.equal((await wanting(owner, id('secret'))).status, 200)
    // An administrator can see the channel but not read it.
    for (const [client, channelId] of [
      [administrator, id('secret')],
      [member, id('secret')],
      [owner, id('gone')],
      [owner, 99],
      [owner, -1],
    ] as const) {
      const refused = await wanting(client, id('town'), channelId)
      expectRefusal(t, refused, `Invalid channel ID ${channelId}. No invites were sent.`)
    }
    await allow('can_add_subscribers_group', SYSTEM_GROUPS.moderators)
    const forbidden = 'You do not have permission to subscribe other users to channels.'
    expectRefusal(t, await wanting(member, id('town')), forbidden)
    expectRefusal(t, await wanting(member, id('default')), forbidden)
    t.equal((await wanting(moderator, id('town'))).status, 200)
    t.equal((await create(member, { include_realm_default_subscriptions: true })).status, 200)
    const permission = {
      can_add_subscribers_group: { new: { direct_members: [member.userId], direct_subgroups: [] } },
    }
    await owner.must('PATCH', `/streams/${id('own')}`, permission)
    t.equal((await wanting(member, id('own'))).status, 200)
    // Each channel is checked separately: a default channel needs the right to subscribe others anywhere.
    t.equal((await wanting(member, id('default'), id('own'))).status, 200)
    t.equal((await wanting(member, id('default'))).status, 200)
    expectRefusal(t, await wanting(member, id('town'), id('own')), forbidden)
    expectRefusal(t, await wanting(server.as('member2'), id('default')), forbidden)
    await owner.must('DELETE', `/streams/${id('own')}`)
    expectRefusal(t, await wanting(member, id('default')), forbidden)
    expectRefusal(
      t,
      await create(owner, { stream_ids: Array.from({ length: 1_001 }, () => 1) }),
      'stream_ids is too long (limit: 1000 items)',
    )
  },
)

await t.test('[INVITE6] an invitation names groups that the inviter may add members to', async (t) => {
  const group = async (name: string) =>
    (await member.must('POST', '/user_groups/create', { name, description: '', members: [] })).group_id
  const [own, gone] = [await group('own'), await group('gone')]
  await member.must('POST', `/user_groups/${gone}/deactivate`)
  const wanting = (client: Client, id: number) => create(client, { group_ids: [id] })
  t.equal((await wanting(member, own)).status, 200)
  t.equal((await wanting(owner, own)).status, 200)
  expectRefusal(t, await wanting(member2, own), 'Insufficient permission')
  expectRefusal(t, await wanting(owner, SYSTEM_GROUPS.members), 'Insufficient permission')
  expectRefusal(t, await wanting(owner, 999), 'Invalid user group')
  expectRefusal(t, await wanting(member, gone), 'User group is deactivated.')
  expectRefusal(
    t,
    await create(owner, { group_ids: Array.from({ length: 101 }, () => own) }),
    'group_ids is too long (limit: 100 items)',
  )
})

await t.test(
  '[INVITE7] a welcome text has at most 8,000 characters and needs an administrator',
  async (t) => {
    const stored = async () => {
      const rows = await node.services.sql<{ text: string | null }[]>`
      select welcome_text as text from invitations order by id desc limit 1`
      return rows[0]?.text
    }
    for (const [client, given, wanted] of [
      [owner, 'Hello', 'Hello'],
      [owner, '😀'.repeat(8_000), '😀'.repeat(8_000)],
      [owner, '', ''],
      [owner, null, null],
      [owner, undefined, null],
      [member, 'Hello', null],
    ] as const) {
      await client.must('POST', '/invites/multiuse', { welcome_message_custom_text: given })
      t.equal(await stored(), wanted)
    }
    expectRefusal(
      t,
      await create(owner, { welcome_message_custom_text: '😀'.repeat(8_001) }),
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    )
  },
)

await t.test(
  '[INVITE8] administrators list all invitations, others their own, and only owners those for owners',
  async (t) => {
    const forOwner = await made(owner, { invite_as: 100 })
    const ofMember = await made(member)
    t.ok(forOwner.link_url)
    const seen = (await listed(administrator)).find(({ id }) => id === forOwner.id)
    t.match(seen, { invited_as: 100, invited_by_user_id: owner.userId })
    t.notOk('link_url' in seen)
    t.same((await listed(administrator)).at(-1), ofMember)
    t.ok((await listed(member)).every(({ invited_by_user_id: id }) => id === member.userId))
    t.same((await listed(member)).at(-1), ofMember)
    t.same(await listed(member2), [])
    expectRefusal(t, await guest.get('/invites'), 'Must be an organization member')
    expectRefusal(t, await server.as('bot').get('/invites'), 'This endpoint does not accept bot requests.')
  },
)

await t.test('[INVITE9] its inviter and administrators revoke an invitation', async (t) => {
  const [first, second, forOwner] = [
    await made(member),
    await made(member),
    await made(owner, { invite_as: 100 }),
  ]
  for (const person of ['moderator', 'member2'] as const) {
    expectRefusal(t, await revoke(server.as(person), first.id), 'No such invitation')
  }
  expectRefusal(t, await revoke(guest, first.id), 'Must be an organization member')
  expectRefusal(t, await revoke(server.as('bot'), first.id), 'This endpoint does not accept bot requests.')
  expectRefusal(t, await revoke(administrator, forOwner.id), 'Must be an organization owner')
  expectRefusal(t, await revoke(owner, 999_999), 'No such invitation')
  const events = await expectConsistent(server, async () =>
    t.equal((await revoke(administrator, first.id)).status, 200),
  )
  t.match([events.owner, events.member], [[{ type: 'invites_changed' }], [{ type: 'invites_changed' }]])
  t.same([events.member2, events.guest], [[], []])
  const answers = await Promise.all([1, 2, 3].map(() => member.delete(`/invites/${second.id}`)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status === 400))
    expectRefusal(t, answer, 'No such invitation')
  for (const refused of [owner, guest, server.as('bot')]) {
    t.equal((await refused.delete(`/invites/${second.id}`)).status, 400)
  }
  t.equal((await revoke(owner, forOwner.id)).status, 200)
  t.notOk((await listed(owner)).some(({ id }) => [first.id, second.id, forOwner.id].includes(id)))
})

await t.test('[INVITE10] an invitation is inactive while its inviter could not create it', async (t) => {
  const leaving = await addUser(server, 'leaving', { role: 'administrator' })
  const { id } = await made(leaving, { invite_as: 200 })
  const isThere = async () => (await listed(owner)).some((one) => one.id === id)
  t.ok(await isThere())
  await owner.must('PATCH', `/users/${leaving.userId}`, { role: 400 })
  t.notOk(await isThere())
  await owner.must('PATCH', `/users/${leaving.userId}`, { role: 200 })
  t.ok(await isThere())
  await deactivate(server, leaving.userId)
  t.notOk(await isThere())
})

await t.test('[INVITE60] deactivation removes the invitations of a user for good', async (t) => {
  const leaving = await addUser(server, 'leaving for a while')
  const { id, link_url } = await made(leaving)
  const queue = await owner.register({ event_types: ['invites_changed'] })
  const other = await member2.register()
  await owner.must('DELETE', `/users/${leaving.userId}`)
  t.match(await owner.events(queue), [{ type: 'invites_changed' }])
  t.notOk((await member2.events(other)).some(({ type }) => type === 'invites_changed'))
  await owner.must('POST', `/users/${leaving.userId}/reactivate`)
  t.notOk((await listed(owner)).some((one) => one.id === id))
  t.equal((await fetch(link_url)).status, 404)
})

await t.test('[INVITE11] a user has at most a hundred active invitations', async (t) => {
  await create(member2, { invite_expires_in_minutes: 1 })
  await node.services.sql`
    insert into invitations (id, key, inviter_id, role, channel_ids, group_ids, has_default_channels, invited_at)
    select -n, 'key ' || n, ${member2.userId}, 400, '{}', '{}', false, 0 from generate_series(1, 98) as n`
  await member2.must('POST', '/invites/multiuse')
  expectRefusal(t, await create(member2), 'Too many invitations (maximum 100).')
  clock.advance(60_000)
  t.equal((await create(member2)).status, 200)
  expectRefusal(t, await create(member2), 'Too many invitations (maximum 100).')
})

await t.test('[INVITE14] registration includes who may invite', async (t) => {
  const mayInvite = async (person: Person) =>
    (await server.as(person).register({ event_types: ['realm_user'] })).state.can_invite_others_to_realm
  await allow('can_invite_users_group', SYSTEM_GROUPS.members)
  for (const person of PEOPLE.filter((one) => one !== 'member2')) {
    t.equal(await mayInvite(person), !['guest', 'bot'].includes(person), person)
  }
  await allow('can_invite_users_group', SYSTEM_GROUPS.administrators)
  t.equal(await mayInvite('moderator'), false)
})

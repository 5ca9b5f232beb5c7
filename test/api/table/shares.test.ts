/** Limits of shared objects per person and per organization. */

import t from 'tap'
import { CHANNEL_SHARE, EMOJI_SHARE, GROUP_SHARE } from '../../../server/domain/channels/shares.ts'
import type { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { drawImage, mustUpload, upload } from '../../harness/client/upload.ts'

const first = await startTestServer(t)
const { sql, state } = first.node.services
const [MEMBER, MEMBER2] = [4, 5]
// One of each is created through the API. The others are written for a server that starts later, since so
// many requests would take too long; the first server never reads them.
const red = await drawImage('red')
const maker = first.as('member')
await maker.subscribe(['town'])
await maker.must('POST', '/user_groups/create', { name: 'mine', description: '', members: [MEMBER] })
await mustUpload(maker, '/realm/emoji/my-own', red)
await sql`insert into channels select (copy).* from (
    select jsonb_populate_record(null::channels, to_jsonb(c) || jsonb_build_object('id', n, 'name', 'channel ' || n)) as copy
    from channels c, generate_series(2, ${CHANNEL_SHARE.perPersonMax}::int) n where c.id = 1) copies`
const permissions = sql`(select permissions from user_groups where id = 1)`
await sql`insert into user_groups (id, name, description, permissions, creator_id, is_deactivated)
  select id, 'group ' || id, '', ${permissions}, case when id <= 208 then ${MEMBER}::int when id <= 1208 then ${MEMBER2}::int end,
    id between 209 and 1208
  from generate_series(10, ${GROUP_SHARE.everMax - 2}::int) id`
await sql`insert into user_group_subgroups (group_id, subgroup_id)
  select g, s from generate_series(10, 15) g, generate_series(16, 208) s order by g, s limit 1000`
await sql`insert into custom_emoji (id, name, author_id, picture_id, is_animated, is_deactivated)
  select id, 'emoji' || id, case when id <= 200 then ${MEMBER}::int when id <= 1200 then ${MEMBER2}::int else 1 end,
    repeat('0', 32), false, id > 200
  from generate_series(2, ${EMOJI_SHARE.everMax - 2}::int) id`
await sql`insert into users (id, email, full_name, role, is_active, bot_type, bot_owner_id, timezone, joined_at, avatar_version)
  select id, 'old' || id || '-bot@example.com', 'Old ' || id, 400, false, 1, ${MEMBER}, '', 0, 1
  from generate_series(${state.users.size}::int + 1, ${state.users.size}::int + 150) id`
await sql`insert into channel_folders (id, name, description, rendered_description, created_at, is_archived, position)
  select n, 'folder ' || n, '', '', 0, true, n from generate_series(1, 1000) n`
const another = await first.startAnotherNode()
const [owner, member, member2, bot] = (['owner', 'member', 'member2', 'bot'] as const).map((one) =>
  another.as(one),
) as [Client, Client, Client, Client]

const spent = (things: string, countMax: number) =>
  `You have added too many ${things} (maximum ${countMax}). An administrator can add more.`
const ended = (things: string, countMax: number) =>
  `The organization has too many ${things} (maximum ${countMax}).`

await t.test('[SHARE1] channels are limited per person, including those of their bots', async (t) => {
  const refusal = spent('channels', CHANNEL_SHARE.perPersonMax)
  const join = (client: Client, name: string) =>
    client.post('/users/me/subscriptions', { subscriptions: [{ name }] })
  expectRefusal(t, await join(member, 'one more'), refusal)
  expectRefusal(t, await join(bot, 'one more'), refusal)
  expectRefusal(t, await member.post('/channels/create', { name: 'one more', subscribers: [] }), refusal)
  const change = { add: [{ name: 'one more' }], delete: [] }
  expectRefusal(t, await member.patch('/users/me/subscriptions', change), refusal)
  t.equal((await join(member, 'town')).status, 200, 'existing channels can be joined')
  t.equal((await join(member2, 'of another')).status, 200)
  t.equal((await join(owner, 'of an administrator')).status, 200)
  await owner.must('DELETE', '/streams/1')
  t.equal((await join(member, 'one more')).status, 200, 'an archived channel counts no more')
  expectRefusal(t, await join(member, 'and another'), refusal)
})

await t.test('[SHARE2] subgroups are limited per creator of their groups', async (t) => {
  const refusal = spent('subgroups', 1_000)
  expectRefusal(t, await member.post('/user_groups/9/subgroups', { add: [207] }), refusal)
  expectRefusal(t, await member.post('/user_groups/9/members', { add_subgroups: [207] }), refusal)
})

await t.test('[SHARE3] active user groups are limited per person, and all ever created, too', async (t) => {
  const create = (client: Client, name: string, subgroups: number[] = []) =>
    client.post('/user_groups/create', { name, description: '', members: [], subgroups })
  expectRefusal(t, await create(member, 'x'), spent('user groups', GROUP_SHARE.perPersonMax))
  expectRefusal(t, await create(bot, 'x'), spent('user groups', GROUP_SHARE.perPersonMax))
  expectRefusal(t, await create(member2, 'x'), spent('user groups', GROUP_SHARE.everPerPersonMax))
  await owner.must('POST', '/user_groups/9/deactivate')
  expectRefusal(t, await create(member, 'x', [16]), spent('subgroups', 1_000))
  t.equal((await create(member, 'x')).status, 200, 'deactivated ones do not count')
  t.equal((await create(owner, 'last')).status, 200, 'an administrator is bound by the end of all')
  expectRefusal(t, await create(owner, 'beyond'), ended('user groups', GROUP_SHARE.everMax))
})

await t.test('[SHARE4] custom emoji are limited per person and per organization', async (t) => {
  const add = (client: Client, name: string) => upload(client, `/realm/emoji/${name}`, [red])
  expectRefusal(t, await add(member, 'one-more'), spent('custom emoji', EMOJI_SHARE.perPersonMax))
  expectRefusal(t, await add(member2, 'one-more'), spent('custom emoji', EMOJI_SHARE.everPerPersonMax))
  await member.must('DELETE', '/realm/emoji/my-own')
  t.equal((await add(member, 'one-more')).status, 200, 'deactivated ones do not count')
  await mustUpload(owner, '/realm/emoji/the-last', red)
  expectRefusal(t, await add(owner, 'and-beyond'), ended('custom emoji', EMOJI_SHARE.everMax))
})

await t.test('[SHARE5] deactivated bots and archived folders free their places', async (t) => {
  t.equal((await member.post('/bots', { full_name: 'New', short_name: 'new' })).status, 200)
  t.equal((await owner.post('/channel_folders/create', { name: 'new' })).status, 200)
})

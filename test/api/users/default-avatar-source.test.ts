/** The organization's choice of pictures for new users: of Gravatar, or drawn by the server. */

import { join } from 'node:path'
import t, { type Test } from 'tap'
import { connect } from '../../../db/connection/connect.ts'
import { backUp } from '../../../server/admin/back-up.ts'
import { check } from '../../../server/admin/check.ts'
import { openBackup, restore } from '../../../server/admin/restore.ts'
import { DiskFileStore } from '../../../server/files/disk-file-store.ts'
import { createLogger } from '../../../server/logger.ts'
import { startNode } from '../../../server/node/node.ts'
import { loadState } from '../../../server/state/load-state.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import { createDatabase } from '../../harness/databases/create-database.ts'
import { Client } from '../../harness/client/client.ts'
import { expectConsistent, VIEWERS } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ACCOUNTS, emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { drawImage, mustUpload } from '../../harness/client/upload.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t, { redis: true, env: { GRAVATAR: 'on' } })
const off = await startTestServer(t)
const { sql, fileStore } = server.node.services
const owner = server.as('owner')
const GRAVATAR = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=\d+$/
const DRAWN = /^\/user_avatars\/1\/drawn\/[pb][0-7]-[0-9a-fx.]+-[0-9a-f]{16}(-medium)?\.png\?version=\d+$/
const UPLOADED = /^\/user_avatars\/1\/[0-9a-f]{32}\.png\?version=\d+$/

const choose = (source: unknown, person: Person = 'owner', at = server) =>
  at.as(person).patch('/realm', { default_avatar_source: source })
const chosen = async (at = server, person: Person = 'guest'): Promise<string> =>
  (await at.as(person).register({ fetch_event_types: ['realm'] })).state.realm_default_avatar_source
const avatarOf = async (userId: number, client = owner) =>
  (await client.must('GET', `/users/${userId}`, { client_gravatar: false })).user.avatar_url
const ownAvatar = async (client: Client) => {
  const { state } = await client.register({ fetch_event_types: ['realm_user'] })
  const { avatar_source, avatar_url, avatar_url_medium } = state
  return { avatar_source, avatar_url, avatar_url_medium }
}
const avatarEvents = (events: readonly WireEvent[]) =>
  events.filter(({ person }) => person?.avatar_url !== undefined)

async function expectSource(t: Test, user: Client, source: 'G' | 'J', note: string): Promise<void> {
  const url = source === 'G' ? GRAVATAR : DRAWN
  t.match(await avatarOf(user.userId), url, note)
  t.match(await ownAvatar(user), { avatar_source: source, avatar_url: url, avatar_url_medium: url }, note)
  const { user: short } = await owner.must('GET', `/users/${user.userId}`, { client_gravatar: true })
  t.match(short.avatar_url, source === 'G' ? null : DRAWN, `${note}: clients can only compute a gravatar`)
}

t.test('[PICSOURCE1] the source of pictures of new users is changed, sent and recorded', async (t) => {
  t.equal(await chosen(), 'G', 'with Gravatar it is the default')
  const [row] = await sql`select settings->'defaultPictureSource' as stored from organization`
  t.notOk(row?.stored, 'nobody has chosen yet')
  for (const source of ['J', 'G']) {
    const events = await expectConsistent(server, async () => {
      t.same((await choose(source)).status, 200)
    })
    for (const person of VIEWERS) {
      t.same(withoutIds(events[person]), [
        { type: 'realm', op: 'update_dict', property: 'default', data: { default_avatar_source: source } },
      ])
    }
    t.equal(await chosen(), source)
    const { entries } = await owner.must('GET', '/realm/audit_log', { limit: 1 })
    t.match(entries, [
      { kind: 'realm/update_dict', acting_user_id: 1, details: { default_avatar_source: source } },
    ])
  }
  const silent = await expectConsistent(server, () => choose('G'))
  for (const person of VIEWERS) t.same(silent[person], [], 'the same source again changes nothing')
})

t.test('[PICSOURCE2] only administrators choose the source of pictures of new users', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await choose('J', person), 'Must be an organization administrator')
    t.equal(await chosen(), 'G', person)
  }
  for (const [person, source] of [
    ['administrator', 'J'],
    ['owner', 'G'],
  ] as const) {
    t.equal((await choose(source, person)).status, 200)
    t.equal(await chosen(), source)
  }
})

t.test('[PICSOURCE3] other sources than Gravatar and drawn pictures are refused', async (t) => {
  for (const source of ['U', 'g', '', 'GJ', 1, true, null, ['G']])
    expectRefusal(t, await choose(source), 'Invalid default_avatar_source')
  t.equal(await chosen(), 'G')
})

t.test('[PICSOURCE4] Gravatar is refused unless the server uses it', async (t) => {
  t.equal(await chosen(off), 'J')
  for (const [one, isEnabled] of [
    [server, true],
    [off, false],
  ] as const) {
    const { state } = await one.as('guest').register({ fetch_event_types: ['realm'] })
    t.equal(state.server_gravatar_enabled, isEnabled, 'clients know whether they can offer it')
  }
  expectRefusal(t, await choose('G', 'owner', off), 'Gravatar is not enabled on this server.')
  expectRefusal(t, await choose('G', 'member', off), 'Must be an organization administrator')
  t.equal(await chosen(off), 'J')
  t.equal((await choose('J', 'owner', off)).status, 200)
  t.equal(await chosen(off), 'J')
  const user = await addUser(off, 'Otto Off')
  t.match(await avatarOf(user.userId, off.as('owner')), DRAWN)
})

t.test('[PICSOURCE5] a choice is for users who join later; all others keep their source', async (t) => {
  const before = await avatarOf(4)
  t.match(before, GRAVATAR)
  const users: [Client, 'G' | 'J'][] = []
  for (const source of ['J', 'G'] as const) {
    await choose(source)
    const events = await expectConsistent(server, async () => {
      users.push([await addUser(server, `New ${source}`), source])
    })
    const url = source === 'G' ? null : DRAWN
    for (const person of VIEWERS)
      t.match(events[person], [{ type: 'realm_user', op: 'add', person: { avatar_url: url } }], person)
  }
  for (const [user, source] of users) await expectSource(t, user, source, source)
  t.equal(await avatarOf(4), before)
  await expectSource(t, server.as('member'), 'G', 'an older account')
  await owner.subscribe(['seen'], { principals: users.map(([{ userId }]) => userId) })
  for (const [user, source] of users) {
    const id = await user.send('seen', 'x', 'hello')
    const { message } = await owner.must('GET', `/messages/${id}`)
    t.match(message.avatar_url, source === 'G' ? null : DRAWN, 'messages show it')
  }
  const another = await server.startAnotherNode()
  for (const [{ userId }, source] of users)
    t.match(await avatarOf(userId, another.as('owner')), source === 'G' ? GRAVATAR : DRAWN, 'after a start')
})

t.test('[PICSOURCE6] without their uploaded picture users have that of their source again', async (t) => {
  for (const source of ['J', 'G'] as const) {
    await choose(source)
    const user = await addUser(server, `Uploader ${source}`)
    await choose(source === 'J' ? 'G' : 'J')
    await mustUpload(user, '/users/me/avatar', await drawImage('red'))
    t.match(await ownAvatar(user), { avatar_source: 'U', avatar_url: UPLOADED })
    const events = await expectConsistent(server, () => user.must('DELETE', '/users/me/avatar'))
    const url = source === 'G' ? GRAVATAR : DRAWN
    const person = { user_id: user.userId, avatar_source: source, avatar_url: url, avatar_url_medium: url }
    for (const viewer of VIEWERS) t.match(events[viewer], [{ op: 'update', person }])
    await expectSource(t, user, source, `after ${source}`)
  }
})

t.test(
  '[PICSOURCE7] a new name redraws a drawn picture, another visible address changes a gravatar',
  async (t) => {
    for (const source of ['J', 'G'] as const) {
      await choose(source)
      const user = await addUser(server, `Renamed ${source}`)
      const renamed = await expectConsistent(server, () =>
        owner.must('PATCH', `/users/${user.userId}`, { full_name: 'Zoe Quill' }),
      )
      for (const person of VIEWERS)
        t.equal(avatarEvents(renamed[person]).length, source === 'J' ? 1 : 0, `${source} for ${person}`)
      const hidden = await expectConsistent(server, () =>
        user.must('PATCH', '/settings', { email_address_visibility: 4 }),
      )
      for (const person of VIEWERS)
        t.equal(avatarEvents(hidden[person]).length, source === 'G' ? 1 : 0, `${source} for ${person}`)
    }
  },
)

t.test('[PICSOURCE8] after the operator turns Gravatar off, all pictures are drawn', async (t) => {
  await choose('G')
  const user = await addUser(server, 'Last One')
  await expectSource(t, user, 'G', 'before')
  const node = await startNode({
    config: { ...server.config, usesGravatar: false },
    logger: createLogger(server.config.logLevel),
  })
  t.teardown(() => node.close())
  const as = (person: Person) => {
    const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
    return new Client(node.url, id, emailOf(person), key)
  }
  const { state } = await as('owner').register({ client_gravatar: false })
  t.equal(state.realm_default_avatar_source, 'J')
  for (const { avatar_url } of state.realm_users) t.match(avatar_url, DRAWN)
  t.notMatch(JSON.stringify(state), /gravatar\.com/)
  const { members } = await as('guest').must('GET', '/users', { client_gravatar: true })
  for (const { avatar_url } of members) t.match(avatar_url, DRAWN)
})

t.test(
  '[PICSOURCE15] a backup has the choice of the organization and the sources of its users',
  async (t) => {
    const folder = await makeFolder(t)
    const path = join(folder, 'backup.tar.zst')
    await backUp({ databaseUrl: server.databaseUrl, fileStore, path })
    const databaseUrl = await createDatabase(t, 'empty')
    const restored = new DiskFileStore(join(folder, 'uploads'))
    await restore(await openBackup(path), { path, isReplacing: false, databaseUrl, fileStore: restored })
    const there = connect(databaseUrl, 1, 'parley-test')
    t.teardown(() => there.end())
    const { pictureSources, settings } = await loadState(there)
    t.ok(pictureSources.size > 0)
    t.same(pictureSources, server.node.services.state.pictureSources)
    t.equal(settings.defaultPictureSource, await chosen())
  },
)

t.test(
  '[PICSOURCE9] the log adds up to the tables, with entries of earlier releases without a source, too',
  async (t) => {
    t.strictSame((await check(server.databaseUrl, fileStore)).differences, [])
    await sql`update event_log set event = (event::jsonb #- '{organization,settings,defaultPictureSource}')::json
      where event->>'type' = 'organization_created'`
    await off.node.services
      .sql`update event_log set event = (event::jsonb #- '{organization,settings,defaultPictureSource}')::json
      where event->>'type' = 'organization_created'`
    for (const one of [server, off]) {
      const { differences, is_log_complete } = await check(one.databaseUrl, one.node.services.fileStore)
      t.strictSame(differences, [])
      t.ok(is_log_complete)
    }
    await sql`update users set picture_source = 'G' where full_name = 'The New J'`
    const { differences } = await check(server.databaseUrl, fileStore)
    t.match(differences, [{ kind: 'state', ids: [/users 1/] }], 'a wrong source is found')
  },
)

/** Names of an archive that are taken: the check lists them, and owners choose before the import starts. */

import t from 'tap'
import { loadImports } from '../../../db/imports/organization-imports.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { readNarrow } from '../../admin/imports/start-imports.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { makeZip } from '../../harness/files/write-zip.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { bringArchive } from './bring-archive.ts'
import { openImportWorker } from './open-import-worker.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { sql, state } = server.node.services
const [owner, member] = [server.as('owner'), server.as('member')]
const said = (ts: string, text: string) => ({ type: 'message', user: 'U1', ts, text })
const channel = (id: string, name: string, more: object = {}) => ({ id, name, members: ['U1'], ...more })
const FILES = {
  'users.json': [
    {
      id: 'U1',
      name: 'ann',
      profile: { real_name: 'Ann There', email: state.getUser(member.userId as UserId).email },
    },
    { id: 'U2', name: 'ben', profile: { real_name: 'Ben', email: 'ben@example.org' } },
  ],
  'channels.json': [
    channel('C1', 'town', { is_archived: true }),
    channel('C2', 'lobby'),
    channel('C3', 'attic'),
    channel('C4', 'cellar'),
  ],
  'groups.json': [channel('G1', 'secret')],
  'town/2024-03-04.json': [said('1709550000.000100', 'town there')],
  'lobby/2024-03-04.json': [said('1709550001.000100', 'lobby there')],
  'attic/2024-03-04.json': [said('1709550002.000100', 'attic there')],
  'cellar/2024-03-04.json': [said('1709550003.000100', 'cellar there')],
  'secret/2024-03-04.json': [said('1709550004.000100', 'secret there')],
}
const ARCHIVE = makeZip(
  Object.entries(FILES).map(([name, value]) => ({ name, content: JSON.stringify(value) })),
)
await owner.subscribe(['town', 'Lobby', 'secret', 'cellar', 'vault'])
const idOf = (name: string) => state.findChannelByName(name)?.channel.id as number
await owner.must('DELETE', `/streams/${idOf('vault')}`)

const { make } = await openImportWorker(t, server, clock)
const bring = async () => {
  const { id } = await owner.must('POST', '/realm/imports', { product: 'slack', file_name: 'slack.zip' })
  await bringArchive(owner, Number(id), ARCHIVE)
  await make()
  return Number(id)
}
const last = async () => (await owner.must('GET', '/realm/imports')).imports.at(-1)
const reportOf = async (id: number) => (await owner.must('GET', `/realm/imports/${id}/report`)).report
const named = (...names: readonly (readonly [name: string, here: string])[]) => ({
  channel_names: names.map(([name, here]) => ({ name, imported_as: here })),
})
const id = await bring()
const path = `/realm/imports/${id}`
/** The database has no such number. */
const BEYOND = '/realm/imports/2147483648'

t.test(
  '[IMPORTNAME5] the check lists channels whose names are taken, and people with accounts',
  async (t) => {
    const { taken_channels: taken, matched_people: people, users, channels } = await reportOf(id)
    const one = (name: string, here: string, isPrivate = false) => ({
      name,
      imported_as: `${name} (Slack)`,
      stream_id: idOf(here),
      is_private: isPrivate,
    })
    t.strictSame(taken, [
      one('town', 'town'),
      one('lobby', 'Lobby'),
      one('cellar', 'cellar'),
      one('secret', 'secret', true),
    ])
    t.strictSame(people, [{ name: 'Ann There', user_id: member.userId }])
    t.match(users, { created: 1, matched: 1, already_imported: 0 })
    t.match(channels, { created: 5, renamed: 4, merged: 0 })
    t.match(await last(), { phase: 'checked', channel_names: [] })
  },
)

t.test('[IMPORTNAME6] only owners choose names, which are those of taken channels', async (t) => {
  for (const person of ['administrator', 'moderator', 'member', 'guest', 'bot'] as const)
    for (const one of [path, '/realm/imports/99', BEYOND])
      expectRefusal(
        t,
        await server.as(person).patch(one, named(['town', 'town'])),
        'Must be an organization owner',
      )
  const refused = async (msg: string, ...names: readonly (readonly [string, string])[]) =>
    expectRefusal(t, await owner.patch(path, named(...names)), msg)
  for (const one of ['/realm/imports/99', BEYOND])
    expectRefusal(t, await owner.patch(one, named(['town', 'town'])), 'Invalid import ID')
  for (const unknown of ['attic', 'Town', 'nowhere', '__proto__'])
    await refused(`The archive has no channel '${unknown}' whose name is taken`, [unknown, 'Hall'])
  await refused("Channel name can't be empty.", ['town', '  '])
  await refused('Channel name too long (limit: 60 characters).', ['town', 'x'.repeat(61)])
  await refused('Invalid character in channel name, at position 2.', ['town', 'a\0b'])
  await refused('town cannot come into the channel vault, which is archived', ['town', 'vault'])
  await refused('secret cannot come into the channel lobby, which is public: the channel is private', [
    'secret',
    'lobby',
  ])
  const equal = (name: string) =>
    `Two channels cannot become ${name}: create that channel first, and both come into it`
  await refused(equal('hall'), ['town', 'Hall'], ['lobby', 'hall'])
  await refused(equal('Attic'), ['town', 'Attic'])
  await refused(equal('lobby (Slack)'), ['town', 'lobby (Slack)'])
  t.equal((await owner.patch(path, { channel_names: 'town' })).status, 400)
  t.equal((await owner.patch(path, {})).status, 400)
  const many = Array.from({ length: 1_001 }, () => ['town', 'Hall'] as const)
  t.equal((await owner.patch(path, named(...many))).status, 400)
  t.match(await last(), { channel_names: [] }, 'nothing was stored')
  t.equal((await owner.patch(path, named(...many.slice(1)))).status, 200)
  t.match(await last(), { channel_names: named(['town', 'Hall']).channel_names })
  await owner.must('PATCH', path, named(['town', 'x'.repeat(60)]))
})

t.test('[IMPORTNAME7] chosen names are stored, and sent to owners alone, but with no progress', async (t) => {
  const clients = [owner, server.as('administrator')]
  const queues = await Promise.all(
    clients.map((client) => client.register({ event_types: ['realm_import'] })),
  )
  const before = await owner.must('GET', '/realm/audit_log', { kinds: ['realm_import'] })
  const names = named(['town', 'town'], ['lobby', ' Hall '], ['secret', 'secret place'])
  await owner.must('PATCH', path, names)
  const stored = named(['town', 'town'], ['lobby', 'Hall'], ['secret', 'secret place'])
  t.match(await last(), { phase: 'checked', ...stored })
  t.strictSame(await loadImports(sql), state.imports, 'as a restarted server has them')
  const [event] = await owner.events(queues[0] as never)
  t.match(event, { type: 'realm_import', import: { id, phase: 'checked', ...stored } })
  t.same(await clients[1]?.events(queues[1] as never), [])
  const after = await owner.must('GET', '/realm/audit_log', { kinds: ['realm_import'] })
  t.strictSame(after.entries, before.entries, 'the audit log has the start')
})

t.test('[IMPORTNAME8] the start checks the names again, since channels may have changed', async (t) => {
  const start = () => owner.post(`${path}/start`)
  await owner.must('PATCH', path, named(['town', 'town'], ['lobby', 'town']))
  const townId = idOf('town')
  await owner.must('PATCH', `/streams/${townId}`, { new_name: 'village' })
  expectRefusal(
    t,
    await start(),
    'Two channels cannot become town: create that channel first, and both come into it',
  )
  await owner.must('PATCH', `/streams/${townId}`, { new_name: 'town' })
  await owner.must('PATCH', `/streams/${idOf('secret')}`, {
    is_private: true,
    history_public_to_subscribers: true,
  })
  await owner.must('PATCH', path, named(['secret', 'secret']))
  await owner.must('PATCH', `/streams/${idOf('secret')}`, { is_private: false })
  expectRefusal(
    t,
    await start(),
    'secret cannot come into the channel secret, which is public: the channel is private',
  )
  await owner.must('PATCH', path, named(['cellar', 'cellar']))
  await owner.must('DELETE', `/streams/${idOf('cellar')}`)
  expectRefusal(t, await start(), 'cellar cannot come into the channel cellar, which is archived')
  t.match(await last(), { phase: 'checked' })
})

t.test(
  '[IMPORTNAME9] the import brings each channel over under its name, or into the present one',
  async (t) => {
    const queue = await owner.register({ event_types: ['realm_import'] })
    await owner.send('town', 'here', 'town here')
    const names = named(['town', 'town'], ['lobby', 'Hall'], ['secret', 'secret place'])
    await owner.must('PATCH', path, names)
    await owner.must('POST', `${path}/start`)
    expectRefusal(
      t,
      await owner.patch(path, names),
      'The archive is not checked, or the import has started already',
    )
    await make()
    t.match(await last(), { phase: 'done', channel_names: names.channel_names })
    t.strictSame(await loadImports(sql), state.imports)
    const events = (await owner.events(queue)) as readonly { readonly import: Record<string, unknown> }[]
    const [chosen, ...later] = events.map((one) => one.import)
    t.match(chosen, { phase: 'checked', channel_names: names.channel_names })
    for (const one of later) t.notOk('channel_names' in one, String(one['phase']))
    t.match(await reportOf(id), { channels: { created: 4, renamed: 3, merged: 1, archived: 0 } })
    const textsOf = async (name: string) =>
      (await readNarrow(owner, [['channel', name]])).map(({ content }) => content)
    t.strictSame(await textsOf('town'), ['town here', 'town there'])
    t.strictSame(await textsOf('Hall'), ['lobby there'])
    t.strictSame(await textsOf('cellar (Slack)'), ['cellar there'])
    t.equal(state.findChannelByName('town')?.channel.isArchived, false)
    t.equal(state.findChannelByName('secret place')?.channel.isPrivate, true)
    t.equal(state.findChannelByName('lobby (Slack)'), undefined)
    const again = await bring()
    t.match(await reportOf(again), {
      taken_channels: [],
      matched_people: [],
      channels: { created: 0, already_imported: 5 },
      users: { created: 0, matched: 0, already_imported: 2 },
    })
    await owner.must('DELETE', `/realm/imports/${again}`)
  },
)

/** Messages and files that are deleted while they are held: gone for everyone, kept for owners, until the hold is lifted. */

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { removeReleased } from '../../db/holds/remove-released.ts'
import { filterNames } from '../../server/changes/imports/archive.ts'
import { ZipArchive } from '../../server/changes/imports/zip-archive.ts'
import { openFileStore } from '../../server/files/open-file-store.ts'
import { check } from '../../server/admin/check.ts'
import { cleanUp } from '../../workers/jobs/upkeep/clean-up.ts'
import { removeUnusedUploads, UNUSED_RETENTION_MS } from '../../workers/jobs/upkeep/remove-unused-uploads.ts'
import { recordStrayFiles } from '../../db/files/uploads.ts'
import { runHere } from '../admin/run-here.ts'
import type { Client } from '../harness/client/client.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { fetchFile, uploadFile } from '../harness/client/user-files.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { expire, openTestSender } from '../harness/worlds/open-test-sender.ts'
import { channelIdOf } from '../harness/worlds/set-up-channel.ts'

const DAY_MS = 24 * 3600 * 1_000
const clock = new ManualClock(Math.ceil(Date.now() / 1_000) * 1_000 + 60_000)
const server = await startTestServer(t, { clock })
const { sql } = server.node.services
const fileStore = await openFileStore(server.config)
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
const sender = await openTestSender(t, server, clock)
await owner.subscribe(['held', 'free'], { principals: [owner, member, member2].map(({ userId }) => userId) })
const [held, free] = [channelIdOf(server, 'held'), channelIdOf(server, 'free')]
const settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataFolder }

/** Places a hold of a name that no other test has. */
async function place(fields: Record<string, unknown>) {
  const name = randomUUID()
  const reply = await owner.must('POST', '/legal_holds', { name, reason: 'A case', ...fields })
  const id = reply.legal_hold_id
  return { id, name, lift: () => owner.must('DELETE', `/legal_holds/${id}`) }
}
const keptIds = async () =>
  (await sql<{ id: number }[]>`select id from kept_messages order by id`).map(({ id }) => id)
const keyOf = (url: string) => url.split('/').slice(3, 5).join('/')
const upkeep = async (now = Date.now()) => {
  await cleanUp(sql, new Date(now))
  await removeUnusedUploads(sql, fileStore, new Date(now))
}

type Line = Record<string, unknown>
/** The archive of a hold, as the operator writes it. */
async function exportHold(t: Test, name: string) {
  const path = join(await makeFolder(t), 'hold.zip')
  const { code, stdout, stderr } = await runHere(settings, ['export', path, '--hold', name])
  t.equal(stderr, '')
  t.equal(code, 0)
  const zip = await ZipArchive.open(path, (name) => t.fail(name))
  t.teardown(() => zip.close())
  const textOf = async (entry: string) => {
    const found = await zip.find(entry)
    return found ? (await found.read()).toString() : ''
  }
  const lines = async (list: string) =>
    (await textOf(`${list}.jsonl`))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
  const [messages, kept, files] = [
    await lines('messages'),
    await lines('kept_messages'),
    await lines('files'),
  ]
  const head = JSON.parse(await textOf('export.json')) as Line
  return { path, result: JSON.parse(stdout) as Line, messages, kept, files, head, textOf }
}
const idsOf = (lines: readonly Line[]) => lines.map(({ id }) => id)

/** For a client, a message is gone. */
async function expectGone(t: Test, client: Client, id: number) {
  t.equal((await client.get(`/messages/${id}`)).status, 400)
  const { messages } = await client.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
  })
  t.notOk(messages.some((one) => one.id === id))
}

t.test(
  '[HOLD5] a held message that a person deletes is gone for all, and kept with all that it had',
  async (t) => {
    const id = await member.send('held', 'plans', 'first words')
    await member.must('PATCH', `/messages/${id}`, { content: 'second words' })
    await owner.must('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    const before = await member.send('held', 'plans', 'deleted before the hold')
    await owner.must('DELETE', `/messages/${before}`)
    const hold = await place({ stream_ids: [held] })
    const other = await member.send('free', 'plans', 'elsewhere')
    const present = await member.send('held', 'plans', 'still there')
    await owner.must('PATCH', '/realm', { message_edit_history_visibility_policy: 'none' })
    await member.must('PATCH', `/messages/${id}`, { content: 'third words' })
    const events = await expectConsistent(server, async () => {
      for (const one of [id, other]) await owner.must('DELETE', `/messages/${one}`)
    })
    const gone = (channelId: number, message: number) => [
      { type: 'delete_message', stream_id: channelId, message_ids: [message] },
      { type: 'stream', op: 'update', property: 'first_message_id' },
    ]
    t.match(
      events.member,
      [...gone(held, id), ...gone(free, other)],
      'the same events with and without a hold',
    )
    t.equal(events.member.length, 4)
    for (const client of [owner, member, member2]) await expectGone(t, client, id)
    t.same(await keptIds(), [id], 'only the one that is held')
    const { messages, kept, head, result } = await exportHold(t, hold.name.toUpperCase())
    t.match(kept, [
      {
        id,
        channel_id: held,
        topic: 'plans',
        sender_id: member.userId,
        content: 'third words',
        edits: [{ previous_content: 'second words' }, { previous_content: 'first words' }],
        reactions: [{ user_id: owner.userId }],
      },
    ])
    t.type(kept[0]?.['deleted_at'], 'number')
    t.ok(idsOf(messages).includes(present))
    t.ok(messages.every((one) => one['channel_id'] === held))
    t.match(head, { contents: 'hold', hold: { id: hold.id, name: hold.name, kept_messages: 1 } })
    t.match(result, { contents: 'hold', kept_messages: 1, messages: messages.length, missing_files: 0 })
    t.match((await owner.must('GET', '/legal_holds')).legal_holds, [{ kept_messages: 1 }])
    await hold.lift()
    await owner.must('PATCH', '/realm', { message_edit_history_visibility_policy: 'all' })
    t.same(await keptIds(), [id], 'until the job runs')
    await upkeep()
    t.same(await keptIds(), [])
    t.same(await sql`select from legal_holds`, [])
  },
)

t.test(
  '[HOLD6] a hold on people keeps what they sent, and their direct messages, also when they left',
  async (t) => {
    const person = server.as('moderator')
    await person.subscribe(['free'])
    const hold = await place({ user_ids: [person.userId] })
    const sent = await person.send('free', 'tea', 'by them')
    const fromThem = await person.sendDirect([owner.userId], 'from them')
    const toThem = await owner.sendDirect([person.userId, member.userId], 'to them')
    const inChannel = await member2.send('free', 'tea', 'by another')
    const ofOthers = await member2.sendDirect([owner.userId], 'of others')
    await owner.must('DELETE', `/users/${person.userId}`)
    for (const id of [sent, toThem, inChannel, fromThem]) await owner.must('DELETE', `/messages/${id}`)
    await member2.must('DELETE', `/messages/${ofOthers}`)
    t.same(await keptIds(), [sent, fromThem, toThem])
    const { kept } = await exportHold(t, hold.name)
    t.match(
      kept.find((one) => one['id'] === toThem),
      { user_ids: [owner.userId, person.userId, member.userId].sort((a, b) => a - b), content: 'to them' },
    )
    await hold.lift()
    await upkeep()
    t.same(await keptIds(), [])
  },
)

t.test(
  '[HOLD7] retention and the deletion of a topic keep held messages, and a move does not evade',
  async (t) => {
    const hold = await place({ stream_ids: [held] })
    const moved = await member.send('held', 'to move', 'it leaves')
    await owner.must('PATCH', `/messages/${moved}`, { stream_id: free, topic: 'moved' })
    const topic = [
      await member.send('held', 'whole topic', 'one'),
      await member.send('held', 'whole topic', 'two'),
    ]
    await owner.must('POST', `/streams/${held}/delete_topic`, { topic_name: 'whole topic' })
    t.same(await keptIds(), topic)
    const [heldOld, freeOld] = [
      await member.send('held', 'old', 'held'),
      await member.send('free', 'old', 'free'),
    ]
    for (const id of [held, free]) await owner.must('PATCH', `/streams/${id}`, { message_retention_days: 1 })
    clock.leap(DAY_MS + 1_000)
    await member.sendDirect([member2.userId], 'the newest of all')
    await expectConsistent(server, () => expire(server, sender))
    for (const id of [moved, heldOld, freeOld])
      t.equal((await sql`select from messages where id = ${id}`).length, 0, 'retention deletes as always')
    const kept = await keptIds()
    for (const id of [moved, heldOld, ...topic]) t.ok(kept.includes(id))
    t.notOk(kept.includes(freeOld))
    const entries = (await owner.must('GET', '/realm/audit_log', { kinds: ['delete_message'] })).entries
    t.ok(
      entries.some(
        ({ actor, details }) => actor === 'server' && JSON.stringify(details).includes(`${heldOld}`),
      ),
      'the audit log has what retention deleted',
    )
    const archive = await exportHold(t, hold.name)
    t.match(
      archive.kept.find(({ id }) => id === moved),
      { channel_id: free, topic: 'moved', edits: [{ previous_channel_id: held, previous_topic: 'to move' }] },
    )
    for (const id of [held, free])
      await owner.must('PATCH', `/streams/${id}`, { message_retention_days: 'unlimited' })
    await hold.lift()
    await upkeep()
    t.same(await keptIds(), [])
  },
)

t.test('[HOLD8] files of held messages stay in the store, also if their owner removes them', async (t) => {
  const upload = async (name: string) => (await uploadFile(member, name, `bytes of ${name}`)).url
  const [deleted, dropped, removed, unheld] = [
    await upload('deleted.txt'),
    await upload('dropped.txt'),
    await upload('removed.txt'),
    await upload('unheld.txt'),
  ]
  const hold = await place({ stream_ids: [held] })
  const gone = await member.send('held', 'files', `[a](${deleted}) [b](${unheld})`)
  const edited = await member.send('held', 'files', `[c](${dropped})`)
  const linking = await member.send('held', 'files', `[d](${removed})`)
  const free1 = await member.send('free', 'files', `[b](${unheld})`)
  await owner.must('DELETE', `/messages/${gone}`)
  t.equal((await fetchFile(member, deleted)).status, 404)
  t.equal((await fetchFile(member, unheld)).status, 200, 'another message still links it')
  await owner.must('DELETE', `/messages/${free1}`)
  await member.must('PATCH', `/messages/${edited}`, { content: 'no file any more' })
  const [row] = await sql<{ id: number }[]>`select id from uploads where name = 'removed.txt'`
  await member.must('DELETE', `/attachments/${row?.id}`)
  const later = clock.nowMs() + UNUSED_RETENTION_MS + DAY_MS
  await upkeep(later)
  const keys = [deleted, dropped, removed, unheld].map(keyOf)
  t.same(
    await sql`select from uploads where name = any('{deleted.txt,dropped.txt,removed.txt,unheld.txt}')`,
    [],
  )
  for (const key of keys) t.type(await fileStore.size(key), 'number', key)
  t.equal(await recordStrayFiles(sql, keys), 0, 'they are no stray files')
  for (const url of [deleted, dropped, removed, unheld])
    for (const client of [owner, member]) t.equal((await fetchFile(client, url)).status, 404)
  t.same((await member.must('GET', '/attachments')).attachments, [])
  const { files, textOf, result } = await exportHold(t, hold.name)
  const byName = new Map(files.map((one) => [one['name'], one]))
  const expected = { 'deleted.txt': gone, 'dropped.txt': edited, 'removed.txt': linking, 'unheld.txt': gone }
  for (const [name, messageId] of Object.entries(expected)) {
    const file = byName.get(name)
    t.match(file, { is_removed: true, message_ids: [messageId], owner_id: member.userId })
    t.equal(await textOf(String(file?.['file'])), `bytes of ${name}`)
  }
  t.equal(result['files'], files.length)
  const { differences, files: counted } = await check(server.databaseUrl, fileStore)
  t.strictSame(differences, [])
  t.ok(Number(counted) >= 4, 'kept files are checked, too')
  await hold.lift()
  await upkeep(later)
  for (const key of keys) t.equal(await fileStore.size(key), undefined, key)
  for (const table of ['kept_messages', 'kept_links', 'kept_files', 'removed_files', 'legal_holds'])
    t.same([...(await sql`select from ${sql(table)}`)], [], table)
})

t.test('[HOLD9] the files of held people stay, also those that no message ever linked', async (t) => {
  const { url } = await uploadFile(member, 'alone.txt', 'alone')
  const { url: other } = await uploadFile(member2, 'other.txt', 'other')
  const hold = await place({ user_ids: [member.userId] })
  const later = clock.nowMs() + UNUSED_RETENTION_MS + DAY_MS
  await upkeep(later)
  t.equal(await fileStore.size(keyOf(url)), 5)
  t.equal(await fileStore.size(keyOf(other)), undefined)
  const { files } = await exportHold(t, hold.name)
  t.match(
    files.find(({ name }) => name === 'alone.txt'),
    { is_removed: true, message_ids: [] },
  )
  await hold.lift()
  await upkeep(later)
  t.equal(await fileStore.size(keyOf(url)), undefined)
})

t.test('[HOLD10] lifting one of two holds removes only what no other holds, also after a stop', async (t) => {
  const whole = await place({ whole_organization: true })
  const people = await place({ user_ids: [member2.userId] })
  const ids = []
  for (const client of [member, member2, member, member2, member])
    ids.push(await client.send('free', 'many', 'words'))
  for (const id of ids) await owner.must('DELETE', `/messages/${id}`)
  t.same(await keptIds(), ids)
  await whole.lift()
  // The worker dies before its second page.
  let pages = 0
  const dying = new Proxy(sql, {
    apply(target, _, args: Parameters<typeof sql>) {
      if (String(args[0]).includes('from kept_messages where id >') && ++pages === 2)
        throw new Error('killed')
      return target(...args)
    },
  })
  await t.rejects(removeReleased(dying, 2), { message: 'killed' })
  t.same(await keptIds(), ids.slice(1))
  t.equal(await removeReleased(sql, 2), 2)
  t.same(await keptIds(), [ids[1], ids[3]])
  t.equal(await removeReleased(sql, 2), 0)
  t.strictSame(
    [...(await sql`select id from legal_holds`)].map(({ id }) => id),
    [people.id],
  )
  const { kept, head } = await exportHold(t, people.name)
  t.same(idsOf(kept), [ids[1], ids[3]])
  t.match(head, { counts: { kept_messages: 2 } })
  await people.lift()
  t.equal(await removeReleased(sql, 2), 2)
  t.same(await keptIds(), [])
})

t.test(
  '[HOLD11] the archive of a hold is for operators alone, of a hold that exists, and no import',
  async (t) => {
    const path = join(await makeFolder(t), 'none.zip')
    t.match(await runHere(settings, ['export', path, '--hold', 'none']), {
      code: 1,
      stderr: 'parley: there is no legal hold none\n',
    })
    t.match(await runHere(settings, ['export', path, '--hold', ' ']), {
      code: 2,
      stderr: /--hold must be the name of a legal hold/,
    })
    t.match(await runHere(settings, ['export', path, '--hold', 'a', '--public']), {
      code: 2,
      stderr: /--public cannot be used with --hold/,
    })
    const hold = await place({ whole_organization: true })
    const id = await member.send('free', 'late', 'never exported')
    await owner.must('DELETE', `/messages/${id}`)
    const archive = await exportHold(t, hold.name)
    t.same(idsOf(archive.kept), [id])
    t.match(await runHere(settings, ['import', 'parley', archive.path, '--dry-run']), {
      code: 1,
      stderr: /has the messages of a legal hold, which cannot come over/,
    })
    const everything = join(await makeFolder(t), 'everything.zip')
    t.equal((await runHere(settings, ['export', everything])).code, 0)
    const zip = await ZipArchive.open(everything, (name) => t.fail(name))
    t.teardown(() => zip.close())
    const names = await filterNames(zip, () => true)
    t.notOk(names.some((name) => name.startsWith('kept_messages')))
    for (const name of names.filter((one) => one.startsWith('messages'))) {
      const entry = await zip.find(name)
      t.notMatch(String(await entry?.read()), 'never exported')
    }
    await hold.lift()
  },
)

t.test('[HOLD12] a hold keeps exactly the messages that are deleted after it in the log', async (t) => {
  const ids: number[] = []
  for (let count = 0; count < 12; count++) ids.push(await member.send('free', 'race', `word ${count}`))
  const placing = ids.map(async (id, index) => {
    if (index !== 5) return owner.must('DELETE', `/messages/${id}`)
    return place({ stream_ids: [free] })
  })
  const [, , , , , hold] = (await Promise.all(placing)) as unknown as Awaited<ReturnType<typeof place>>[]
  await owner.must('DELETE', `/messages/${ids[5]}`)
  const deletions = await sql<{ id: number; messageId: number }[]>`
    select id, (event -> 'messageIds' ->> 0)::bigint as "messageId" from event_log
    where event ->> 'type' = 'delete_message' and (event -> 'messageIds' ->> 0)::bigint = any(${ids}::bigint[])`
  t.equal(deletions.length, 12)
  const after = deletions.filter(({ id }) => id > Number(hold?.id)).map(({ messageId }) => messageId)
  const all = await keptIds()
  t.same(
    all.filter((id) => ids.includes(id)),
    after.sort((a, b) => a - b),
  )
  t.ok(after.includes(ids[5] as number))
  await hold?.lift()
})

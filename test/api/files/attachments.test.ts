/** Listing and deleting uploads. */

import { ownersOfRemoved } from '../../../server/audience/attachments.ts'
import t from 'tap'
import { connect } from '../../../db/connection/connect.ts'
import { noteArrival, requireUnused } from '../../../db/files/uploads.ts'
import type { UploadId } from '../../../server/domain/ids.ts'
import { removeUploads } from '../../../server/decisions/uploads/remove-uploads.ts'
import { createFileKey } from '../../../server/files/file-key.ts'
import { LOG_NOTICE } from '../../../server/log/tail-log.ts'
import {
  removeUnusedUploads,
  UNUSED_RETENTION_MS,
  ARRIVAL_RETENTION_MS,
} from '../../../workers/jobs/upkeep/remove-unused-uploads.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { writeAlone } from '../../harness/worlds/write-alone.ts'
import { getFile, mustPostFile, postFile } from '../../harness/client/user-files.ts'
import { pollUntil } from '../../services/poll-until.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t, { env: { UPLOAD_QUOTA_MIB: '1' }, redis: true })
const { sql, fileStore } = server.node.services
const owner = server.as('owner')
const member = server.as('member')
const member2 = server.as('member2')
await owner.subscribe(['general'], { principals: [4] })

const pathOf = (url: string) => url.slice('/user_uploads/'.length)
const keyOf = (url: string) => pathOf(url).split('/').slice(1, 3).join('/')

async function idOf(url: string): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select id from uploads where path = ${pathOf(url)}`
  return row?.id ?? 0
}

async function link(messageId: number, url: string): Promise<void> {
  await sql`insert into message_uploads (message_id, upload_id) values (${messageId}, ${await idOf(url)})
    on conflict do nothing`
}

t.test(
  '[ATTACH1] users list their own uploads, the newest first, with the messages that link them',
  async (t) => {
    t.same(await member.must('GET', '/attachments'), {
      result: 'success',
      msg: '',
      attachments: [],
      upload_space_used: 0,
    })
    const first = await mustPostFile(member, 'first', 'first.txt')
    const second = await mustPostFile(member, 'second!', 'Zweite Datei.txt')
    const foreign = await mustPostFile(owner, 'of another', 'other.txt')
    const sentId = await member.send('general', 'files', `[first](${first})`)
    await link(sentId, first)
    // A message in a conversation without the owner sends the owner nothing.
    await link(await owner.sendDirect([5], `[first](${first})`), first)
    const { attachments, upload_space_used: used } = await member.must('GET', '/attachments')
    t.equal(used, 'first'.length + 'second!'.length + 'of another'.length)
    const [
      {
        messages: [{ date_sent: sentAt }],
      },
    ] = [attachments[1]]
    t.ok(Math.abs(sentAt - Date.now() / 1000) < 3_600, 'in seconds')
    t.same(attachments, [
      {
        id: await idOf(second),
        name: 'Zweite Datei.txt',
        path_id: pathOf(second),
        size: 7,
        create_time: attachments[0].create_time,
        messages: [],
        message_ids: [],
      },
      {
        id: await idOf(first),
        name: 'first.txt',
        path_id: pathOf(first),
        size: 5,
        create_time: attachments[1].create_time,
        messages: [{ id: sentId, date_sent: sentAt }],
        message_ids: [sentId],
      },
    ])
    t.ok(Math.abs(attachments[0].create_time - Date.now() / 1000) < 3_600, 'in seconds')
    t.match((await owner.must('GET', '/attachments')).attachments, [{ path_id: pathOf(foreign) }])
  },
)

t.test(
  '[ATTACH2] an owner deletes a file and alone gets the event; the job deletes the bytes once',
  async (t) => {
    const url = await mustPostFile(member, 'to be removed', 'gone.txt')
    const id = await idOf(url)
    await link(await member.send('general', 'files', `[gone](${url})`), url)
    const { upload_space_used: before } = await member.must('GET', '/attachments')
    const events = await expectConsistent(server, () => member.must('DELETE', `/attachments/${id}`))
    t.match(events.member, [
      {
        type: 'attachment',
        op: 'remove',
        attachment: { id },
        upload_space_used: before - 'to be removed'.length,
      },
    ])
    t.same(Object.keys(events.member?.[0].attachment), ['id'])
    for (const person of ['owner', 'member2', 'guest'] as const) t.same(events[person], [], person)
    t.equal((await getFile(member, encodeURI(url))).status, 404)
    t.equal((await getFile(owner, encodeURI(url))).status, 404)
    t.ok(await fileStore.size(keyOf(url)), 'the bytes stay until the job runs')
    t.match(await removeUnusedUploads(sql, fileStore, new Date()), { files: 1 })
    t.equal(await fileStore.size(keyOf(url)), undefined)
    t.match(await removeUnusedUploads(sql, fileStore, new Date()), { uploads: 0, arrivals: 0, files: 0 })
  },
)

t.test("[ATTACH3] deleting another user's file or an absent one is refused", async (t) => {
  const url = await mustPostFile(member, 'mine', 'mine.txt')
  const id = await idOf(url)
  for (const [client, given] of [
    [member2, id],
    [owner, id],
    [member, id + 1_000],
    [member, 0],
    [member, 2 ** 40],
  ] as const) {
    expectRefusal(t, await client.delete(`/attachments/${given}`), 'Invalid attachment')
  }
  t.equal((await getFile(member, encodeURI(url))).status, 200)
  t.equal((await server.anyone.delete(`/attachments/${id}`)).body.code, 'UNAUTHORIZED')
  const twice = await Promise.all([1, 2, 3].map(() => member.delete(`/attachments/${id}`)))
  t.same(
    twice.map(({ status }) => status).sort((a, b) => a - b),
    [200, 400, 400],
    'once',
  )
})

t.test('[ATTACH4] a file that no message ever linked is deleted after weeks; others stay', async (t) => {
  await removeUnusedUploads(sql, fileStore, new Date())
  const unused = await mustPostFile(member, 'unused', 'unused.txt')
  const used = await mustPostFile(member, 'used', 'used.txt')
  await link(await member.send('general', 'files', `[used](${used})`), used)
  const young = await mustPostFile(member, 'young', 'young.txt')
  await sql`update uploads set created_at = now() - interval '29 days' where path in ${sql([unused, used].map(pathOf))}`
  const queue = await member.register({ event_types: ['attachment'], fetch_event_types: [] })
  const others = await owner.register({ event_types: ['attachment'], fetch_event_types: [] })
  const { upload_space_used: before } = await member.must('GET', '/attachments')
  const id = await idOf(unused)
  const attempt = (space: number, ids = [id]) =>
    writeAlone(sql, (writes) => requireUnused(writes, ids as UploadId[], new Date(), space))
  await attempt(before)
  await t.rejects(
    attempt(before + 1),
    { name: 'UploadInUseError' },
    'the total has changed because another file did',
  )
  await t.rejects(attempt(before, [id, await idOf(used)]), { name: 'UploadInUseError' })
  let notices = 0
  const listening = await sql.listen(LOG_NOTICE, () => {
    notices++
  })
  t.match(await removeUnusedUploads(sql, fileStore, new Date()), { uploads: 1, files: 1 })
  await pollUntil('processes without Redis get it at once', () => notices > 0)
  await listening.unlisten()
  const events: WireEvent[] = []
  await pollUntil('the event has arrived', async () => {
    events.push(...(await member.events(queue)))
    return events.length > 0
  })
  t.match(events, [{ op: 'remove', attachment: { id }, upload_space_used: before - 'unused'.length }])
  t.same(await owner.events(others), [])
  for (const [url, status] of [
    [unused, 404],
    [used, 200],
    [young, 200],
  ] as const) {
    t.equal((await getFile(member, encodeURI(url))).status, status, url)
  }
  t.equal(await fileStore.size(keyOf(unused)), undefined)
  t.ok(UNUSED_RETENTION_MS >= 14 * 24 * 3600 * 1000)
  t.equal((await member.must('GET', '/attachments')).upload_space_used, before - 'unused'.length)
})

t.test(
  '[ATTACH9] a file stays while a draft, a snippet or a scheduled message of its owner links it',
  async (t) => {
    const kept = await Promise.all(
      ['draft', 'snippet', 'later'].map((name) => mustPostFile(member, name, `${name} ä.txt`)),
    )
    const foreign = await mustPostFile(owner, 'foreign')
    const [draft = '', snippet = '', later = ''] = kept.map((url) => `[x](${encodeURI(url)})`)
    const drafts = [{ type: '', to: [], topic: '', content: `${draft} [y](${foreign})`, timestamp: 1 }]
    await member.must('POST', '/drafts', { drafts })
    await member.must('POST', '/saved_snippets', { title: 'files', content: snippet })
    await sql`insert into scheduled_messages (id, user_id, user_ids, topic, content, rendered, deliver_at, is_read_by_sender,
      client, changed_id)
    values (1, 4, '{5}', '', ${later}, '', 4000000000, true, 'test', 1)`
    await sql`update uploads set created_at = now() - interval '29 days' where path in ${sql([...kept, foreign].map(pathOf))}`
    t.match(await removeUnusedUploads(sql, fileStore, new Date()), { uploads: 1 })
    for (const url of kept) t.equal((await getFile(member, encodeURI(url))).status, 200, url)
    t.equal((await getFile(owner, encodeURI(foreign))).status, 404, 'messages of other users do not keep it')
    await sql`update scheduled_messages set sent_id = 1`
    t.match(await removeUnusedUploads(sql, fileStore, new Date()), { uploads: 1 }, 'a sent one keeps nothing')
    await sql`delete from scheduled_messages`
    await sql`update uploads set created_at = now() where path in ${sql(kept.map(pathOf))}`
  },
)

t.test('[ATTACH5] an incomplete upload of a dead process is found and deleted with its bytes', async (t) => {
  const half = createFileKey()
  await noteArrival(sql, { ownerId: 4 as never, path: `1/${half}/half.txt`, name: 'half.txt' })
  await fileStore.create(half)
  await fileStore.append(
    half,
    0,
    (async function* () {
      yield Buffer.from('half')
    })(),
    100,
  )
  const empty = createFileKey() // It died before creating the file.
  await noteArrival(sql, { ownerId: 4 as never, path: `1/${empty}/x.txt`, name: 'x.txt' })
  const { attachments } = await member.must('GET', '/attachments')
  t.notOk(
    attachments.some((one) => one.path_id.includes(half)),
    'invisible to everyone',
  )
  t.equal((await getFile(member, `/user_uploads/1/${half}/half.txt`)).status, 404)
  t.match(await removeUnusedUploads(sql, fileStore, new Date()), { arrivals: 0 }, 'it may still arrive')
  t.match(await removeUnusedUploads(sql, fileStore, new Date(Date.now() + ARRIVAL_RETENTION_MS + 60_000)), {
    arrivals: 2,
    files: 2,
  })
  const last = createFileKey()
  await fileStore.create(last)
  await sql`insert into removed_files (key, removed_at)
    values ('no key', now() - interval '1 day'), (${last}, now())`
  await t.rejects(removeUnusedUploads(sql, fileStore, new Date()), { name: 'AggregateError' })
  t.equal(await fileStore.size(last), undefined, 'a file that cannot be deleted does not block others')
  await sql`delete from removed_files where key = 'no key'`
  t.equal(await fileStore.size(half), undefined)
})

t.test('[ATTACH6] a crash between writing the bytes and the row leaks neither', async (t) => {
  const url = await mustPostFile(member, 'crash', 'crash.txt')
  await member.must('DELETE', `/attachments/${await idOf(url)}`)
  await fileStore.remove(keyOf(url)) // The job dies right here.
  t.match(await removeUnusedUploads(sql, fileStore, new Date()), { files: 1 })
  t.same(await sql`select key from removed_files`, [])
})

t.test('[ATTACH7] concurrent uploads stay within the quota of the organization', async (t) => {
  const { upload_space_used: before } = await member.must('GET', '/attachments')
  const room = 1024 * 1024 - before
  const size = Math.floor(room / 3) - 1
  const another = await server.startAnotherNode()
  const clients = [member, owner, another.as('member'), another.as('owner')]
  const keysBefore = await sql`select path from uploads`
  const answers = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6, 7].map((index) =>
      postFile(clients[index % 4] as typeof member, Buffer.alloc(size, 'a')),
    ),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  t.equal(refused.length, 5)
  for (const one of refused) {
    expectRefusal(t, one, "Upload would exceed your organization's upload quota.", {
      code: 'REALM_UPLOAD_QUOTA',
    })
  }
  t.equal(
    (await sql`select path from uploads`).length,
    keysBefore.length + 3,
    'refused uploads leave nothing',
  )
  t.same(await sql`select key from removed_files`, [])
  const { upload_space_used: used } = await member.must('GET', '/attachments')
  t.equal(used, before + 3 * size)
  expectRefusal(
    t,
    await postFile(member, Buffer.alloc(room - 3 * size + 1, 'a')),
    "Upload would exceed your organization's upload quota.",
    { code: 'REALM_UPLOAD_QUOTA' },
  )
  t.equal((await postFile(member, Buffer.alloc(room - 3 * size, 'a'))).status, 200, 'to the last byte')
  t.equal((await member.register({ fetch_event_types: ['realm'] })).state.realm_upload_quota_mib, 1)
  const [mine] = (await member.must('GET', '/attachments')).attachments
  await member.must('DELETE', `/attachments/${mine.id}`)
  t.equal((await postFile(member, 'b')).status, 200, 'a deleted file frees its quota')
})

t.test(
  '[ATTACH8] when several files are deleted at once, each owner gets one event for each file',
  async (t) => {
    const uploads = [
      { id: 7, ownerId: 4, size: 10 },
      { id: 8, ownerId: 5, size: 5 },
    ] as unknown as Parameters<typeof removeUploads>[1]
    t.match(
      ownersOfRemoved(removeUploads(20, uploads)).map(({ event, audience }) => ({
        event,
        users: audience.kind === 'users' && audience.users.toArray(),
      })),
      [
        { event: { uploadId: 7, spaceUsed: 10 }, users: [4] },
        { event: { uploadId: 8, spaceUsed: 5 }, users: [5] },
      ],
    )
    const elsewhere = connect(server.databaseUrl, 1, 'parley-test')
    t.teardown(() => elsewhere.end())
    t.match(await removeUnusedUploads(elsewhere, fileStore, new Date()), { uploads: 0 })
  },
)

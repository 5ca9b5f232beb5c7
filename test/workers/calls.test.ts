/** The messages of calls say who is in them, as LiveKit and BigBlueButton answer, which are real HTTP servers here. */

import t from 'tap'
import type { UserId } from '../../server/domain/ids.ts'
import { storePasswordHash } from '../../db/accounts/users.ts'
import { createLogger } from '../../server/logger.ts'
import { type CallWork, lookAtCalls } from '../../workers/jobs/calls/look-at-calls.ts'
import { openProviders } from '../../workers/jobs/calls/start-calls.ts'
import { runPreviews } from '../../workers/jobs/previews/run-previews.ts'
import { PreviewFigures } from '../../workers/jobs/previews/preview-figures.ts'
import { openSources } from '../../workers/jobs/previews/start-previews.ts'
import { startWorker } from '../../workers/worker.ts'
import { Browser } from '../harness/browser/browser.ts'
import type { Client, Fields } from '../harness/client/client.ts'
import { startBigBlueButton } from '../harness/providers/start-bigbluebutton.ts'
import { type Participant, startLiveKit } from '../harness/providers/start-livekit.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { openTestSender } from '../harness/worlds/open-test-sender.ts'
import { SYSTEM_GROUPS } from '../../server/domain/groups/system-groups.ts'
import { pollUntil } from '../services/poll-until.ts'

const livekit = await startLiveKit(t)
const bbb = await startBigBlueButton(t)
const server = await startTestServer(t, { env: { ...livekit.env, ...bbb.env, LOG_LEVEL: 'silent' } })
const { services, url } = server.node
const { sql, state } = services
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
await owner.subscribe(['general'], { principals: [owner.userId, member.userId, server.as('member2').userId] })
const channelId = (await owner.must('GET', '/get_stream_id', { stream: 'general' })).stream_id
const sender = await openTestSender(t, server)
const closers: (() => unknown)[] = []
t.teardown(async () => {
  for (const close of closers) await close()
})
const failures: unknown[] = []
const work: CallWork = {
  sql,
  openSender: async () => sender,
  providers: openProviders({ clock: services.clock, ...server.config }),
  onError: (error) => failures.push(error),
}
const previews = {
  sql,
  openSender: work.openSender,
  sources: openSources(sql, server.config.outbound, closers),
  figures: new PreviewFigures(),
  underWay: new Map(),
}
const settled = () => pollUntil('the server has it', () => state.appliedId >= sender.services.state.appliedId)
/** Takes up new messages, lets the pause between looks pass, and looks. */
const look = async () => {
  await runPreviews(previews)
  await sql`update call_messages set due_at = now() where due_at is not null`
  await lookAtCalls(work)
  await settled()
}
const htmlOf = async (id: number, reader = member): Promise<string> =>
  (await reader.must('GET', `/messages/${id}`, { apply_markdown: true })).message.content
const after = (html: string) => html.slice(html.indexOf('</p>') + '</p>'.length)
const nameOf = async (client: Client) => (await client.must('GET', '/users/me')).full_name
const [NAME, OWNER] = [await nameOf(member), await nameOf(owner)]
const span = (client: Client, name: string) =>
  `<span class="user-mention silent" data-user-id="${client.userId}">@${name}</span>`.replace('@', '')
const participant = (client: Client, more: Partial<Participant> = {}): Participant => ({
  identity: String(client.userId),
  ...more,
})
/** The row of a call; undefined for none. */
const rowOf = async (id: number) =>
  (
    await sql<{ room: string; isWatched: boolean; tries: number }[]>`
    select room, due_at is not null as "isWatched", tries from call_messages where message_id = ${id}`
  )[0]
const room = (fields: Fields, client = member) => client.must('POST', '/calls/livekit/create', fields)
const meeting = () => member.must('GET', '/calls/bigbluebutton/create', { meeting_name: 'Plans' })
/** A message with the link of a call in the channel, and the call's room. */
async function sendCall(
  content = '',
  of: () => Promise<{ readonly url: string }> = () => room({ type: 'channel', stream_id: channelId }),
) {
  const path = (await of()).url
  const id = await member.send('general', 'calls', `[Join the video call](${url}${path}) ${content}`)
  await look()
  return { id, path, room: (await rowOf(id))?.room ?? '' }
}
async function openAs(client: Client): Promise<Browser> {
  const password = 'a good password'
  await storePasswordHash(sql, client.userId as UserId, await services.passwords.hash(password))
  const browser = new Browser(url)
  await browser.logIn(client.email, password)
  return browser
}

await t.test(
  '[INCALL1] a message says who is in its call at LiveKit, to its readers alone, until it ends',
  async (t) => {
    const { id, room: name } = await sendCall()
    t.equal(after(await htmlOf(id)), '', 'nobody came yet')
    t.same(livekit.asked.at(-1), name)
    livekit.rooms.set(name, [participant(member), participant(member), { identity: 'EG_1', kind: 'EGRESS' }])
    const events = await expectConsistent(server, look)
    t.equal(after(await htmlOf(id)), `\n<p>In the call: ${span(member, NAME)}</p>`)
    t.match(events.member, [
      { type: 'update_message', rendering_only: true, user_id: null, message_id: id, message_ids: [id] },
    ])
    t.equal(events.owner.length, 1)
    t.same(events.guest, [], 'who may not read the message learns nothing')
    const { message } = await member.must('GET', `/messages/${id}`, {})
    t.notOk('last_edit_timestamp' in message, 'it is not edited')
    t.same(await expectConsistent(server, look).then(({ member: none }) => none), [], 'no change, no event')

    livekit.rooms.set(name, [
      participant(member),
      participant(owner),
      participant(guest, { state: 'DISCONNECTED' }),
      { identity: '+49 170', kind: 'SIP' },
    ])
    await look()
    t.equal(
      after(await htmlOf(id)),
      `\n<p>In the call: ${span(owner, OWNER)}, ${span(member, NAME)}, 1 other person</p>`,
    )
    livekit.rooms.set(name, [{ identity: 'x' }, { identity: '0' }, { identity: '99999' }])
    await look()
    t.equal(
      after(await htmlOf(id)),
      '\n<p>3 people are in the call.</p>',
      'accounts of elsewhere have no names',
    )
    livekit.rooms.delete(name)
    await look()
    t.equal(after(await htmlOf(id)), '\n<p>The call has ended.</p>')
  },
)

await t.test('[INCALL2] the same holds for BigBlueButton, whatever the names of people are', async (t) => {
  const { id, room: name } = await sendCall('', meeting)
  t.match(name, /^parley-/)
  bbb.attendees.set(name, [String(member.userId), 'w_2xox6leao03w'])
  await look()
  t.equal(after(await htmlOf(id)), `\n<p>In the call: ${span(member, NAME)}, 1 other person</p>`)
  bbb.attendees.delete(name)
  await look()
  t.equal(after(await htmlOf(id)), '\n<p>The call has ended.</p>')
})

await t.test(
  '[INCALL3] an empty call is looked at for three minutes, and again after a click on its link',
  async (t) => {
    const { id, path, room: name } = await sendCall()
    t.match(await rowOf(id), { isWatched: true })
    await sql`update call_messages set watched_until = now() where message_id = ${id}`
    await look()
    t.match(await rowOf(id), { isWatched: false })
    const count = livekit.asked.length
    await look()
    t.notOk(livekit.asked.slice(count).includes(name), 'nobody looks')
    const browser = await openAs(member)
    t.equal((await browser.send('GET', path)).status, 303)
    livekit.rooms.set(name, [participant(member)])
    await look()
    t.match(after(await htmlOf(id)), NAME)
    await sql`update call_messages set watched_until = now() where message_id = ${id}`
    await look()
    t.match(await rowOf(id), { isWatched: true }, 'a call with people is looked at')
    livekit.rooms.delete(name)
    await look()
    t.match(await rowOf(id), { isWatched: false })
  },
)

await t.test(
  '[INCALL4] a call of another conversation, or one that this server did not make, shows nothing',
  async (t) => {
    const direct = (await room({ type: 'direct', to: [owner.userId] })).url as string
    const id = await member.send('general', 'calls', `${url}${direct}`)
    const toPeople = await member.sendDirect([owner.userId], `${url}${direct}`)
    const wider = await member.sendDirect([owner.userId, guest.userId], `${url}${direct}`)
    const forged = await member.send('general', 'calls', `${url}${direct}x ${url}/calls/livekit/join`)
    await look()
    t.same([await rowOf(id), await rowOf(wider), await rowOf(forged)], [undefined, undefined, undefined])
    const row = await rowOf(toPeople)
    livekit.rooms.set(row?.room ?? '', [participant(owner)])
    await look()
    t.match(after(await htmlOf(toPeople, owner)), OWNER)
    for (const one of [id, wider, forged]) t.notMatch(await htmlOf(one), 'In the call')

    const { id: moved, room: name } = await sendCall()
    livekit.rooms.set(name, [participant(member)])
    await look()
    t.match(after(await htmlOf(moved)), NAME)
    await owner.subscribe(['elsewhere'], { principals: [owner.userId, guest.userId] })
    const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'elsewhere' })
    await owner.must('PATCH', `/messages/${moved}`, { stream_id, propagate_mode: 'change_one' })
    await look()
    t.equal(after(await htmlOf(moved, owner)), '', 'a message that was moved away shows nothing any more')
    t.equal(await rowOf(moved), undefined)
  },
)

await t.test('[INCALL5] an edit keeps what the message says only if the link is still there', async (t) => {
  const { id, path, room: name } = await sendCall()
  livekit.rooms.set(name, [participant(member)])
  await look()
  await member.must('PATCH', `/messages/${id}`, { content: `at three: ${url}${path}` })
  await look()
  t.match(after(await htmlOf(id)), `<p>In the call: ${span(member, NAME)}</p>`)
  await member.must('PATCH', `/messages/${id}`, { content: 'not today' })
  await look()
  t.equal(await htmlOf(id), '<p>not today</p>')
  t.equal(await rowOf(id), undefined)
})

await t.test('[INCALL6] a provider that fails five times in a row ends what the message says', async (t) => {
  const { id, room: name } = await sendCall()
  livekit.rooms.set(name, [participant(member)])
  await look()
  const answers = [
    { status: 500 },
    { status: 200, body: 'no JSON' },
    { status: 200, body: 'x'.repeat(1024 * 1024 + 1) },
    { status: 302, location: `${livekit.env.LIVEKIT_MEET_URL}` },
  ]
  for (const [failed, answer] of answers.entries()) {
    await sql`update call_messages set due_at = null where message_id <> ${id}`
    livekit.odd.push(answer)
    await look()
    t.match(await rowOf(id), { isWatched: true, tries: failed + 1 })
    t.match(after(await htmlOf(id)), NAME, 'one failure says nothing')
  }
  t.same(failures, [])
  livekit.odd.push({ status: 401 })
  await look()
  t.equal(after(await htmlOf(id)), '')
  t.match(await rowOf(id), { isWatched: false })
  t.equal(failures.length, 1)
})

await t.test('[INCALL7] names that a reader may not know are left out', async (t) => {
  await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: SYSTEM_GROUPS.members } })
  await owner.subscribe(['with a guest'], { principals: [owner.userId, guest.userId] })
  const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'with a guest' })
  const path = (await room({ type: 'channel', stream_id }, owner)).url as string
  const id = await owner.send('with a guest', 'calls', `${url}${path}`)
  await look()
  const stranger = server.as('member2')
  t.equal((await guest.get(`/users/${stranger.userId}`)).status, 400, 'the guest does not know them')
  livekit.rooms.set((await rowOf(id))?.room ?? '', [participant(owner), participant(stranger)])
  await look()
  t.equal(after(await htmlOf(id, guest)), `\n<p>In the call: ${span(owner, OWNER)}, 1 other person</p>`)

  // Everyone with the link of a meeting may join it, from other places, too.
  const direct = await owner.sendDirect([guest.userId], `${url}${(await meeting()).url}`)
  await look()
  bbb.attendees.set((await rowOf(direct))?.room ?? '', [String(owner.userId), String(stranger.userId)])
  await look()
  t.equal(after(await htmlOf(direct, guest)), `\n<p>In the call: ${span(owner, OWNER)}, 1 other person</p>`)
  await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: SYSTEM_GROUPS.everyone } })
})

await t.test(
  '[INCALL11] three messages of a call are looked at, and the first link of a call counts',
  async (t) => {
    const { path, room: name } = await sendCall()
    const more: number[] = []
    for (let sent = 0; sent < 3; sent++) more.push(await member.send('general', 'calls', `${url}${path}`))
    await look()
    t.match(await Promise.all(more.map(rowOf)), [{ room: name }, { room: name }, undefined])
    livekit.rooms.set(name, [participant(owner)])
    const count = livekit.asked.length
    await look()
    t.equal(livekit.asked.slice(count).filter((one) => one === name).length, 3)
    const next = await room({ type: 'channel', stream_id: channelId })
    const forged = await member.send('general', 'calls', `${url}${next.url}x and ${url}${next.url}`)
    await look()
    t.ok(await rowOf(forged), 'a link that this server did not sign is passed by')
  },
)

await t.test('[INCALL10] the message of a call in an archived channel stays as it is', async (t) => {
  await owner.subscribe(['archived'], { principals: [owner.userId, member.userId] })
  const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'archived' })
  const path = (await room({ type: 'channel', stream_id }, owner)).url as string
  const id = await owner.send('archived', 'calls', `${url}${path}`)
  await look()
  livekit.rooms.set((await rowOf(id))?.room ?? '', [participant(member)])
  await owner.must('DELETE', `/streams/${stream_id}`)
  await look()
  t.match(await rowOf(id), { isWatched: false }, 'nobody looks for nothing')
})

await t.test(
  '[INCALL8] a running worker looks by itself, after the commit of the message and as time passes',
  async (t) => {
    const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
    t.teardown(() => worker.close())
    const path = (await room({ type: 'channel', stream_id: channelId })).url as string
    const id = await member.send('general', 'calls', `${url}${path}`)
    await pollUntil('the call is noted', async () => (await rowOf(id)) !== undefined)
    livekit.rooms.set((await rowOf(id))?.room ?? '', [participant(owner)])
    t.ok(await pollUntil('the message says so', async () => (await htmlOf(id)).includes(OWNER)))
  },
)

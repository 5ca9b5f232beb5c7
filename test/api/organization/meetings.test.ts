/** Meetings of a BigBlueButton server, which is a real HTTP server here, and rooms of LiveKit by its own library. */

import { hash } from 'node:crypto'
import { TokenVerifier } from 'livekit-server-sdk'
import t from 'tap'
import { addressOf } from '../../../server/changes/calls/bigbluebutton.ts'
import { signRoomToken } from '../../../server/changes/calls/livekit.ts'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import { rotateAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { ConfigError, readConfig } from '../../../server/config.ts'
import type { ChannelId, UserId } from '../../../server/domain/ids.ts'
import { Browser } from '../../harness/browser/browser.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startBigBlueButton } from '../../harness/providers/start-bigbluebutton.ts'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const bbb = await startBigBlueButton(t)
const LIVEKIT = {
  LIVEKIT_URL: 'wss://livekit.example.com/',
  LIVEKIT_API_KEY: 'APItest',
  LIVEKIT_API_SECRET: 'a secret of thirty-two characters',
  LIVEKIT_MEET_URL: 'https://meet.example.com/',
}
const server = await startTestServer(t, { env: { ...bbb.env, ...LIVEKIT, LOG_LEVEL: 'silent' } })
/** One where nothing is configured. */
const without = await startTestServer(t)
const { url, services } = server.node
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
const NAME = 'general > Ümläut & more'

/** A browser in which a person is logged in. */
async function openAs(client: Client): Promise<Browser> {
  const password = 'a good password'
  await storePasswordHash(services.sql, client.userId as UserId, await services.passwords.hash(password))
  const browser = new Browser(url)
  await browser.logIn(client.email, password)
  return browser
}
const [asMember, asGuest] = [await openAs(member), await openAs(guest)]

const create = async (fields: Fields = {}, client = member): Promise<string> =>
  (await client.must('GET', '/calls/bigbluebutton/create', { meeting_name: NAME, ...fields })).url as string
const open = (browser: Browser, path: string) => browser.send('GET', path)
const locationOf = (answer: { readonly headers: Headers }) => answer.headers.get('location') ?? ''

await t.test('[MEETING1] a checksum covers what the documentation of BigBlueButton says', (t) => {
  const secret = '639259d4-9dd8-4b25-bf01-95f9567eaf4b'
  const fields = { name: 'Test Meeting', meetingID: 'abc123', attendeePW: '111222', moderatorPW: '333444' }
  const address = addressOf({ url: 'https://bbb.example.com/bigbluebutton', secret }, 'create', fields)
  const [, query = '', checksum] = /\/api\/create\?(.*)&checksum=(\w+)$/.exec(address) ?? []
  // Its example has the shorter hash; the server takes both.
  t.equal(hash('sha1', `create${query}${secret}`), '1fcbb0c4fc1f039f73aa6d697d2db9ba7f803f17')
  t.equal(checksum, hash('sha256', `create${query}${secret}`))
  t.end()
})

await t.test(
  '[MEETING2] each person joins under their name, the one who made the meeting as its moderator',
  async (t) => {
    const path = await create()
    t.match(path, /^\/calls\/bigbluebutton\/join\?bigbluebutton=[\w.-]+$/)
    t.equal(bbb.meetings.size, 0, 'a meeting that nobody joins is not made')
    const first = await open(asMember, path)
    t.equal(first.status, 303)
    t.equal(first.headers.get('cache-control'), 'no-store')
    const [meeting, ...others] = [...bbb.meetings.values()]
    t.same(others, [])
    t.match(meeting?.fields, { name: NAME, lockSettingsDisableCam: 'false', meetingID: /^parley-[\w-]{20}$/ })
    const { meetingID } = meeting?.fields ?? {}
    const { createTime } = meeting ?? {}
    const name = async (client: Client) => (await client.must('GET', '/users/me')).full_name
    t.same(bbb.join(locationOf(first)), {
      meetingID,
      createTime,
      role: 'MODERATOR',
      fullName: await name(member),
      userID: String(member.userId),
    })
    t.same(bbb.join(locationOf(await open(asGuest, path))), {
      meetingID,
      createTime,
      role: 'VIEWER',
      fullName: await name(guest),
      userID: String(guest.userId),
    })
    t.equal(meeting?.count, 2, 'and it is the same meeting')
    await open(asMember, await create({ voice_only: true }))
    t.equal([...bbb.meetings.values()].at(-1)?.fields.lockSettingsDisableCam, 'true')
    t.equal(bbb.meetings.size, 2)
  },
)

await t.test('[MEETING3] the name and the choice of voice have limits', async (t) => {
  const ask = (fields: Fields) => member.get('/calls/bigbluebutton/create', fields)
  expectRefusal(t, await ask({}), "Missing 'meeting_name' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'meeting_name',
  })
  expectRefusal(t, await ask({ meeting_name: '  ' }), 'meeting_name cannot be blank')
  expectRefusal(
    t,
    await ask({ meeting_name: 'n'.repeat(251) }),
    'meeting_name is too long (limit: 250 characters)',
  )
  expectRefusal(t, await ask({ meeting_name: 'n', voice_only: 'maybe' }), 'voice_only is not valid JSON')
  await open(asMember, await create({ meeting_name: 'n'.repeat(250) }))
  t.equal([...bbb.meetings.values()].at(-1)?.fields.name, 'n'.repeat(250))
})

await t.test(
  '[MEETING4] a link leads nowhere without a log-in, if it was changed, or after the secret is replaced',
  async (t) => {
    const path = await create()
    const count = bbb.meetings.size
    const out = await open(new Browser(url), path)
    t.equal(out.status, 303)
    const next = new URL(locationOf(out), url)
    t.equal(next.pathname, '/accounts/login')
    t.equal(next.searchParams.get('next'), path)
    const sealed = new URL(path, url).searchParams.get('bigbluebutton') ?? ''
    const other = new URL(await create(), url).searchParams.get('bigbluebutton') ?? ''
    const [text = ''] = sealed.split('.')
    const [, signature = ''] = other.split('.')
    for (const wrong of [
      '',
      '.',
      'x',
      text,
      `${text}.`,
      `${text}.${signature}`,
      `x${sealed}`,
      `${sealed}x`,
    ]) {
      const answer = await open(asMember, `/calls/bigbluebutton/join?bigbluebutton=${wrong}`)
      t.equal(answer.status, 400, wrong)
      t.match(answer.text, 'This link has no call.')
    }
    t.equal((await open(asMember, '/calls/bigbluebutton/join')).status, 400)
    await rotateAddressSecret(services.sql)
    t.equal((await open(asMember, path)).status, 400)
    t.equal(bbb.meetings.size, count)
  },
)

await t.test('[MEETING5] a server that fails gets people a page that says so', async (t) => {
  const path = await create()
  for (const answer of [
    { status: 500 },
    { status: 200, body: 'no XML' },
    {
      status: 200,
      body: '<response><returncode>FAILED</returncode><messageKey>idNotUnique</messageKey></response>',
    },
    { status: 200, body: '<returncode>SUCCESS</returncode>' },
    { status: 200, body: `<returncode>SUCCESS</returncode><createTime>1</createTime>${'x'.repeat(70_000)}` },
    { status: 302, location: `${bbb.url}/elsewhere` },
  ]) {
    bbb.odd.push(answer)
    const { status, text } = await open(asMember, path)
    t.equal(status, 502, JSON.stringify(answer).slice(0, 100))
    t.match(text, 'The provider does not respond. Try again later.')
    t.notMatch(text, 'checksum')
  }
  t.equal((await open(asMember, path)).status, 303)
})

await t.test('[MEETING6] the organization can choose it only where it is configured', async (t) => {
  const provider = { name: 'BigBlueButton', id: 4 }
  const { state } = await owner.register({ event_types: ['realm'] })
  t.match(state.realm_available_video_chat_providers, { big_blue_button: provider })
  t.notMatch(JSON.stringify(state), bbb.env.BIGBLUEBUTTON_SECRET)
  t.notMatch(JSON.stringify(state), bbb.url)
  await owner.must('PATCH', '/realm', { video_chat_provider: 4 })
  const found = await without.as('owner').register({ event_types: ['realm'] })
  t.notOk('big_blue_button' in found.state.realm_available_video_chat_providers)
  expectRefusal(
    t,
    await without.as('owner').patch('/realm', { video_chat_provider: 4 }),
    'Invalid video_chat_provider',
  )
  expectRefusal(
    t,
    await without.as('member').get('/calls/bigbluebutton/create', { meeting_name: 'x' }),
    'BigBlueButton is not configured.',
  )
})

await t.test('[MEETING7] its address needs its secret, and TLS', (t) => {
  t.match(readConfig(bbb.env).bigBlueButton, { url: bbb.url })
  t.equal(readConfig({}).bigBlueButton, undefined)
  t.throws(
    () => readConfig({ ...bbb.env, BIGBLUEBUTTON_SECRET: '' }),
    new ConfigError('BIGBLUEBUTTON_SECRET must be set where BIGBLUEBUTTON_URL is'),
  )
  t.throws(
    () => readConfig({ ...bbb.env, BIGBLUEBUTTON_URL: 'http://bbb.example.com' }),
    new ConfigError('BIGBLUEBUTTON_URL must be an address that starts with https://'),
  )
  t.end()
})

const verifier = new TokenVerifier(LIVEKIT.LIVEKIT_API_KEY, LIVEKIT.LIVEKIT_API_SECRET)
const call = async (fields: Fields, client = member): Promise<string> =>
  (await client.must('POST', '/calls/livekit/create', fields)).url as string
/** The token with which a link leads somebody into the room. */
const enter = async (browser: Browser, path: string): Promise<string> => {
  const answer = await open(browser, path)
  if (answer.status !== 303) throw new Error(`no room: ${answer.status}`)
  const { origin, pathname, searchParams } = new URL(locationOf(answer))
  t.same([origin, pathname], ['https://meet.example.com', '/custom'])
  t.same([...searchParams.keys()], ['liveKitUrl', 'token'])
  t.equal(searchParams.get('liveKitUrl'), 'wss://livekit.example.com')
  return searchParams.get('token') ?? ''
}

await t.test(
  '[LIVEKIT1] the library of LiveKit takes a token, which says what its user may do in the conversation',
  async (t) => {
    await owner.subscribe(['talks'], { principals: [owner.userId, member.userId, guest.userId] })
    const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'talks' })
    const path = await call({ type: 'channel', stream_id })
    t.match(path, /^\/calls\/livekit\/join\?call=[\w.-]+$/)
    const claims = await verifier.verify(await enter(asMember, path))
    const { full_name: name } = await member.must('GET', '/users/me')
    t.match(claims, {
      sub: String(member.userId),
      name,
      video: { room: /^parley-[\w-]{20}$/, roomJoin: true, canPublish: true, canSubscribe: true },
    })
    t.same(
      Object.keys(claims.video ?? {}).toSorted(),
      ['canPublish', 'canPublishData', 'canSubscribe', 'room', 'roomJoin'],
      'and nothing else',
    )
    const { room } = claims.video ?? {}
    t.match((await verifier.verify(await enter(asGuest, path))).video, { room, canPublish: true })
    t.not(
      (await verifier.verify(await enter(asMember, await call({ type: 'channel', stream_id })))).video?.room,
      room,
    )

    await owner.must('PATCH', `/streams/${stream_id}`, {
      can_send_message_group: {
        new: { direct_members: [owner.userId, member.userId], direct_subgroups: [] },
      },
    })
    t.match(
      (await verifier.verify(await enter(asGuest, path))).video,
      { room, roomJoin: true, canSubscribe: true, canPublish: false, canPublishData: false },
      'a user who may only read listens',
    )
    expectRefusal(
      t,
      await guest.post('/calls/livekit/create', { type: 'channel', stream_id }),
      'You do not have permission to post in this channel.',
    )
    await guest.must('DELETE', '/users/me/subscriptions', { subscriptions: ['talks'] })
    const left = await open(asGuest, path)
    t.equal(left.status, 400)
    t.match(left.text, 'This link has no call.', 'a user who may not read is answered as for a wrong link')
  },
)

await t.test('[LIVEKIT2] a token is for a short time, and for one server', async (t) => {
  const settings = { url: '', apiKey: 'APItest', apiSecret: LIVEKIT.LIVEKIT_API_SECRET, meetUrl: '' }
  const admission = { user: { id: member.userId as UserId, fullName: 'Ümläut' }, room: 'r', canPublish: true }
  const now = Date.now()
  const { exp, nbf, name } = await verifier.verify(signRoomToken(settings, admission, now))
  t.same([exp, nbf, name], [Math.floor(now / 1000) + 600, Math.floor(now / 1000) - 60, 'Ümläut'])
  await t.rejects(verifier.verify(signRoomToken(settings, admission, now - 3_600_000)), 'exp')
  await t.rejects(verifier.verify(signRoomToken(settings, admission, now + 3_600_000)), 'nbf')
  await t.rejects(verifier.verify(signRoomToken({ ...settings, apiSecret: 'x' }, admission, now)))
  await t.rejects(verifier.verify(signRoomToken({ ...settings, apiKey: 'other' }, admission, now)))
})

await t.test('[LIVEKIT3] a call of people is for them alone, as long as they may talk', async (t) => {
  const path = await call({ type: 'direct', to: [owner.userId] })
  const { video } = await verifier.verify(await enter(asMember, path))
  t.match(video, { canPublish: true })
  t.equal((await open(asGuest, path)).status, 400)
  const own = await call({ type: 'direct', to: [member.userId] })
  t.match((await verifier.verify(await enter(asMember, own))).video, { canPublish: true })
  await owner.must('PATCH', '/realm', {
    direct_message_permission_group: { new: { direct_members: [], direct_subgroups: [] } },
  })
  t.match((await verifier.verify(await enter(asMember, path))).video, {
    room: video?.room,
    canPublish: false,
  })
  t.equal((await member.post('/calls/livekit/create', { type: 'direct', to: [owner.userId] })).status, 400)
})

await t.test('[LIVEKIT6] a call needs a conversation that is open, and people who may talk', async (t) => {
  const ask = (fields: Fields) => member.post('/calls/livekit/create', fields)
  await owner.subscribe(['attic'], { principals: [member.userId] })
  const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'attic' })
  await owner.must('DELETE', `/streams/${stream_id}`)
  const { channel } = services.state.channels.get(stream_id as ChannelId) ?? {}
  expectRefusal(
    t,
    await ask({ type: 'channel', stream_id }),
    `Not authorized to send to channel '${channel?.name}'`,
  )

  await owner.must('PATCH', '/realm', {
    direct_message_permission_group: { new: { direct_members: [guest.userId], direct_subgroups: [] } },
  })
  expectRefusal(
    t,
    await ask({ type: 'direct', to: [owner.userId] }),
    'This conversation does not include any users who can authorize it.',
  )
  const gone = server.as('member2')
  await owner.must('DELETE', `/users/${gone.userId}`)
  expectRefusal(
    t,
    await ask({ type: 'direct', to: [gone.userId] }),
    `'${gone.email}' is no longer using this organization.`,
  )
  const crowd = await addCrowd(server, 100, 1_700_000_000)
  expectRefusal(t, await ask({ type: 'direct', to: crowd }), 'Too many recipients (maximum 100).')
  // The limit counts the caller.
  expectRefusal(
    t,
    await ask({ type: 'direct', to: crowd.slice(0, 99) }),
    'This conversation does not include any users who can authorize it.',
  )
})

await t.test('[LIVEKIT4] a conversation must exist, and links must be signed', async (t) => {
  await owner.subscribe(['closed'], { principals: [owner.userId], invite_only: true })
  const { stream_id: hidden } = await owner.must('GET', '/get_stream_id', { stream: 'closed' })
  const ask = (fields: Fields) => member.post('/calls/livekit/create', fields)
  const missing = (name: string) =>
    [`Missing '${name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', var_name: name }] as const
  expectRefusal(t, await ask({}), ...missing('type'))
  expectRefusal(t, await ask({ type: 'channel' }), ...missing('stream_id'))
  expectRefusal(t, await ask({ type: 'direct' }), ...missing('to'))
  expectRefusal(t, await ask({ type: 'stream' }), 'Invalid type')
  for (const stream_id of [hidden, 9_999])
    expectRefusal(
      t,
      await ask({ type: 'channel', stream_id }),
      `Channel with ID '${stream_id}' does not exist`,
      { code: 'STREAM_DOES_NOT_EXIST', stream_id },
    )
  expectRefusal(t, await ask({ type: 'direct', to: [] }), "Empty 'to' list")
  expectRefusal(t, await ask({ type: 'direct', to: [9_999] }), 'Invalid user ID 9999')
  const many = Array.from({ length: 1_001 }, (_, n) => n)
  expectRefusal(t, await ask({ type: 'direct', to: many }), 'to is too long (limit: 1000 items)')

  const path = await call({ type: 'direct', to: [member.userId] }, member)
  const sealed = new URL(path, url).searchParams.get('call') ?? ''
  const meeting = new URL(await create(), url).searchParams.get('bigbluebutton') ?? ''
  for (const wrong of ['', '.', `${sealed}x`, `x${sealed}`, meeting]) {
    const answer = await open(asMember, `/calls/livekit/join?call=${wrong}`)
    t.equal(answer.status, 400, wrong)
    t.match(answer.text, 'This link has no call.')
  }
  t.equal((await open(asMember, `/calls/bigbluebutton/join?bigbluebutton=${sealed}`)).status, 400)
  const out = new URL(locationOf(await open(new Browser(url), path)), url)
  t.same([out.pathname, out.searchParams.get('next')], ['/accounts/login', path])
  await rotateAddressSecret(services.sql)
  t.equal((await open(asMember, path)).status, 400)
})

await t.test(
  '[LIVEKIT5] the organization can choose LiveKit only if all of its settings are set',
  async (t) => {
    const { state } = await owner.register({ event_types: ['realm'] })
    t.match(state.realm_available_video_chat_providers, { livekit: { name: 'LiveKit', id: 1000 } })
    for (const secret of [LIVEKIT.LIVEKIT_API_SECRET, LIVEKIT.LIVEKIT_API_KEY])
      t.notMatch(JSON.stringify(state), secret)
    await owner.must('PATCH', '/realm', { video_chat_provider: 1000 })
    expectRefusal(
      t,
      await without.as('owner').patch('/realm', { video_chat_provider: 1000 }),
      'Invalid video_chat_provider',
    )
    expectRefusal(
      t,
      await without.as('member').post('/calls/livekit/create', { type: 'direct', to: [1] }),
      'LiveKit is not configured.',
    )
    t.same(readConfig(LIVEKIT).liveKit, {
      url: 'wss://livekit.example.com',
      apiKey: 'APItest',
      apiSecret: LIVEKIT.LIVEKIT_API_SECRET,
      meetUrl: 'https://meet.example.com',
    })
    for (const name of Object.keys(LIVEKIT))
      t.throws(
        () => readConfig({ ...LIVEKIT, [name]: '' }),
        new ConfigError(
          'LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET and LIVEKIT_MEET_URL must be set together',
        ),
        name,
      )
    t.throws(
      () => readConfig({ ...LIVEKIT, LIVEKIT_URL: 'ws://livekit.example.com' }),
      new ConfigError('LIVEKIT_URL must be an address that starts with wss://'),
    )
    t.throws(() => readConfig({ ...LIVEKIT, LIVEKIT_MEET_URL: 'http://meet.example.com' }), ConfigError)
  },
)

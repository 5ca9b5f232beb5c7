/** Messages with uploads: how they render, who can read the files, and the events for owners. */

import sharp from 'sharp'
import t from 'tap'
import { gatherSnapshot } from '../../../server/changes/messages/mention-snapshot.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import type { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { removeUnusedUploads } from '../../../workers/jobs/upkeep/remove-unused-uploads.ts'
import { openTestSender, sendDue } from '../../harness/worlds/open-test-sender.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { drawAnimation, drawImage } from '../../harness/client/upload.ts'
import { fetchFile, thumbnailOf, uploadFile } from '../../harness/client/user-files.ts'

const NOW = 1_790_000_000
const server = await startTestServer(t, { clock: new ManualClock(NOW * 1_000) })
const [owner, member, member2, guest] = (['owner', 'member', 'member2', 'guest'] as const).map((person) =>
  server.as(person),
) as [Client, Client, Client, Client]
const ids = { owner: owner.userId, member: member.userId, member2: member2.userId, guest: guest.userId }
await owner.subscribe(['square'], { principals: [ids.owner, ids.member, ids.member2, ids.guest] })

const red = await drawImage('red', { width: 300, height: 200 })
const pdf = Buffer.from('%PDF-1.4 of no pages')

const contentOf = async (client: Client, id: number) =>
  (await client.must('GET', `/messages/${id}`)).message.content as string
const statusFor = async (client: Client, url: string) => (await fetchFile(client, url)).status
const ATTACHMENTS = { event_types: ['attachment'] }

t.test('[LINKUP1] a linked image has its thumbnail and size at once', async (t) => {
  const { url } = await uploadFile(member, 'cat.png', red)
  const id = await member.send('square', 'pictures', `[a cat](${url})`)
  t.equal(
    await contentOf(member2, id),
    `<p><a href="${url}">a cat</a></p>\n<div class="message_inline_image"><a href="${url}" title="a cat">` +
      '<img data-original-content-type="image/png" data-original-dimensions="300x200" ' +
      `src="${thumbnailOf(url)}"></a></div>`,
  )
  const rendered = await member.must('POST', '/messages/render', { content: `[a cat](${url})` })
  t.equal(rendered.rendered, await contentOf(member2, id), 'the preview equals the message')
  const thumbnail = await fetchFile(member2, thumbnailOf(url))
  t.equal(thumbnail.headers['content-type'], 'image/webp')
  t.match(await sharp(thumbnail.bytes).metadata(), { width: 300, height: 200 })
})

t.test('[LINKUP2] images, animations, sounds and videos each have their form', async (t) => {
  const send = async (content: string) => contentOf(member, await member.send('square', 'forms', content))
  const { url: moving } = await uploadFile(member, 'moving.gif', await drawAnimation(['red', 'blue']))
  const shown = await send(`[](${moving})`)
  t.match(shown, 'data-animated="true" data-original-content-type="image/gif"')
  t.match(shown, `src="${thumbnailOf(moving, '840x560-anim.webp')}"`)
  const { url: still } = await uploadFile(member, 'still.png', red)
  t.match(
    await send(`before ![alt "text"](${still}) after`),
    `<p>before <img alt="alt &quot;text&quot;" class="inline-image" data-original-content-type="image/png" data-original-dimensions="300x200" data-original-src="${still}" src="${thumbnailOf(still)}"> after</p>`,
  )
  const flac = await uploadFile(member, 'song.flac', Buffer.from('fLaC and so on'))
  t.match(
    await send(`![song](${flac.url})`),
    `<audio controls preload="metadata" src="${flac.url}" title="song"></audio>`,
  )
  const film = await uploadFile(
    member,
    'film.mp4',
    Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), Buffer.alloc(64)]),
  )
  t.match(
    await send(`[film](${film.url})`),
    `<div class="message_inline_image message_inline_video"><a href="${film.url}" title="film"><video preload="metadata" src="${film.url}"></video></a></div>`,
  )
  const broken = await uploadFile(member, 'broken.png', red.subarray(0, 60))
  t.equal(
    await send(`[broken](${broken.url})`),
    `<p><a href="${broken.url}">broken</a></p>`,
    'an undecodable image is a link',
  )
  const plan = await uploadFile(member, 'plan.pdf', pdf)
  t.equal(await send(`[plan](${plan.url})`), `<p><a href="${plan.url}">plan</a></p>`)
  t.match(await send(`\`[plan](${plan.url})\``), /^<p><code>/, 'code stays code')
})

t.test('[LINKUP3] narrows find messages with images and with attachments', async (t) => {
  const image = await uploadFile(member, 'one.png', red)
  const plan = await uploadFile(member, 'two.pdf', pdf)
  const sent = [
    await member.send('square', 'narrows', `[one](${image.url})`),
    await member.send('square', 'narrows', `[two](${plan.url})`),
    await member.send('square', 'narrows', 'three'),
  ]
  const find = async (operand: string) => {
    const narrow = [
      { operator: 'topic', operand: 'narrows' },
      { operator: 'has', operand },
    ]
    const { messages } = await member2.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow,
    })
    return messages.map(({ id }: { id: number }) => sent.indexOf(id))
  }
  t.same(await find('image'), [0])
  t.same(await find('attachment'), [0, 1])
})

t.test('[LINKUP4] if the organization turns image previews off, messages only link images', async (t) => {
  await owner.must('PATCH', '/realm', { inline_image_preview: false })
  const { url } = await uploadFile(member, 'cat.png', red)
  const id = await member.send('square', 'pictures', `[a cat](${url})`)
  t.equal(await contentOf(member2, id), `<p><a href="${url}">a cat</a></p>`)
  t.equal(await statusFor(member2, url), 200, 'readers of the message can read the files')
  await owner.must('PATCH', '/realm', { inline_image_preview: true })
})

t.test(
  '[LINKUP5] a file is visible to its owner until a message links it, then to the readers of the message',
  async (t) => {
    const { url } = await uploadFile(member, 'mine.png', red)
    const look = async () =>
      Promise.all(
        [member, owner, guest].flatMap((client) => [
          statusFor(client, url),
          statusFor(client, thumbnailOf(url, '300x200.webp')),
        ]),
      )
    t.same(await look(), [200, 200, 404, 404, 404, 404])
    await member.sendDirect([ids.owner], `[mine](${url})`)
    t.same(await look(), [200, 200, 200, 200, 404, 404])
  },
)

t.test(
  '[LINKUP6] a file in a private channel is visible to subscribers, not to outsiders or former subscribers',
  async (t) => {
    await member.subscribe(['cellar'], {
      invite_only: true,
      history_public_to_subscribers: true,
      principals: [ids.member, ids.member2, ids.guest],
    })
    const { url } = await uploadFile(member, 'secret.png', red)
    await member.send('cellar', 'topic', `[secret](${url})`)
    const look = () =>
      Promise.all(
        [owner, member2, guest].flatMap((one) => [statusFor(one, url), statusFor(one, thumbnailOf(url))]),
      )
    t.same(await look(), [404, 404, 200, 200, 200, 200], 'owners of the organization are outsiders, too')
    await member2.must('DELETE', '/users/me/subscriptions', { subscriptions: ['cellar'] })
    t.same(await look(), [404, 404, 404, 404, 200, 200], 'former subscribers cannot read it')
  },
)

t.test('[LINKUP7] with protected history, a newcomer cannot read earlier files', async (t) => {
  await member.subscribe(['closed'], { invite_only: true, history_public_to_subscribers: false })
  const before = await uploadFile(member, 'before.png', red)
  await member.send('closed', 'topic', `[before](${before.url})`)
  await member.subscribe(['closed'], { principals: [ids.member2] })
  const after = await uploadFile(member, 'after.png', red)
  await member.send('closed', 'topic', `[after](${after.url})`)
  t.same([await statusFor(member2, before.url), await statusFor(member2, after.url)], [404, 200])
})

t.test(
  '[LINKUP8] files in a public channel are visible without a subscription, but not to guests',
  async (t) => {
    await member.subscribe(['plaza'])
    const { url } = await uploadFile(member, 'open.png', red)
    await member.send('plaza', 'topic', `[open](${url})`)
    t.same([await statusFor(member2, url), await statusFor(guest, url)], [200, 404])
  },
)

t.test('[LINKUP9] a link to a file that its author cannot read shows it to nobody', async (t) => {
  const { url } = await uploadFile(owner, 'private.png', red)
  for (const content of [`[x](${url})`, `![x](${url})`, `${member.url}${url}`]) {
    const id = await member.send('square', 'theft', content)
    const shown = await contentOf(member, id)
    t.notMatch(shown, /<img|data-original/, 'the link shows nothing of it')
    t.match(shown, `<a href="${url}"`)
    t.same([await statusFor(member, url), await statusFor(member2, url)], [404, 404])
  }
  const { rendered } = await member.must('POST', '/messages/render', { content: `[x](${url})` })
  t.equal(rendered, `<p><a href="${url}">x</a></p>`)
  await owner.send('square', 'theft', `[x](${url})`)
  t.equal(await statusFor(member2, url), 200)
  const id = await member.sendDirect([ids.member2], `[x](${url})`)
  t.match(await contentOf(member2, id), '<img', 'readers may share it')
})

t.test('[LINKUP10] an edit links and unlinks files, and the caller gets the unlinked ones', async (t) => {
  const [one, two] = [await uploadFile(member, 'one.png', red), await uploadFile(member, 'two.png', red)]
  const id = await member.send('square', 'edits', `[one](${one.url})`)
  const detached = async (content: string) =>
    (await member.must('PATCH', `/messages/${id}`, { content })).detached_uploads
  t.same(await detached(`[one](${one.url}) [two](${two.url})`), [])
  t.same([await statusFor(guest, one.url), await statusFor(guest, two.url)], [200, 200])
  t.match(await contentOf(guest, id), thumbnailOf(two.url))
  const [gone, ...others] = await detached(`[two](${two.url})`)
  t.match(gone, { name: 'one.png', path_id: one.url.slice('/user_uploads/'.length), messages: [] })
  t.same(others, [])
  t.same([await statusFor(guest, one.url), await statusFor(guest, two.url)], [404, 200])
  t.equal(await statusFor(member, one.url), 200, 'only its owner can read it')
  await member.send('square', 'edits', `[two](${two.url})`)
  t.same(await detached('nothing'), [], 'another message still links it')
  const history = await member.must('GET', `/messages/${id}/history`)
  t.match(JSON.stringify(history), one.url, 'the edit history shows the old content')
  t.same(await detached(`[one](${one.url})`), [])
  t.equal(await statusFor(guest, one.url), 200, 'it can be linked again')
})

t.test('[LINKUP11] a file is deleted with the last message that links it', async (t) => {
  const { url } = await uploadFile(member, 'shared.png', red)
  const first = await member.send('square', 'last', `[a](${url})`)
  const second = await member2.sendDirect([ids.member], `[b](${url})`)
  await owner.must('DELETE', `/messages/${first}`)
  t.same(
    [await statusFor(guest, url), await statusFor(member2, url)],
    [404, 200],
    'only readers of the other message can still read it',
  )
  const queue = await member.register(ATTACHMENTS)
  await member2.must('DELETE', `/messages/${second}`)
  t.same([await statusFor(member, url), await statusFor(member2, url)], [404, 404])
  t.match(await member.events(queue), [{ type: 'attachment', op: 'remove', upload_space_used: Number }])
  const { attachments } = await member.must('GET', '/attachments')
  t.notOk(attachments.some(({ name }: { name: string }) => name === 'shared.png'))
  const keys = await server.node.services.sql`select key from removed_files`
  t.ok(
    keys.some(({ key }) => url.includes(key)),
    'its bytes are left to be removed',
  )
})

t.test('[LINKUP12] deleting a topic deletes files that only it links', async (t) => {
  const [lost, kept] = [await uploadFile(member, 'lost.png', red), await uploadFile(member, 'kept.png', red)]
  await member.send('square', 'gone', `[lost](${lost.url})`)
  await member.send('square', 'gone', `again [lost](${lost.url}), and [kept](${kept.url})`)
  await member.send('square', 'stays', `[kept](${kept.url})`)
  const streamId = (await owner.must('GET', '/get_stream_id', { stream: 'square' })).stream_id
  const queue = await member.register(ATTACHMENTS)
  await owner.must('POST', `/streams/${streamId}/delete_topic`, { topic_name: 'gone' })
  t.same([await statusFor(member, lost.url), await statusFor(guest, kept.url)], [404, 200])
  const events = await member.events(queue)
  t.match(events, [
    { type: 'attachment', op: 'remove' },
    { type: 'attachment', op: 'update', attachment: { name: 'kept.png' } },
  ])
  t.equal(events[1].attachment.messages.length, 1)
})

t.test('[LINKUP13] only the owner sees which messages link a file, if they can read them', async (t) => {
  const { url } = await uploadFile(member, 'listed.png', red)
  const queues = new Map<Person, Awaited<ReturnType<Client['register']>>>()
  for (const person of ['owner', 'member', 'member2'] as const)
    queues.set(person, await server.as(person).register(ATTACHMENTS))
  const eventsOf = async (person: Person) =>
    (await server.as(person).events(queues.get(person) as never)).map(
      ({ op, attachment }: { op: string; attachment: { messages: { id: number }[] } }) => [
        op,
        attachment.messages.map(({ id }) => id),
      ],
    )
  const first = await member.send('square', 'listed', `[listed](${url})`)
  t.same(await eventsOf('member'), [['update', [first]]])
  const second = await member2.sendDirect([ids.owner], `[listed](${url})`)
  t.same(await eventsOf('member'), [], 'others share it where the owner cannot read')
  const third = await member2.send('square', 'listed', `[listed](${url})`)
  t.same(await eventsOf('member'), [['update', [first, third]]])
  await member.must('PATCH', `/messages/${first}`, { content: 'no more' })
  t.same(await eventsOf('member'), [['update', [third]]])
  await owner.must('DELETE', `/messages/${second}`)
  t.same(await eventsOf('member'), [])
  await owner.must('DELETE', `/messages/${third}`)
  t.same(
    (await member.events(queues.get('member') as never)).map(({ op }) => op),
    ['remove'],
  )
  t.same([await eventsOf('owner'), await eventsOf('member2')], [[], []])
  const { attachments } = await member.must('GET', '/attachments')
  t.notOk(attachments.some(({ name }: { name: string }) => name === 'listed.png'))
})

t.test('[LINKUP14] a retry of a send links nothing twice and stays one message', async (t) => {
  const { url } = await uploadFile(member, 'retry.png', red)
  const { queueId } = await member.register()
  const mark = { queue_id: queueId, local_id: '7.1' }
  const ids = [
    await member.send('square', 'retry', `[x](${url})`, mark),
    await member.send('square', 'retry', `[x](${url})`, mark),
  ]
  t.equal(ids[0], ids[1])
  const links = await server.node.services.sql`
    select from message_uploads where message_id = ${ids[0] as number}`
  t.equal(links.count, 1)
})

t.test('[LINKUP15] markup in names and labels stays text', async (t) => {
  for (const name of [
    '"><img src=x onerror=alert(1)>.png',
    'it\'s <b>"bold"</b>.png',
    '](javascript:alert(1)).png',
  ]) {
    const { url, filename } = await uploadFile(member, name, red)
    t.notMatch(url, /["'<>()\s]/)
    const label = filename.replaceAll(/[[\]]/g, '')
    for (const content of [`[${label}](${url})`, `![${label}](${url})`]) {
      const html = await contentOf(guest, await member.send('square', 'names', content))
      t.notMatch(html, /<b>|<img src=x|onerror=alert\(1\)>(?!&quot;)[^&]*<img src=x|href="javascript/)
      t.match(html, thumbnailOf(encodeURI(decodeURI(url))))
      const tags = html.replaceAll(/<(?:\/?p|\/?a|\/?div|img)(?: [a-z-]+="[^"<>]*")*>/g, '')
      t.notMatch(tags, /[<>]/, 'it has only the fields of messages')
    }
    t.equal((await fetchFile(guest, url)).status, 200)
  }
})

t.test('[LINKUP16] thumbnails have the registered formats and are made on request', async (t) => {
  const { state } = await member.register({ fetch_event_types: ['realm'] })
  const formats = state.server_thumbnail_formats as { name: string; animated: boolean; max_width: number }[]
  t.same(
    formats.map(({ name }) => name),
    ['840x560-anim.webp', '840x560.webp', '300x200.webp'],
  )
  t.equal(state.server_inline_image_preview, true)
  const still = await uploadFile(member, 'still.png', await drawImage('blue', { width: 1_200, height: 800 }))
  const moving = await uploadFile(member, 'moving.gif', await drawAnimation(['red', 'blue']))
  for (const { name, animated, max_width } of formats) {
    const [first, second] = await Promise.all(
      [1, 2].map(() => fetchFile(member, thumbnailOf(moving.url, name))),
    )
    t.equal(first?.status, 200)
    t.ok(first?.bytes.equals(second?.bytes as Buffer), 'the same for concurrent requests')
    t.equal(((await sharp(first?.bytes).metadata()).pages ?? 1) > 1, animated)
    const { status, bytes } = await fetchFile(member, thumbnailOf(still.url, name))
    t.equal(status, animated ? 404 : 200)
    if (status === 200) t.equal((await sharp(bytes).metadata()).width, max_width)
  }
  const plan = await uploadFile(member, 'plan.pdf', pdf)
  for (const path of [
    thumbnailOf(still.url, '1x1.webp'),
    thumbnailOf(still.url, '840x560.png'),
    thumbnailOf(still.url, '..%2F840x560.webp'),
    thumbnailOf(still.url, ''),
    thumbnailOf(plan.url),
    '/user_uploads/thumbnail/840x560.webp',
    '/user_uploads/thumbnail/',
  ])
    t.equal(await statusFor(member, path), 404, path)
})

t.test('[LINKUP17] a half-written thumbnail is made again', async (t) => {
  const { url } = await uploadFile(member, 'half.png', red)
  const { fileStore } = server.node.services
  const key = `${url.split('/').slice(3, 5).join('/')}.840x560.webp`
  const whole = await fetchFile(member, thumbnailOf(url))
  const half = async function* () {
    yield whole.bytes.subarray(0, 20)
  }
  t.equal(await fileStore.write(key, half(), 20), 20)
  t.ok((await fetchFile(member, thumbnailOf(url))).bytes.equals(whole.bytes))
  t.equal(await fileStore.size(key), whole.bytes.length)
})

t.test('[LINKUP18] after a move, readers of the new place can read the files', async (t) => {
  await owner.subscribe(['from'], { principals: [ids.owner, ids.member] })
  await owner.subscribe(['to'], { invite_only: true, principals: [ids.owner, ids.guest] })
  const { url } = await uploadFile(owner, 'moving.pdf', pdf)
  const id = await owner.send('from', 'topic', `[x](${url})`)
  t.same([await statusFor(member, url), await statusFor(guest, url)], [200, 404])
  const to = (await owner.must('GET', '/get_stream_id', { stream: 'to' })).stream_id
  await owner.must('PATCH', `/messages/${id}`, { stream_id: to, propagate_mode: 'change_all' })
  t.same([await statusFor(member, url), await statusFor(guest, url)], [404, 200])
})

t.test('[LINKUP19] a message links at most a hundred files', async (t) => {
  const { url } = await uploadFile(member, 'last.pdf', pdf)
  const others = Array.from({ length: 100 }, (_, index) => `/user_uploads/1/${index}`).join(' ')
  await member.send('square', 'many', `${others} [x](${url})`)
  t.equal(await statusFor(guest, url), 404)
  await member.send('square', 'many', `[x](${url}) ${others}`)
  t.equal(await statusFor(guest, url), 200)
})

t.test('[LINKUP20] a scheduled message links its files when it is sent', async (t) => {
  const { url } = await uploadFile(member, 'later.png', red)
  const other = await uploadFile(owner, 'private.png', red)
  const sender = await openTestSender(t, server)
  const square = (await owner.must('GET', '/get_stream_id', { stream: 'square' })).stream_id
  await member.must('POST', '/scheduled_messages', {
    type: 'channel',
    to: square,
    topic: 'later',
    content: `[later](${url}) [private](${other.url})`,
    scheduled_delivery_timestamp: NOW + 100,
  })
  t.equal(await statusFor(guest, url), 404, 'a waiting message gives nobody access')
  const queue = await member.register(ATTACHMENTS)
  t.same(await sendDue(server, sender, NOW + 100), { sent: 1, failed: 0 })
  t.same([await statusFor(guest, url), await statusFor(guest, other.url)], [200, 404])
  const { messages } = await guest.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: 'later' }],
  })
  t.match(messages[0].content, thumbnailOf(url))
  t.match(await member.events(queue), [
    { op: 'update', attachment: { name: 'later.png', messages: [{ id: messages[0].id }] } },
  ])
})

t.test(
  '[LINKUP21] in a race between a send and the deletion of a file, no message shows an absent file',
  async (t) => {
    for (let round = 0; round < 6; round++) {
      const { url } = await uploadFile(member, 'race.png', red)
      const first = await member.send('square', 'race', `[x](${url})`)
      const [sent, deleted] = await Promise.all([
        member2.post('/messages', { type: 'channel', to: 'square', topic: 'race', content: `[x](${url})` }),
        owner.delete(`/messages/${first}`),
      ])
      t.same([sent.status, deleted.status], [200, 200])
      const isShown = (await contentOf(guest, sent.body.id)).includes('<img')
      t.equal(await statusFor(guest, url), isShown ? 200 : 404)
    }
  },
)

t.test('[LINKUP22] memory and tables agree on files, whatever happens to them', async (t) => {
  const events = await expectConsistent(server, async () => {
    const { url } = await uploadFile(member, 'whole.png', red)
    const id = await member.send('square', 'whole', `[x](${url})`)
    await member.must('PATCH', `/messages/${id}`, { content: `still [x](${url})` })
    await owner.must('DELETE', `/messages/${id}`)
  })
  const ops = (person: string) =>
    events[person]?.filter(({ type }) => type === 'attachment').map(({ op }) => op)
  t.same(ops('member'), ['add', 'update', 'remove'])
  t.same([ops('owner'), ops('member2'), ops('guest')], [[], [], []])
})

t.test('[LINKUP23] an address in a sentence is recognized before a full stop', async (t) => {
  const { url } = await uploadFile(member, 'sentence.png', red)
  const id = await member.send('square', 'sentence', `Look at ${member.url}${url}. Nice!`)
  t.match(await contentOf(guest, id), thumbnailOf(url))
  t.equal(await statusFor(guest, url), 200)
})

t.test('[LINKUP24] a text without uploads renders without a query', (t) => {
  const { services } = server.node
  const user = services.state.getUser(ids.member as UserId)
  t.notOk(gatherSnapshot('hello user_uploads', user, services) instanceof Promise)
  t.ok(gatherSnapshot('hello /user_uploads/1/x', user, services) instanceof Promise)
  t.end()
})

t.test('[LINKUP26] when messages link a file concurrently, the last event has the final state', async (t) => {
  const { url } = await uploadFile(member, 'busy.png', red)
  const queue = await member.register(ATTACHMENTS)
  const sent = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      (index % 2 ? member : member2).send('square', 'busy', `${index} [x](${url})`),
    ),
  )
  const own = await member.sendDirect([ids.member2], `[x](${url})`)
  const linking = [...sent, own]
  const { attachments } = await member.must('GET', '/attachments')
  const now = attachments.find(({ name }: { name: string }) => name === 'busy.png')
  const last = (await member.events(queue)).at(-1)
  t.same(last.attachment, now)
  t.ok(now.message_ids.includes(own))
  t.ok(now.message_ids.every((id: number) => linking.includes(id)))
})

t.test('[LINKUP27] deleting a topic with many files deletes all of them', async (t) => {
  const { sql } = server.node.services
  const topic = 'archive'
  const sent: number[] = []
  for (let index = 0; index < 6; index++) sent.push(await member.send('square', topic, `${index}`))
  await sql`
    with made as (
      insert into uploads (owner_id, path, name, state)
      select ${ids.member}, '1/aa/' || repeat('x', 20) || g || '/many', 'many', 'whole' from generate_series(1, 600) g returning id
    )
    insert into message_uploads (message_id, upload_id)
    select (${sent}::bigint[])[1 + id % 6], id from made`
  const streamId = (await owner.must('GET', '/get_stream_id', { stream: 'square' })).stream_id
  const queue = await member.register(ATTACHMENTS)
  const deletions = await member.register({
    event_types: ['delete_message'],
    client_capabilities: { bulk_message_deletion: true },
  })
  t.match(await owner.must('POST', `/streams/${streamId}/delete_topic`, { topic_name: topic }), {
    complete: true,
  })
  const [row] = await sql<{ count: number }[]>`select count(*) from uploads where name = 'many'`
  t.equal(row?.count, 0)
  t.equal((await member.events(queue)).length, 600)
  const changes = (await member.events(deletions)).map(({ message_ids }) => message_ids as number[])
  t.same(
    changes.flat().toSorted((a, b) => a - b),
    sent,
  )
  t.ok(
    changes.every(({ length }) => length <= 5),
    'a change deletes at most 500 files, of which each message has 100',
  )
})

t.test(
  '[LINKUP25] unused files are deleted after some weeks, except for those in scheduled messages',
  async (t) => {
    const [used, unused] = [
      await uploadFile(member, 'planned.png', red),
      await uploadFile(member, 'unused.png', red),
    ]
    const linked = await uploadFile(member, 'linked.png', red)
    await member.send('square', 'linked', `[x](${linked.url})`)
    const square = (await owner.must('GET', '/get_stream_id', { stream: 'square' })).stream_id
    await member.must('POST', '/scheduled_messages', {
      type: 'channel',
      to: square,
      topic: 'planned',
      content: `[planned](${used.url})`,
      scheduled_delivery_timestamp: NOW + 90 * 24 * 3600,
    })
    const { sql, fileStore, state } = server.node.services
    await removeUnusedUploads(sql, fileStore, new Date((NOW + 30 * 24 * 3600) * 1_000))
    await pollUntil('the server has received it', async () => (await statusFor(member, unused.url)) === 404)
    t.same([await statusFor(member, used.url), await statusFor(guest, linked.url)], [200, 200])
    t.equal(
      await fileStore.size(unused.url.split('/').slice(3, 5).join('/')),
      undefined,
      'its bytes are deleted, too',
    )
    t.ok(state.uploadSpaceUsed > 0)
  },
)

/** Avatars that users upload. */

import sharp from 'sharp'
import t from 'tap'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { drawAnimation, drawBomb, drawImage, mustUpload, upload } from '../../harness/client/upload.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const PATH = '/users/me/avatar'
const OWN = /^\/user_avatars\/1\/[0-9a-f]{32}\.png\?version=\d+$/
const DRAWN = /^\/user_avatars\/1\/drawn\/[pb][0-7]-[0-9a-f.]+-[0-9a-f]{16}(-medium)?\.png\?version=\d+$/
const MIB = 1024 * 1024

const server = await startTestServer(t)
const { url } = server.node
const member = server.as('member')
const red = await drawImage('red')

async function allows(isAllowed: boolean): Promise<void> {
  await server.as('owner').must('PATCH', '/realm', { avatar_changes_disabled: !isAllowed })
}

/** The color in the middle of an image, as red, green and blue. */
async function colorOf(picture: Buffer): Promise<number[]> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels
  return [...data.subarray(middle, middle + 3)]
}

async function load(path: string) {
  const response = await fetch(url + path)
  return { response, picture: Buffer.from(await response.arrayBuffer()) }
}

t.test('[AVATAR1] an uploaded image becomes the avatar in two sizes, cropped to a square', async (t) => {
  const { avatar_url } = await mustUpload(member, PATH, await drawImage('blue', { width: 300, height: 90 }))
  t.match(avatar_url, OWN)
  const [path = ''] = avatar_url.split('?')
  for (const [address, pixels] of [
    [avatar_url, 100],
    [path.replace('.png', '-medium.png'), 500],
  ] as const) {
    const { response, picture } = await load(address)
    t.equal(response.status, 200)
    t.equal(response.headers.get('content-type'), 'image/png')
    t.match(await sharp(picture).metadata(), { format: 'png', width: pixels, height: pixels })
    t.same(await colorOf(picture), [0, 0, 255])
  }
})

t.test('[AVATAR2] JPEG, GIF and WebP are accepted; an animation keeps its first picture', async (t) => {
  const files = {
    jpeg: await sharp(red).jpeg().toBuffer(),
    webp: await sharp(red).webp({ lossless: true }).toBuffer(),
    gif: await drawAnimation(['red', 'blue']),
  }
  for (const [format, file] of Object.entries(files)) {
    const { avatar_url } = await mustUpload(member, PATH, file)
    const { response, picture } = await load(avatar_url)
    t.equal(response.headers.get('content-type'), 'image/png', format)
    const [r = 0, g, b] = await colorOf(picture)
    t.ok(r > 250 && g === 0 && b === 0, format)
  }
})

t.test('[AVATAR3] a photograph is rotated by its orientation and loses its metadata', async (t) => {
  const left = await sharp(await drawImage('lime', { width: 40, height: 80 }))
    .png()
    .toBuffer()
  const lying = sharp(await drawImage('red', { width: 80, height: 80 })).composite([
    { input: left, left: 0, top: 0 },
  ])
  // After a rotation to the right, the left side is on top.
  const file = await lying
    .jpeg()
    .withExif({ IFD0: { Artist: 'somebody' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { avatar_url } = await mustUpload(member, PATH, file)
  const { picture } = await load(avatar_url)
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels)].slice(0, 2)
  const isGreen = ([r = 0, g = 0]: number[]) => g > 200 && r < 60
  t.same([at(10, 10), at(90, 10)].map(isGreen), [true, true])
  t.same([at(10, 90), at(90, 90)].map(isGreen), [false, false])
  t.notOk(picture.includes('somebody'))
  t.equal((await sharp(picture).metadata()).exif, undefined)
})

t.test(
  '[AVATAR4] every view shows the avatar, and everyone gets an event when it changes or is deleted',
  async (t) => {
    await server.as('owner').subscribe(['shown'], { principals: [member.userId] })
    const messageId = await member.send('shown', 'x', 'hello')
    const before = (await member.must('GET', '/users/me')).avatar_version
    let avatarUrl = ''
    const received = await expectConsistent(server, async () => {
      avatarUrl = (await mustUpload(member, PATH, red)).avatar_url
    })
    const person = {
      user_id: member.userId,
      avatar_url: avatarUrl,
      avatar_url_medium: avatarUrl.replace('.png', '-medium.png'),
      avatar_source: 'U',
      avatar_version: before + 1,
    }
    for (const events of Object.values(received)) {
      t.strictSame(withoutIds(events), [{ type: 'realm_user', op: 'update', person }])
    }
    const owner = server.as('owner')
    const { user } = await owner.must('GET', `/users/${member.userId}`, { client_gravatar: true })
    t.match(user, { avatar_url: avatarUrl, avatar_version: before + 1 })
    t.equal((await member.must('GET', '/users/me')).avatar_url, avatarUrl)
    const seen = await owner.must('GET', `/messages/${messageId}`)
    t.equal(seen.message.avatar_url, avatarUrl)
    const narrow = [{ operator: 'channel', operand: 'shown' }]
    const page = await owner.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow,
    })
    t.match(page.messages, [{ id: messageId, avatar_url: avatarUrl }])
    const { state } = await member.register({ event_types: ['realm_user'] })
    t.match(state, {
      avatar_url: avatarUrl,
      avatar_url_medium: person.avatar_url_medium,
      avatar_source: 'U',
      max_avatar_file_size_mib: undefined,
    })
    t.equal(state.realm_users.find((one) => one.user_id === member.userId).avatar_url, avatarUrl)
    t.match(state.realm_users.find((one) => one.user_id === 1).avatar_url, DRAWN, 'others keep theirs')

    const eventsAtEnd = await expectConsistent(server, async () => {
      t.match(await member.must('DELETE', PATH), { avatar_url: DRAWN })
    })
    for (const events of Object.values(eventsAtEnd)) {
      t.match(events, [
        {
          op: 'update',
          person: {
            user_id: member.userId,
            avatar_url: DRAWN,
            avatar_url_medium: DRAWN,
            avatar_source: 'J',
            avatar_version: before + 2,
          },
        },
      ])
    }
    const after = await owner.must('GET', `/messages/${messageId}`)
    t.match(after.message.avatar_url, DRAWN)
    t.equal((await load(avatarUrl)).response.status, 404, 'the image is deleted')
    const silent = await owner.register({ event_types: ['realm_user'] })
    t.match(await member.must('DELETE', PATH), { avatar_url: DRAWN })
    t.same(await owner.events(silent), [], 'there was nothing to remove')
  },
)

t.test('[AVATAR5] a new avatar replaces the old one, at a new address', async (t) => {
  const first = (await mustUpload(member, PATH, red)).avatar_url
  const second = (await mustUpload(member, PATH, red)).avatar_url
  t.not(first.split('?')[0], second.split('?')[0])
  t.equal((await load(first)).response.status, 404)
  t.equal((await load(first.replace(/\?.*/, '').replace('.png', '-medium.png'))).response.status, 404)
  t.equal((await load(second)).response.status, 200)
  const another = await server.node.services.sql`select count(*)::int from pictures`
  t.equal(another[0]?.count, 2, 'only the two sizes of the last avatar are stored')
})

t.test('[AVATAR6] if avatar changes are disabled, only administrators change them', async (t) => {
  const administrator = server.as('administrator')
  const queue = await member.register({ event_types: ['realm'] })
  t.equal(queue.state.realm_avatar_changes_disabled, false)
  t.equal(queue.state.server_avatar_changes_disabled, false)
  t.equal(queue.state.max_avatar_file_size_mib, 5)
  await allows(false)
  t.match(await member.events(queue), [{ data: { avatar_changes_disabled: true } }])
  const msg = 'Avatar changes are disabled in this organization.'
  for (const person of ['member', 'moderator', 'guest', 'bot'] as const) {
    expectRefusal(t, await upload(server.as(person), PATH, [red]), msg)
    expectRefusal(t, await server.as(person).delete(PATH), msg)
  }
  t.match(await mustUpload(administrator, PATH, red), { avatar_url: OWN })
  t.match(await administrator.must('DELETE', PATH), { avatar_url: DRAWN })
  await allows(true)
  for (const person of ['guest', 'bot'] as const) {
    t.match(await mustUpload(server.as(person), PATH, red), { avatar_url: OWN }, person)
  }
})

t.test('[AVATAR7] users who manage a bot also get a bot event when its avatar changes', async (t) => {
  const received = await expectConsistent(server, async () => {
    await mustUpload(server.as('bot'), PATH, red)
  })
  const tellsOfBot = (events: WireEvent[] = []) => events.filter(({ type }) => type === 'realm_bot')
  for (const person of ['owner', 'member'] as const) {
    t.match(tellsOfBot(received[person]), [{ op: 'update', bot: { user_id: 7, avatar_url: OWN } }], person)
  }
  for (const person of ['member2', 'guest'] as const) t.same(tellsOfBot(received[person]), [], person)
})

t.test('[AVATAR8] an upload has exactly one file, and a form field cannot replace it', async (t) => {
  const msg = 'You must upload exactly one avatar.'
  expectRefusal(t, await upload(member, PATH, []), msg)
  expectRefusal(t, await upload(member, PATH, [red, red]), msg)
  expectRefusal(t, await upload(member, PATH, [red, red, red]), msg)
  expectRefusal(t, await member.post(PATH), msg)
  expectRefusal(t, await member.post(PATH, { filename: red.toString('latin1').slice(0, 100) }), msg)
})

t.test('[AVATAR9] a file of more than 5 MiB is refused, declared or streamed', async (t) => {
  const msg = 'Uploaded file is larger than the allowed limit of 5 MiB'
  for (const bytes of [5 * MIB + 1, 6 * MIB, 20 * MIB]) {
    expectRefusal(t, await upload(member, PATH, [Buffer.alloc(bytes)]), msg)
  }
  // One byte less is decoded.
  const fitting = Buffer.concat([red, Buffer.alloc(5 * MIB - red.length)])
  t.match(await mustUpload(member, PATH, fitting), { avatar_url: OWN })
})

t.test('[AVATAR10] a file that is not a readable image is refused and changes nothing', async (t) => {
  const before = (await member.must('GET', '/users/me')).avatar_url
  const undecodable = 'Could not decode image; did you upload an image file?'
  const unknown = 'Invalid image format'
  const photo = await sharp(red).jpeg().toBuffer()
  const script =
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const noise = Buffer.from(Uint8Array.from({ length: 2_000 }, (_, index) => (index * 7919) % 251))
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ['a text', Buffer.from('I am a picture'), undecodable],
    ['one byte', Buffer.from('x'), undecodable],
    ['nothing', Buffer.alloc(0), undecodable],
    ['a PNG that ends early', red.subarray(0, red.length - 30), undecodable],
    ['the head of a PNG', red.subarray(0, 33), undecodable],
    ['half a JPEG', photo.subarray(0, photo.length / 2), undecodable],
    ['a PNG and then noise', Buffer.concat([red.subarray(0, 33), noise]), undecodable],
    ['what begins as a WebP', Buffer.concat([Buffer.from('RIFF\0\x01\0\0WEBPVP8 '), noise]), undecodable],
    ['what begins as a GIF', Buffer.concat([Buffer.from('GIF89a'), noise]), undecodable],
    ['an SVG with a script', Buffer.from(script), unknown],
    ['a TIFF', await sharp(red).tiff().toBuffer(), unknown],
    ['an AVIF', await sharp(red).avif({ effort: 0 }).toBuffer(), unknown],
    ['a bitmap', Buffer.concat([Buffer.from('BM'), noise]), unknown],
    ['a bomb', drawBomb(), 'Image size exceeds limit.'],
    ['too many pixels', await drawImage('red', { width: 5_001, height: 5_000 }), 'Image size exceeds limit.'],
  ]
  for (const [name, file, msg] of cases) {
    const answer = await upload(member, PATH, [file])
    t.comment(name)
    expectRefusal(t, answer, msg)
  }
  t.equal((await member.must('GET', '/users/me')).avatar_url, before)
  t.match(await mustUpload(member, PATH, red), { avatar_url: OWN }, 'the next image is made')
})

t.test('[AVATAR11] avatars are served without login, cached for ever, and only as images', async (t) => {
  const { avatar_url } = await mustUpload(member, PATH, red)
  const { response, picture } = await load(avatar_url)
  const version = response.headers.get('etag') ?? ''
  t.match(version, /^"[0-9a-f]{64}"$/)
  for (const [name, value] of [
    ['cache-control', 'public, max-age=31536000, immutable'],
    ['content-type', 'image/png'],
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'"],
  ] as const) {
    t.equal(response.headers.get(name), value, name)
  }
  const head = await fetch(url + avatar_url, { method: 'HEAD' })
  t.equal(head.status, 200)
  t.equal(head.headers.get('content-length'), String(picture.length))
  t.equal((await head.arrayBuffer()).byteLength, 0)
  const known = await fetch(url + avatar_url, { headers: { 'If-None-Match': version } })
  t.equal(known.status, 304)
  t.equal((await known.arrayBuffer()).byteLength, 0)
  const other = await fetch(url + avatar_url, { headers: { 'If-None-Match': '"other"' } })
  t.equal(other.status, 200)
  t.same(Buffer.from(await other.arrayBuffer()), picture, 'the connection stays usable')
  const post = await fetch(url + avatar_url, { method: 'POST' })
  t.equal(post.status, 405)
})

t.test('[AVATAR12] any other path is answered as not found, without a look-up', async (t) => {
  const { avatar_url } = await mustUpload(member, PATH, red)
  const [path = ''] = avatar_url.split('?')
  const id = path.slice(-36, -4)
  const others = [
    `/user_avatars/1/${'0'.repeat(32)}.png`,
    `/user_avatars/2/${id}.png`,
    `/user_avatars/1/${id}`,
    `/user_avatars/1/${id}.webp`,
    `/user_avatars/1/${id.toUpperCase()}.png`,
    `/user_avatars/1/${id}.png/`,
    `/user_avatars/1/${id}.png%00`,
    `/user_avatars/1/..%2f1/${id}.png`,
    `/user_avatars/1//${id}.png`,
    `/user_avatars/1/emoji/images/${id}.png`,
    `/user_avatars/1/emoji/images/still/${id}.png`,
    '/user_avatars/1/..%2f..%2fpackage.json',
    '/user_avatars/',
  ]
  for (const other of others.filter((one) => one !== path)) {
    const { response, picture } = await load(other)
    t.equal(response.status, 404, other)
    t.same(
      JSON.parse(picture.toString()),
      { result: 'error', msg: 'No such endpoint', code: 'NOT_FOUND' },
      other,
    )
  }
})

t.test('[AVATAR13] a deactivated user keeps the avatar', async (t) => {
  const guest = server.as('guest')
  const { avatar_url } = await mustUpload(guest, PATH, red)
  await server.as('owner').must('DELETE', `/users/${guest.userId}`)
  const { user } = await server.as('owner').must('GET', `/users/${guest.userId}`)
  t.equal(user.avatar_url, avatar_url)
  t.equal((await load(avatar_url)).response.status, 200)
  await server.as('owner').must('POST', `/users/${guest.userId}/reactivate`)
})

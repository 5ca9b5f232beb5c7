/** Custom emoji: adding, deactivating and using them. */

import sharp from 'sharp'
import t from 'tap'
import type { CustomEmoji } from '../../../packages/client/src/index.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { drawAnimation, drawImage, mustUpload, upload } from '../../harness/client/upload.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const { url } = server.node
const owner = server.as('owner')
const member = server.as('member')
const red = await drawImage('red')

const pathOf = (name: string) => `/realm/emoji/${encodeURIComponent(name)}`
const add = (name: string, person = member) => mustUpload(person, pathOf(name), red)
const getAll = async () => (await member.must('GET', '/realm/emoji')).emoji
const find = async (name: string) =>
  Object.values(await getAll()).find((one) => one.name === name && !one.deactivated) as CustomEmoji
const load = (path: string) => fetch(url + path)

t.test('[EMOJI3] an uploaded image becomes an emoji, and everyone gets an event', async (t) => {
  t.same(await getAll(), {})
  const received = await expectConsistent(server, async () => {
    await mustUpload(member, pathOf('party'), red)
  })
  const all = await getAll()
  t.strictSame(all, {
    1: {
      id: '1',
      name: 'party',
      source_url: all['1']?.source_url,
      still_url: null,
      deactivated: false,
      author_id: member.userId,
    },
  })
  for (const events of Object.values(received)) {
    t.strictSame(withoutIds(events), [{ type: 'realm_emoji', op: 'update', realm_emoji: all }])
  }
  t.same((await owner.register({ event_types: ['realm_emoji'] })).state.realm_emoji, all)

  t.match(all['1']?.source_url, /^\/user_avatars\/1\/emoji\/images\/[0-9a-f]{32}\.png$/)
  const response = await load(all['1']?.source_url ?? '')
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'image/png')
  t.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  t.equal(response.headers.get('content-security-policy'), "default-src 'none'")
  const picture = Buffer.from(await response.arrayBuffer())
  t.match(await sharp(picture).metadata(), { format: 'png', width: 64, height: 64 })
  // The whole image is visible; missing height is transparent.
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4)].slice(0, 4)
  t.same(at(32, 32), [255, 0, 0, 255])
  t.same(at(32, 2)[3], 0)
})

t.test('[EMOJI4] an animated emoji stays animated and has a still picture', async (t) => {
  await mustUpload(member, pathOf('dance'), await drawAnimation(['red', 'lime', 'blue']))
  const { source_url, still_url } = await find('dance')
  t.match(source_url, /^\/user_avatars\/1\/emoji\/images\/[0-9a-f]{32}\.webp$/)
  t.match(still_url, /^\/user_avatars\/1\/emoji\/images\/still\/[0-9a-f]{32}\.png$/)
  const moving = await load(source_url)
  t.equal(moving.headers.get('content-type'), 'image/webp')
  t.match(await sharp(Buffer.from(await moving.arrayBuffer()), { pages: -1 }).metadata(), {
    format: 'webp',
    width: 64,
    pageHeight: 64,
    pages: 3,
    delay: [100, 100, 100],
  })
  const still = await load(still_url ?? '')
  t.equal(still.headers.get('content-type'), 'image/png')
  t.match(await sharp(Buffer.from(await still.arrayBuffer())).metadata(), { width: 64, height: 64 })
})

t.test(
  '[EMOJI5] a name has lowercase letters, digits and few signs, and does not end in a sign',
  async (t) => {
    const characters =
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, and periods.'
    const end = 'Emoji names must end with either a letter or digit.'
    for (const name of [
      'Party!',
      'PARTY',
      'é',
      'a/b',
      '../x',
      ':a:',
      'a\tb',
      'a\0b',
      '🎉',
      `${'x'.repeat(99)}!`,
    ]) {
      expectRefusal(t, await upload(member, pathOf(name), [red]), characters)
    }
    for (const name of ['a-', 'a_', 'a.', '...', '-'])
      expectRefusal(t, await upload(member, pathOf(name), [red]), end)
    for (const name of ['%20', '%20%20']) {
      expectRefusal(t, await upload(member, `/realm/emoji/${name}`, [red]), 'Emoji name is missing')
    }
    expectRefusal(
      t,
      await upload(member, pathOf('x'.repeat(101)), [red]),
      'emoji_name is too long (limit: 100 characters)',
    )
    for (const [given, kept] of [
      [' two words ', 'two_words'],
      ['a.b-c_9', 'a.b-c_9'],
      ['7', '7'],
      ['x'.repeat(100), 'x'.repeat(100)],
    ] as const) {
      await add(given)
      t.ok(await find(kept), kept)
    }
  },
)

t.test('[EMOJI6] a name is taken until its emoji is deactivated', async (t) => {
  const msg = 'A custom emoji with this name already exists.'
  await add('own')
  expectRefusal(t, await upload(owner, pathOf('own'), [red]), msg)
  const { id } = await find('own')
  await member.must('DELETE', pathOf('own'))
  await add('own', server.as('member2'))
  t.match(await find('own'), { id: String(Object.keys(await getAll()).length), author_id: 5 })
  t.match((await getAll())[id], { name: 'own', deactivated: true, author_id: member.userId })
})

t.test('[EMOJI7] users with the permission add custom emoji, guests never', async (t) => {
  const msg = 'Insufficient permission'
  expectRefusal(t, await upload(server.as('guest'), pathOf('fifth'), [red]), msg)
  await add('by_a_bot', server.as('bot'))
  const setting = { direct_members: [member.userId, 6], direct_subgroups: [] }
  await owner.must('PATCH', '/realm', { can_add_custom_emoji_group: { new: setting } })
  for (const person of ['owner', 'member2', 'guest'] as const) {
    expectRefusal(t, await upload(server.as(person), pathOf('fifth'), [red]), msg)
  }
  await add('fifth')
  await owner.must('PATCH', '/realm', { can_add_custom_emoji_group: { new: SYSTEM_GROUPS.members } })
})

t.test('[EMOJI8] only administrators replace a standard emoji', async (t) => {
  const msg = 'Only administrators can override default emoji.'
  for (const name of ['tada', 'zulip']) {
    for (const person of ['member', 'moderator'] as const) {
      expectRefusal(t, await upload(server.as(person), pathOf(name), [red]), msg)
    }
    await add(name, server.as('administrator'))
    const { id } = await find(name)
    const messageId = await owner.sendDirect([member.userId], `:${name}:`)
    await owner.must('POST', `/messages/${messageId}/reactions`, { emoji_name: name })
    const { message } = await owner.must('GET', `/messages/${messageId}`, { apply_markdown: true })
    t.match(message.content, (await find(name)).source_url)
    t.match(message.reactions, [{ emoji_name: name, emoji_code: id, reaction_type: 'realm_emoji' }])
    await owner.must('DELETE', pathOf(name))
  }
})

t.test('[EMOJI9] an upload has exactly one image of at most 5 MiB', async (t) => {
  const count = 'You must upload exactly one file.'
  expectRefusal(t, await upload(member, pathOf('seventh'), []), count)
  expectRefusal(t, await upload(member, pathOf('seventh'), [red, red]), count)
  expectRefusal(t, await member.post(pathOf('seventh')), count)
  expectRefusal(
    t,
    await upload(member, pathOf('seventh'), [Buffer.alloc(5 * 1024 * 1024 + 1)]),
    'Uploaded file is larger than the allowed limit of 5 MiB',
  )
  expectRefusal(
    t,
    await upload(member, pathOf('seventh'), [Buffer.from('x')]),
    'Could not decode image; did you upload an image file?',
  )
  expectRefusal(t, await upload(member, pathOf('seventh'), [Buffer.from('<svg/>')]), 'Invalid image format')
  expectRefusal(
    t,
    await upload(member, pathOf('seventh'), [await drawImage('red', { width: 5_001, height: 5_000 })]),
    'Image size exceeds limit.',
  )
  t.notOk(await find('seventh'))
})

t.test(
  '[EMOJI10] its author and administrators deactivate an emoji, and everyone gets an event',
  async (t) => {
    await add('eighth')
    const msg = 'Must be an organization administrator or emoji author'
    for (const person of ['moderator', 'member2', 'guest', 'bot'] as const) {
      expectRefusal(t, await server.as(person).delete(pathOf('eighth')), msg)
    }
    const { id, source_url } = await find('eighth')
    const received = await expectConsistent(server, () => member.must('DELETE', pathOf('eighth')))
    for (const events of Object.values(received)) {
      t.match(events, [{ type: 'realm_emoji', op: 'update', realm_emoji: { [id]: { deactivated: true } } }])
    }
    t.equal((await load(source_url)).status, 200, 'shown in old uses')
    const unknown = "Emoji 'eighth' does not exist"
    for (const person of ['member', 'owner'] as const) {
      expectRefusal(t, await server.as(person).delete(pathOf('eighth')), unknown)
    }
    expectRefusal(t, await member.delete(pathOf('tada')), "Emoji 'tada' does not exist")
    await add('eighth')
    await server.as('administrator').must('DELETE', pathOf('eighth'))
  },
)

t.test(
  '[EMOJI11] a reaction with a custom emoji stays, and can be joined, after its deactivation',
  async (t) => {
    await add('ninth')
    const { id } = await find('ninth')
    const messageId = await member.sendDirect([owner.userId], 'hello')
    const path = `/messages/${messageId}/reactions`
    const queue = await owner.register({ event_types: ['reaction'] })
    await member.must('POST', path, { emoji_name: 'ninth' })
    const reaction = { emoji_name: 'ninth', emoji_code: id, reaction_type: 'realm_emoji' }
    t.match(await owner.events(queue), [{ op: 'add', ...reaction, user_id: member.userId }])
    expectRefusal(t, await member.post(path, reaction), 'Reaction already exists.', {
      code: 'REACTION_ALREADY_EXISTS',
    })
    await member.must('DELETE', path, { emoji_name: 'ninth' })
    await member.must('POST', path, reaction)

    await member.must('DELETE', pathOf('ninth'))
    await owner.must('POST', path, reaction)
    const { message } = await owner.must('GET', `/messages/${messageId}`)
    t.match(message.reactions, [
      { ...reaction, user_id: member.userId },
      { ...reaction, user_id: owner.userId },
    ])
    await member.must('DELETE', path, { emoji_name: 'ninth' })
    await owner.must('DELETE', path, reaction)
    for (const [given, msg] of [
      [reaction, 'This custom emoji has been deactivated.'],
      [{ emoji_name: 'ninth' }, "Emoji 'ninth' does not exist"],
      [{ ...reaction, emoji_code: '9999' }, 'Invalid custom emoji.'],
      [{ ...reaction, emoji_code: '1f642' }, 'Invalid custom emoji.'],
      [{ ...reaction, emoji_name: 'party' }, 'Invalid custom emoji name.'],
      [{ ...reaction, reaction_type: 'unicode_emoji' }, 'Invalid emoji code.'],
    ] as const) {
      expectRefusal(t, await owner.post(path, given), msg)
    }
  },
)

t.test('[EMOJI12] a status can have a custom emoji while that is active', async (t) => {
  await add('tenth')
  const { id } = await find('tenth')
  const status = { emoji_name: 'tenth', emoji_code: id, reaction_type: 'realm_emoji' }
  const events = await expectConsistent(server, () =>
    member.must('POST', '/users/me/status', { emoji_name: 'tenth' }),
  )
  t.match(events.owner, [{ type: 'user_status', user_id: member.userId, ...status }])
  t.match((await owner.must('GET', `/users/${member.userId}/status`)).status, status)
  await owner.must('POST', '/users/5/status', status)
  await member.must('DELETE', pathOf('tenth'))
  t.match((await owner.must('GET', `/users/${member.userId}/status`)).status, status, 'the old status stays')
  for (const [given, msg] of [
    [status, 'This custom emoji has been deactivated.'],
    [{ emoji_name: 'tenth' }, "Emoji 'tenth' does not exist"],
    [{ ...status, emoji_code: '9999' }, 'Invalid custom emoji.'],
    [{ ...status, emoji_name: 'party' }, 'Invalid custom emoji name.'],
  ] as const) {
    expectRefusal(t, await server.as('member2').post('/users/me/status', given), msg)
    expectRefusal(t, await owner.post('/users/6/status', given), msg)
  }
})

t.test('[EMOJI13] a text renders custom emoji by name, as they were when it was sent', async (t) => {
  await add('eleven.a')
  const { source_url } = await find('eleven.a')
  const image = `<img alt=":eleven.a:" class="emoji" src="${source_url}" title="eleven.a">`
  const render = async (content: string) =>
    (await member.must('POST', '/messages/render', { content })).rendered
  t.equal(await render('a :eleven.a: b'), `<p>a ${image} b</p>`)
  t.equal(await render(':eleven.a::eleven.a:'), `<p>${image}${image}</p>`)
  t.equal(await render('x:eleven.a:eleven.a:'), `<p>x${image}eleven.a:</p>`)
  t.equal(await render('`:eleven.a:`'), '<p><code>:eleven.a:</code></p>')
  t.match(await render('@**The owner** :eleven.a:'), image, 'also in user objects')
  t.match(await render('```\nx\n```\n:eleven.a:'), image, 'also in the threads of the pool')
  const messageId = await member.sendDirect([owner.userId], 'a :eleven.a: b')
  await member.must('DELETE', pathOf('eleven.a'))
  t.equal(await render('a :eleven.a: b'), '<p>a :eleven.a: b</p>')
  const { message } = await owner.must('GET', `/messages/${messageId}`, { apply_markdown: true })
  t.equal(message.content, `<p>a ${image} b</p>`)
})

/** Avatars that the server draws for users without one of their own. */

import sharp from 'sharp'
import t from 'tap'
import { done } from '../../../server/decisions/decision.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { drawImage, mustUpload } from '../../harness/client/upload.ts'

const server = await startTestServer(t, { redis: true })
const another = await server.startAnotherNode()
const owner = server.as('owner')
const { url } = server.node
const DRAWN = /^\/user_avatars\/1\/drawn\/[pb][0-7]-[0-9a-fx.]+-[0-9a-f]{16}\.png\?version=1$/

async function load(path: string, at = url) {
  const response = await fetch(at + path)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const avatarOf = async (userId: number): Promise<string> =>
  (await owner.must('GET', `/users/${userId}`, { client_gravatar: true })).user.avatar_url ?? ''

t.test('[DRAW4] users have drawn pictures in every view, and no address leaves the server', async (t) => {
  await owner.subscribe(['drawn'])
  const id = await owner.send('drawn', 'x', 'hello')
  const own = await owner.must('GET', '/users/me')
  t.match(own.avatar_url, DRAWN)
  t.equal((await owner.must('GET', `/messages/${id}`)).message.avatar_url, own.avatar_url)
  const { members } = await owner.must('GET', '/users', { client_gravatar: true })
  for (const { avatar_url } of members) t.match(avatar_url, DRAWN)
  t.equal(new Set(members.map((one) => one.avatar_url)).size, members.length)
  const { state } = await owner.register({ client_gravatar: true })
  t.match(state, { avatar_url: own.avatar_url, avatar_source: 'J', realm_icon_source: 'G' })
  t.match(state.avatar_url_medium, /-medium\.png/)
  t.match(
    await server
      .as('member')
      .must('GET', '/bots')
      .catch(() => ({})),
    {},
  )
  t.notMatch(JSON.stringify(state), 'gravatar.com')
})

t.test(
  '[DRAW5] pictures are PNGs of two sizes, the same in every process, and cached for ever',
  async (t) => {
    for (const userId of [owner.userId, server.as('bot').userId]) {
      const path = await avatarOf(userId)
      const small = await load(path)
      t.equal(small.response.status, 200)
      for (const [name, value] of [
        ['content-type', 'image/png'],
        ['cache-control', 'public, max-age=31536000, immutable'],
        ['x-content-type-options', 'nosniff'],
      ] as const)
        t.equal(small.response.headers.get(name), value, name)
      t.match(await sharp(small.bytes).metadata(), { format: 'png', width: 100, height: 100 })
      t.ok(
        (await sharp(small.bytes).stats()).channels.some(({ stdev }) => stdev > 5),
        'something is drawn',
      )
      const medium = await load(path.replace('.png', '-medium.png'))
      t.match(await sharp(medium.bytes).metadata(), { format: 'png', width: 500, height: 500 })
      t.same((await load(path, another.node.url)).bytes, small.bytes)
      const version = small.response.headers.get('etag') ?? ''
      t.equal((await fetch(url + path, { headers: { 'If-None-Match': version } })).status, 304)
      const forged = path.replace(/-[0-9a-f]{16}/, `-${'0'.repeat(16)}`)
      t.equal((await load(forged)).response.status, 404, 'nobody else makes addresses')
    }
    for (const path of ['/static/images/unknown-user-avatar.png', '/static/images/organization.png'])
      t.match(await sharp((await load(path)).bytes).metadata(), { format: 'png', width: 200, height: 200 })
  },
)

t.test('[DRAW6] every name gets a picture, hostile ones too', async (t) => {
  const names = [
    'محمد علي',
    '王小明',
    '😀😀',
    '\u0301\u0302x',
    '<script>alert(1)',
    'ṩ̇mith İnce',
    'Ǆ Łu',
    'ᾳ ӂ',
    '-- ..',
  ]
  const found = await Promise.all(
    names.map(async (name) => {
      const { userId } = await addUser(server, `to be named ${names.indexOf(name)}`)
      await server.node.services.committer.submit({
        kind: 'structure',
        decide: () =>
          done([{ type: 'realm_user/update', userId: userId as UserId, changes: { fullName: name } }]),
      })
      const { response, bytes } = await load(await avatarOf(userId))
      t.equal(response.status, 200, name)
      return bytes.toString('base64')
    }),
  )
  t.equal(new Set(found).size, names.length)
})

t.test('[DRAW7] a new name draws another picture, of which everyone is notified', async (t) => {
  const user = await addUser(server, 'Zoe Quill')
  const before = await avatarOf(user.userId)
  const events = await expectConsistent(server, async () => {
    await owner.must('PATCH', `/users/${user.userId}`, { full_name: 'Ann Quill' })
  })
  const after = await avatarOf(user.userId)
  t.not(after, before)
  for (const ofPerson of Object.values(events)) {
    t.match(ofPerson, [
      { type: 'realm_user', op: 'update', person: { full_name: 'Ann Quill' } },
      { type: 'realm_user', op: 'update', person: { avatar_url: after, avatar_source: 'J' } },
    ])
  }
  t.equal((await load(before)).response.status, 200, 'who has the former address still sees it')
  const same = await expectConsistent(server, async () => {
    await owner.must('PATCH', `/users/${user.userId}`, { full_name: 'Abe Quill' })
  })
  for (const ofPerson of Object.values(same)) t.equal(ofPerson.length, 1, 'the same initials')
  await mustUpload(user, '/users/me/avatar', await drawImage('red'))
  const uploaded = await expectConsistent(server, async () => {
    await owner.must('PATCH', `/users/${user.userId}`, { full_name: 'Bea Quill' })
  })
  for (const ofPerson of Object.values(uploaded)) t.equal(ofPerson.length, 1, 'an uploaded one stays')
})

/** Pictures of bots, as the users who manage them upload them. */

import sharp from 'sharp'
import t from 'tap'
import type { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { drawBomb, drawImage } from '../../harness/client/upload.ts'

const OWN = /^\/user_avatars\/1\/[0-9a-f]{32}\.png\?version=(\d+)$/
const DRAWN = /^\/user_avatars\/1\/drawn\//
const MIB = 1024 * 1024

const server = await startTestServer(t, { redis: true })
const { url, services } = server.node
const { sql } = services
const [owner, member] = [server.as('owner'), server.as('member')]
const red = await drawImage('red')
const BOT = `/bots/${server.as('bot').userId}` as const
let made = 0

const make = (client: Client, files: readonly Uint8Array[], fields: Record<string, string> = {}) =>
  client.upload('/bots', files, 'POST', { full_name: `Bot ${++made}`, short_name: `bot${made}`, ...fields })
const change = (client: Client, files: readonly Uint8Array[], fields: Record<string, string> = {}) =>
  client.upload(BOT, files, 'PATCH', fields)
/** The answer's address of the picture, whose color is checked. */
async function colorAt(address: string): Promise<number[]> {
  const response = await fetch(url + address)
  t.equal(response.status, 200)
  const { data } = await sharp(Buffer.from(await response.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, 3)]
}
const picturesStored = async () => (await sql`select distinct id from pictures`).length
const pictureOf = async () =>
  (await owner.must('GET', `/users/${server.as('bot').userId}`)).user.avatar_url ?? ''

t.test(
  '[BOTPICTURE1] a new bot has its picture from the start, for everyone and in each process',
  async (t) => {
    let bot!: Awaited<ReturnType<typeof make>>['body']
    const received = await expectConsistent(server, async () => {
      const { status, body } = await make(member, [red])
      t.equal(status, 200)
      bot = body
    })
    t.match(bot.avatar_url, OWN)
    t.same(await colorAt(bot.avatar_url), [255, 0, 0])
    for (const person of ['owner', 'member2', 'guest'] as const)
      t.match(received[person]?.[0], {
        type: 'realm_user',
        op: 'add',
        person: { user_id: bot.user_id, avatar_url: bot.avatar_url },
      })
    const added = received['member']?.find(({ type }) => type === 'realm_bot')
    t.match(added, { op: 'add', bot: { user_id: bot.user_id, avatar_url: bot.avatar_url } })
    const another = await server.startAnotherNode()
    const { user } = await another.as('guest').must('GET', `/users/${bot.user_id}`)
    t.match(user, { avatar_url: bot.avatar_url, avatar_version: 1 }, 'also where it is loaded')
    const { state } = await member.register()
    t.equal(state.realm_bots.find((one) => one.user_id === bot.user_id).avatar_url, bot.avatar_url)
    const plain = await make(member, [])
    t.match([plain.status, plain.body['avatar_url']], [200, DRAWN])
  },
)

t.test('[BOTPICTURE2] a change replaces the picture together with everything else', async (t) => {
  const { body: first } = await change(member, [red])
  t.match(first, { avatar_url: OWN })
  const before = await picturesStored()
  const received = await expectConsistent(server, async () => {
    const { status, body } = await change(member, [await drawImage('blue')], { full_name: 'The blue bot' })
    t.equal(status, 200)
    t.match(body, { full_name: 'The blue bot', avatar_url: OWN })
  })
  const address = await pictureOf()
  t.same(await colorAt(address), [0, 0, 255])
  t.equal((await fetch(url + String(first['avatar_url']))).status, 404, 'the picture before is gone')
  t.equal(await picturesStored(), before)
  for (const person of ['owner', 'member2', 'guest'] as const)
    t.ok(
      received[person]?.some(({ person: one }) => one?.avatar_url === address),
      person,
    )
  t.ok(received['member']?.some(({ type, bot }) => type === 'realm_bot' && bot.avatar_url === address))
  t.match(await change(member, [], { full_name: 'The bot' }), { status: 200, body: { avatar_url: address } })
  t.equal(await pictureOf(), address, 'a change without a file leaves it')
  t.match(await change(owner, [red]), { status: 200, body: { avatar_url: OWN } }, 'administrators, too')
})

t.test('[BOTPICTURE3] nobody else gives a bot a picture, and no picture is stored then', async (t) => {
  const [before, stored] = [await pictureOf(), await picturesStored()]
  for (const person of ['member2', 'guest', 'bot'] as const)
    expectRefusal(t, await change(server.as(person), [red]), 'Insufficient permission')
  expectRefusal(t, await member.upload('/bots/999', [red], 'PATCH'), 'No such bot')
  expectRefusal(t, await member.upload('/bots/1', [red], 'PATCH'), 'No such bot')
  expectRefusal(t, await make(server.as('guest'), [red]), 'Insufficient permission')
  expectRefusal(t, await make(server.as('bot'), [red]), 'This endpoint does not accept bot requests.')
  expectRefusal(t, await make(member, [red], { bot_type: '9' }), 'Invalid bot type')
  t.equal(await pictureOf(), before)
  t.equal(await picturesStored(), stored)
})

t.test(
  '[BOTPICTURE4] if avatar changes are disabled, only administrators give a bot a picture',
  async (t) => {
    await owner.must('PATCH', '/realm', { avatar_changes_disabled: true })
    const msg = 'Avatar changes are disabled in this organization.'
    expectRefusal(t, await change(member, [red]), msg)
    expectRefusal(t, await make(member, [red]), msg)
    t.equal((await make(member, [])).status, 200)
    t.equal((await change(member, [], { full_name: 'The renamed bot' })).status, 200)
    t.equal((await change(server.as('administrator'), [red])).status, 200)
    t.match(await make(server.as('administrator'), [red]), { status: 200, body: { avatar_url: OWN } })
    await owner.must('PATCH', '/realm', { avatar_changes_disabled: false })
  },
)

t.test('[BOTPICTURE5] a file that is no picture, too large, or one too many changes nothing', async (t) => {
  const before = await pictureOf()
  const bots = (await member.must('GET', '/bots')).bots.length
  const cases: readonly (readonly [readonly Uint8Array[], string])[] = [
    [[red, red], 'You may only upload one file at a time'],
    [[Buffer.from('I am a picture')], 'Could not decode image; did you upload an image file?'],
    [[Buffer.alloc(0)], 'Could not decode image; did you upload an image file?'],
    [[Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')], 'Invalid image format'],
    [[drawBomb()], 'Image size exceeds limit.'],
    [[Buffer.alloc(5 * MIB + 1)], 'Uploaded file is larger than the allowed limit of 5 MiB'],
  ]
  for (const [files, msg] of cases) {
    expectRefusal(t, await change(member, files, { full_name: 'Half a change' }), msg)
    expectRefusal(t, await make(member, files), msg)
  }
  t.equal(await pictureOf(), before)
  t.equal((await member.must('GET', '/bots')).bots.length, bots)
  t.not((await owner.must('GET', `/users/${server.as('bot').userId}`)).user.full_name, 'Half a change')
})

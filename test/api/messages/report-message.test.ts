import t from 'tap'
import type { UserId } from '../../../server/domain/ids.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 5, 6] })
await owner.subscribe(['moderation'], { principals: [1, 2, 3], invite_only: true })
const MODERATION = 2

const report = (person: Person, id: number, fields: Fields = { report_type: 'spam' }) =>
  server.as(person).post(`/messages/${id}/report`, fields)
const set = (fields: Fields) => owner.must('PATCH', '/realm', fields)
/** The newest report, as the moderators get it. */
const newest = async (apply_markdown = false, channel = 'moderation') => {
  const narrow = [['channel', channel]]
  const page = { anchor: 'newest', num_before: 1, narrow, apply_markdown, allow_empty_topic_name: true }
  return (await owner.must('GET', '/messages', page)).messages[0]
}

t.test('[REPORT1] without a channel for reports nothing can be reported', async (t) => {
  const id = await member.send('town', 'tea', 'x')
  const message = 'Moderation request channel must be specified to enable message reporting.'
  expectRefusal(t, await report('member2', id), message)
  expectRefusal(t, await report('member2', 999_999), message)
  await owner.subscribe(['gone'], { invite_only: true })
  await set({ moderation_request_channel_id: 3 })
  await owner.must('DELETE', '/streams/3')
  expectRefusal(t, await report('member2', id), message)
  await set({ moderation_request_channel_id: MODERATION })
})

t.test('[REPORT2] a report tells the moderators the reporter, the reason and the message', async (t) => {
  const id = await member.send('town', 'tea', 'Buy **now**')
  const events = await expectConsistent(server, async () => {
    const { body } = await report('member2', id, { report_type: 'spam', description: ' Twice\nnow ' })
    t.same(body, { result: 'success', msg: '' })
  })
  t.match(
    events.owner?.filter(({ type }) => type === 'message'),
    [{ message: { stream_id: MODERATION } }],
  )
  for (const person of ['member', 'member2', 'guest'] as const) {
    t.notOk(events[person]?.some(({ type }) => type === 'message'))
  }
  const { content, subject, sender_full_name } = await newest()
  t.same([subject, sender_full_name], ["The member's moderation requests", 'Notification Bot'])
  t.equal(
    content,
    [
      `@_**The member2|5** reported [a message](/#narrow/channel/1/near/${id}) of @_**The member|4** in #**town>tea**.`,
      '**Reason:** Spam',
      '**Explanation:**\n\n> Twice\n> now',
      '**Message:**\n\n> Buy **now**',
    ].join('\n\n'),
  )
})

t.test('[REPORT3] a report of a private message reveals only the reported message', async (t) => {
  await member.subscribe(['hidden place'], { invite_only: true })
  const secret = await member.send('hidden place', 'hidden topic', 'the words')
  const direct = await member.sendDirect([5], 'between us')
  t.equal((await report('member', secret)).status, 200)
  const reported = await newest()
  t.match(reported.content, /reported a message of @_\*\*The member\|4\*\* in a private channel\./)
  t.match(reported.content, /> the words$/)
  t.notMatch(reported.content, /hidden/)
  t.equal((await report('member2', direct)).status, 200)
  t.match((await newest()).content, /reported a direct message of @_\*\*The member\|4\*\*\.[^]*> between us$/)
})

t.test('[REPORT4] an unreadable message cannot be reported', async (t) => {
  const secret = await member.send('hidden place', 'x', 'x')
  const direct = await member.sendDirect([5], 'x')
  for (const id of [secret, direct, 0, 999_999]) {
    expectRefusal(t, await report('guest', id), 'Invalid message(s)')
    expectRefusal(t, await report('owner', id), 'Invalid message(s)')
  }
})

t.test('[REPORT5] a reason is required, and the reason `other` needs a description', async (t) => {
  const id = await member.send('town', 'tea', 'x')
  const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'report_type' }
  expectRefusal(t, await report('guest', id, {}), "Missing 'report_type' argument", missing)
  expectRefusal(t, await report('guest', id, { report_type: 'boring' }), 'Invalid report_type')
  for (const description of [undefined, '', ' \n ']) {
    const answer = await report('guest', id, { report_type: 'other', description })
    expectRefusal(t, answer, 'An explanation is required.')
  }
  const tooLong = await report('guest', id, { report_type: 'spam', description: 'x'.repeat(1_001) })
  expectRefusal(t, tooLong, 'description is too long (limit: 1000 characters)')
  for (const report_type of ['harassment', 'inappropriate', 'norms']) {
    t.equal((await report('guest', id, { report_type })).status, 200)
  }
  const long = { report_type: 'other', description: '😀'.repeat(1_000) }
  t.equal((await report('guest', id, long)).status, 200)
})

t.test('[REPORT6] quotes are fenced, whatever their text and length', async (t) => {
  const hostile = ['```quote', '@**all**', '> deeper', '</blockquote>', '', '# Heading', '~~~'].join('\n')
  const id = await member.send('town', 'tea', hostile)
  await report('member2', id, { report_type: 'other', description: hostile })
  const { content } = await newest()
  const parts = content.split('\n\n').filter((part: string) => !part.startsWith('>'))
  t.equal(parts.length, 4, 'every line of both is marked')
  const html = (await newest(true)).content as string
  const outside = outsideOfQuotes(html)
  t.match(outside, /Reason.*Explanation.*Message/s)
  t.notMatch(outside, /deeper|Heading|all|codehilite/)
  const lines = await member.send('town', 'tea', 'x\n'.repeat(4_999))
  t.equal((await report('member2', lines)).status, 200)
  const cut = (await newest()).content
  t.equal(Array.from(cut).length, 10_000)
  t.ok(cut.endsWith('…'))
})

t.test('[REPORT7] the topic is cut to its limit, and empty if the channel has no topics', async (t) => {
  const changes = { fullName: 'x'.repeat(100) }
  await commitEvents(server, [{ type: 'realm_user/update', userId: 4 as UserId, changes }])
  const id = await member.send('town', 'tea', 'x')
  await report('member2', id)
  t.equal((await newest()).subject, `${'x'.repeat(59)}…`)
  await owner.subscribe(['bare'], { invite_only: true })
  await setUpChannel(server, 'bare', { kind: 'topicsPolicy', topicsPolicy: 'empty_topic_only' })
  await set({ moderation_request_channel_id: channelIdOf(server, 'bare') })
  await report('member2', id)
  t.equal((await newest(false, 'bare')).subject, '')
})

t.test('[REPORT8] a report that takes too long to render is refused', async (t) => {
  const server = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const owner = server.as('owner')
  await owner.subscribe(['moderation'], { invite_only: true })
  await owner.must('PATCH', '/realm', { moderation_request_channel_id: 1 })
  const id = await owner.sendDirect([4], 'x')
  const slow = { report_type: 'other', description: '![['.repeat(330) } // In milliseconds.
  expectRefusal(t, await server.as('member').post(`/messages/${id}/report`, slow), 'Unable to render message')
})

/** The HTML outside of quotes. */
function outsideOfQuotes(html: string): string {
  let depth = 0
  return html
    .split(/(<\/?blockquote>)/)
    .filter((part) => {
      if (part === '<blockquote>') depth++
      if (part === '</blockquote>') depth--
      return depth === 0
    })
    .join('')
}

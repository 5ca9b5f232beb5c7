/** The client shows who is in the call of a message, and keeps what is read in its place. */

import t from 'tap'
import { type CallWork, lookAtCalls } from '../../workers/jobs/calls/look-at-calls.ts'
import { openProviders } from '../../workers/jobs/calls/start-calls.ts'
import { PreviewFigures } from '../../workers/jobs/previews/preview-figures.ts'
import { runPreviews } from '../../workers/jobs/previews/run-previews.ts'
import { openSources } from '../../workers/jobs/previews/start-previews.ts'
import { startLiveKit } from '../harness/providers/start-livekit.ts'
import { openTestSender } from '../harness/worlds/open-test-sender.ts'
import { waitForFrames } from './conversation.ts'
import { startTeam } from './team.ts'

const livekit = await startLiveKit(t)
const { server, openAs } = await startTeam(t, livekit.env)
const { sql, clock } = server.node.services
const owner = server.as('owner')
await owner.subscribe(['general'], { principals: [owner.userId, server.as('member').userId] })
const sender = await openTestSender(t, server)
const closers: (() => unknown)[] = []
t.teardown(async () => {
  for (const close of closers) await close()
})
const openSender = async () => sender
const sources = openSources(sql, server.config.outbound, closers)
const work: CallWork = {
  sql,
  openSender,
  providers: openProviders({ clock, ...server.config }),
  onError(error) {
    throw error
  },
}
/** Takes up new messages, lets the pause between looks pass, and looks. */
const look = async () => {
  await runPreviews({ sql, openSender, sources, figures: new PreviewFigures(), underWay: new Map() })
  await sql`update call_messages set due_at = now()`
  await lookAtCalls(work)
}

t.test('[INCALL9] a call says who is in it as they come and go, without moving what is read', async (t) => {
  const channel = await owner.must('GET', '/get_stream_id', { stream: 'general' })
  const { url } = await owner.must('POST', '/calls/livekit/create', {
    type: 'channel',
    stream_id: channel.stream_id,
  })
  const id = await owner.send('general', 'calls', `[Join the video call](${server.node.url}${url})`)
  const tab = await openAs(t, 'member', { path: '/#narrow/channel/1-general/topic/calls' })
  const message = tab.locator(`#message-${id}`)
  await message.getByRole('link', { name: 'Join the video call' }).waitFor()
  await look()
  const [row] = await sql<{ room: string }[]>`select room from call_messages`
  const show = async (...identities: readonly number[]) => {
    livekit.rooms.set(
      row?.room ?? '',
      identities.map((identity) => ({ identity: String(identity) })),
    )
    await look()
  }
  await show(owner.userId)
  const { full_name: name } = await owner.must('GET', '/users/me')
  await message.getByText(`In the call: ${name}`).waitFor()

  for (let at = 0; at < 40; at++) await owner.send('general', 'calls', `Word ${at}`)
  await tab.goto(`/#narrow/channel/1-general/topic/calls/near/${id}`)
  const below = tab.getByText('Word 3', { exact: true })
  await below.waitFor()
  await message.evaluate((one) => one.scrollIntoView({ block: 'start' }))
  // The list has put it back in its place by the next frame.
  const topOf = async () => {
    await waitForFrames(tab)
    return below.evaluate((one) => Math.round(one.getBoundingClientRect().top))
  }
  const stood = await topOf()
  await show(owner.userId, server.as('guest').userId)
  await message.getByText(`In the call: ${name}, `).waitFor()
  t.equal(await topOf(), stood)
  await show()
  await message.getByText('The call has ended.').waitFor()
  t.equal(await topOf(), stood)
})

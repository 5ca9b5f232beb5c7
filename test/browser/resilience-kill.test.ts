/** Two people write while their server is killed and started again. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { pollUntil } from '../services/poll-until.ts'
import { textsOf, write } from './conversation.ts'
import { openTeam } from './team.ts'
import { startWebProcess } from './web-process.ts'

/** `PARLEY_LONG_JOURNEYS=on` is the whole proof; without it the same journey is short enough for every run. */
const IS_LONG = process.env.PARLEY_LONG_JOURNEYS === 'on'
const MESSAGES = IS_LONG ? 1_000 : 120
const KILLS = IS_LONG ? 3 : 1
/** Messages of a person between two signs of progress: a busy machine may take minutes for all of them. */
const STEP = 25

t.test(
  '[LOSS1] two people write while the server is killed: both see each message once, in order',
  async (t) => {
    const server = await startWebProcess(t)
    const browser = await startChromium(t)
    const owner = server.as('owner')
    await owner.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'plans' }],
      principals: [server.as('member').userId, server.as('member2').userId],
      send_new_subscription_messages: false,
    })
    const channelId = (await owner.must('GET', '/get_stream_id?stream=plans')).stream_id as number
    const openAs = await openTeam(server, browser)
    const path = `/#narrow/channel/${channelId}-plans/topic/lunch`
    const [one, two] = await Promise.all([openAs(t, 'member', { path }), openAs(t, 'member2', { path })])
    let written = 0
    const writeHalf = async (page: Page, name: string) => {
      for (let count = 1; count <= MESSAGES / 2; count++) {
        await write(page, `${name} ${count}`)
        written++
        if (count % STEP === 0) t.pass(`${name} has written ${count}`)
      }
    }
    const disturb = async () => {
      for (let kill = 1; kill <= KILLS; kill++) {
        await pollUntil(
          'enough is written',
          () => written >= (kill * MESSAGES) / (KILLS + 1),
          () => written,
        )
        await server.kill()
        await server.start()
      }
    }
    await Promise.all([writeHalf(one, 'one'), writeHalf(two, 'two'), disturb()])
    // All of them, not only those in the window of a page.
    const stored = async () => {
      const narrow = [{ operator: 'channel', operand: channelId }]
      const found = await server.as('member').must('GET', '/messages', {
        anchor: 'newest',
        num_before: MESSAGES * 2,
        num_after: 0,
        narrow,
        apply_markdown: false,
      })
      return (found.messages as { content: string }[]).map(({ content }) => content)
    }
    let contents: string[] = []
    await pollUntil(
      'everything is sent',
      async () => (contents = await stored()).length >= MESSAGES,
      () => contents.length,
    )
    t.equal(contents.length, MESSAGES)
    for (const name of ['one', 'two'])
      t.same(
        contents.filter((text) => text.startsWith(name)),
        Array.from({ length: MESSAGES / 2 }, (_, index) => `${name} ${index + 1}`),
        `each message of ${name} is there once, in the order of typing`,
      )
    for (const page of [one, two]) {
      let shown: string[] = []
      const isWhole = async () => {
        shown = await textsOf(page)
        return shown.at(-1) === contents.at(-1) && (await page.locator('.pending').count()) === 0
      }
      await pollUntil('the page shows the last message', isWhole, () => shown.length)
      t.ok(shown.length >= Math.min(MESSAGES, 50), 'a page shows a window of the newest')
      t.same(shown, contents.slice(-shown.length), 'without a gap, in the order of the server')
    }
  },
)

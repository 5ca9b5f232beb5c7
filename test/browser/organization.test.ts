/** The busy organization of other tests is one that a server could have made, and the client is well in it. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { check } from '../../server/admin/check.ts'
import { UNREAD_CONVERSATIONS } from './fill-organization.ts'
import { findFaults } from './find-faults.ts'
import { startBusyTeam } from './start-organization.ts'

const team = await startBusyTeam(t)
const { server } = team

t.test(
  '[BUSY1] the busy organization of tests has no differences, and 600 unread conversations',
  async (t) => {
    const result = await check(server.databaseUrl, server.node.services.fileStore)
    t.strictSame(result.differences, [])
    t.match(result, { ok: true, is_log_complete: true, processes: 1 })
    const { unread_msgs: unread } = await server.as('member').must('POST', '/register', {
      event_types: ['message'],
      fetch_event_types: ['message', 'update_message_flags'],
    })
    t.equal(unread.streams.length + unread.pms.length + unread.huddles.length, UNREAD_CONVERSATIONS)
    const { messages } = await server.as('member').must('GET', '/messages', {
      anchor: 'newest',
      num_before: 5_000,
      num_after: 0,
    })
    const now = Math.floor(Date.now() / 1_000)
    t.ok(
      messages.some(({ timestamp }) => timestamp < now - 20 * 86_400),
      'it is some weeks old',
    )
    t.ok(messages.some(({ content }) => content.includes('<table>')))
    t.ok(messages.some(({ submessages }) => submessages.length > 0))
  },
)

/** Views, each by its address and what it shows when it is ready. */
const VIEWS: Readonly<Record<string, readonly [address: string, shown: string]>> = {
  inbox: ['#inbox', '.inbox .line'],
  recent: ['#recent', '.inbox .line'],
  channel: ['#narrow/channel/1-engineering', '.message'],
  topic: ['#narrow/channel/1-engineering/topic/Flaky.20uploads', '.message'],
  direct: ['#narrow/dm/2-ines', '.message'],
  search: ['#narrow/search/review', '.highlight'],
}

t.test('[BUSY2] in a busy organization each view fits its window, and axe finds nothing', async (t) => {
  const page = await team.openAs(t, 'member')
  for (const [name, [address, shown]] of Object.entries(VIEWS)) {
    await go(page, address)
    await page.locator(shown).first().waitFor()
    t.same(await findFaults(page, `organization-${name}`), [], name)
  }
})

async function go(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), address)
}

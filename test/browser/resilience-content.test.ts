/** Many messages, hostile ones, small screens and other scripts: the page stays whole, and of this server alone. */

import type { Page } from 'playwright-core'
import t from 'tap'
import type { LogEvent } from '../../server/domain/events.ts'
import type { ChannelId, UserId } from '../../server/domain/ids.ts'
import { commitEvents } from '../harness/worlds/commit-events.ts'
import { write } from './conversation.ts'
import { startTeam } from './team.ts'

const UNREAD = 10_000
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const { server, openAs } = await startTeam(t)
const owner = server.as('owner')
await owner.must('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'plans' }, { name: 'busy' }],
  principals: [owner.userId, server.as('member').userId, server.as('member2').userId],
  send_new_subscription_messages: false,
})
const idOf = async (name: string) =>
  (await owner.must('GET', `/get_stream_id?stream=${name}`)).stream_id as number
const plans = await idOf('plans')
const busy = await idOf('busy')

t.test(
  '[WHOLE1] a whole journey asks this server alone, and the policy blocks an injected script',
  async (t) => {
    const path = `/#narrow/channel/${plans}-plans/topic/policy`
    const page = await openAs(t, 'member', { path })
    const foreign: string[] = []
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== server.node.url) foreign.push(request.url())
    })
    await page.reload()
    await write(page, 'a picture: https://example.com/picture.png and ![it](https://example.com/other.png)')
    await page.locator('[role=log] [data-id]').getByText('a picture').waitFor()
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    t.same(foreign, [])
    const outcome = await page.evaluate(() => {
      const blocked: string[] = []
      document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective))
      const script = document.createElement('script')
      try {
        script.textContent = 'globalThis.isInjected = true'
      } catch {
        blocked.push('assignment')
      }
      document.head.append(script)
      let isMarkupTaken = true
      try {
        document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="globalThis.isInjected = true">')
      } catch {
        isMarkupTaken = false
      }
      return { isMarkupTaken, isInjected: 'isInjected' in globalThis, assigned: blocked }
    })
    t.match(outcome, { isMarkupTaken: false, isInjected: false, assigned: ['assignment'] })
    const inline = await page.evaluate(async () => {
      const blocked = new Promise((resolve) =>
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective)),
      )
      const link = document.createElement('a')
      link.setAttribute('href', 'javascript:globalThis.isInjected = true')
      document.body.append(link)
      link.click()
      return { directive: await blocked, isInjected: 'isInjected' in globalThis }
    })
    t.match(inline, { directive: /^(script-src|require-trusted-types-for)/, isInjected: false })
  },
)

t.test('[WHOLE2] a hostile message and hostile names stay text', async (t) => {
  const hostile =
    '<img src=x onerror="globalThis.isInjected = true"><script>globalThis.isInjected = true</script>'
  await server.as('member2').send('plans', `<b onclick="1">${'x'.repeat(20)}`, hostile)
  await server
    .as('member2')
    .send(
      'plans',
      'long',
      `${'W'.repeat(3_000)}\n\n${'> '.repeat(50)}deep\n\n\`\`\`\n${'y'.repeat(2_000)}\n\`\`\``,
    )
  const page = await openAs(t, 'member', { ...PHONE, path: `/#narrow/channel/${plans}-plans` })
  await page.locator('[role=log] [data-id]').getByText('<script>').waitFor()
  t.equal(await page.evaluate(() => 'isInjected' in globalThis), false)
  t.ok(await fits(page), 'nothing is wider than the screen of a phone')
})

t.test('[WHOLE3] names and messages from right to left are shown in their direction', async (t) => {
  await owner.must('PATCH', `/users/${server.as('member2').userId}`, { full_name: 'יעל כהן' })
  await server.as('member2').send('plans', 'שלום', 'מה שלומך? (test)')
  const page = await openAs(t, 'member', { path: `/#narrow/channel/${plans}-plans/topic/שלום` })
  const row = page.locator('[role=log] [data-id]').last()
  await row.getByText('מה שלומך?').waitFor()
  const direction = (text: string) =>
    row
      .getByText(text)
      .first()
      .evaluate((one) => getComputedStyle(one).direction)
  t.equal(await direction('יעל כהן'), 'rtl')
})

t.test('[WHOLE4] on a phone people go from the Inbox to a conversation, write, and come back', async (t) => {
  await server.as('member').send('plans', 'phone', 'Are you on the train?')
  const page = await openAs(t, 'member2', PHONE)
  await page.getByRole('main').getByRole('link', { name: /phone/ }).click()
  await page.getByRole('log').getByText('Are you on the train?').waitFor()
  await page.getByLabel('Message', { exact: true }).fill('Yes, until six')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.locator('[role=log] [data-id]').getByText('Yes, until six').waitFor()
  t.ok(await fits(page))
  await page.goBack()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  t.ok(await fits(page))
})

t.test(
  '[WHOLE5] with 10,000 unread messages the Inbox counts them, and their channel opens at the first',
  async (t) => {
    const senderId = server.as('member2').userId as UserId
    const events = Array.from(
      { length: UNREAD },
      (_, mark): LogEvent => ({
        type: 'message',
        channelId: busy as ChannelId,
        conversationId: null,
        userIds: null,
        topic: `topic ${mark % 20}`,
        senderId,
        content: `line ${mark}`,
        rendered: `<p>line ${mark}</p>`,
        sentAt: 1_700_000_000 + mark,
        client: 'API',
        readById: null,
        queueId: null,
        localId: null,
      }),
    )
    for (let start = 0; start < UNREAD; start += 1_000)
      await commitEvents(server, events.slice(start, start + 1_000))
    const page = await openAs(t, 'member')
    const inbox = page.getByRole('main')
    await inbox.getByRole('button', { name: '15 more topics' }).click()
    const line = inbox.getByRole('link', { name: /topic 7\b/ })
    await line.getByText(String(UNREAD / 20)).waitFor()
    await page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('link', { name: 'busy 999+ unread' })
      .click()
    await page.locator('[role=log] [data-id]').getByText('line 0', { exact: true }).waitFor()
  },
)

function fits(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
}

/** Ways to places in a long conversation: a day, and the first unread message. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { startTeam } from './team.ts'

const DAY_S = 86_400
const DAYS = 6
/** All days are counted from this time: the test may run over midnight. */
const NOW_S = Math.floor(Date.now() / 1_000)
const { server, openAs } = await startTeam(t)
const { sql } = server.node.services
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['plans'], { principals: [owner.userId, member.userId] })
// Each day but the fourth has nearly as many messages as a page; the last one is today.
for (let day = 0; day < DAYS; day++) {
  if (day === 3) continue
  for (let count = 0; count < 40; count++) {
    const id = await owner.send('plans', 'long', `Day ${day}, ${count}`)
    await sql`update messages set sent_at = ${NOW_S - (DAYS - 1 - day) * DAY_S} where id = ${id}`
  }
}
const { stream_id: channelId } = await owner.must('GET', '/get_stream_id?stream=plans')
await owner.must('POST', '/mark_topic_as_read', { stream_id: channelId, topic_name: 'long' })
const path = `/#narrow/channel/${channelId}-plans/topic/long`

/** The day so many days before the last one, as a date field has it. */
const dayOf = (page: Page, daysAgo: number) =>
  page.evaluate(
    (ms) => {
      const date = new Date(ms)
      const two = (part: number) => String(part).padStart(2, '0')
      return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
    },
    (NOW_S - daysAgo * DAY_S) * 1_000,
  )
const message = (page: Page, text: string) => page.getByRole('log').getByText(text, { exact: true })

t.test('[JUMP1] the head leads to the first message of a day, or of the next one that has any', async (t) => {
  const page = await openAs(t, 'owner', { path })
  await message(page, 'Day 5, 39').waitFor()
  const field = page.getByLabel('Date', { exact: true })
  await field.fill(await dayOf(page, 4))
  await message(page, 'Day 1, 0').waitFor()
  await page.waitForFunction(isOnScreen, 'Day 1, 0')
  t.equal(await message(page, 'Day 5, 39').count(), 0, 'the messages between are not loaded')
  t.match(page.url(), /\/near\/\d+$/)
  await field.fill(await dayOf(page, 2))
  await page.waitForFunction(isOnScreen, 'Day 4, 0')
  await page.getByRole('button', { name: 'Latest messages' }).click()
  await page.waitForFunction(isOnScreen, 'Day 5, 39')
  await field.fill('')
  await field.fill(await dayOf(page, 2))
  await page.waitForFunction(isOnScreen, 'Day 4, 0')
  await field.fill(await dayOf(page, -2))
  await page.getByText('No messages since that date').waitFor()
  await page.waitForFunction(isOnScreen, 'Day 5, 39')
})

t.test(
  '[JUMP2] the menu of the head and a key open the picker of the browser, which knows today',
  async (t) => {
    const page = await openAs(t, 'owner', { path })
    await message(page, 'Day 5, 39').waitFor()
    await page.evaluate(() => {
      HTMLInputElement.prototype.showPicker = function () {
        Object.assign(globalThis, { askedUntil: this.max })
      }
    })
    await page.getByRole('button', { name: /^(Channel|Topic) menu/ }).click()
    await page.getByRole('menuitem', { name: 'Jump to date' }).click()
    await page.waitForFunction(() => 'askedUntil' in globalThis)
    t.match(await page.evaluate(() => Reflect.get(globalThis, 'askedUntil')), /^\d{4}-\d\d-\d\d$/)
    await page.getByRole('log').focus()
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'askedUntil'))
    await page.keyboard.press('d')
    await page.waitForFunction(() => 'askedUntil' in globalThis)
  },
)

t.test('[JUMP3] a button leads to the first unread message, wherever one begins to read', async (t) => {
  const [{ id: newestId }] = (
    await member.must('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  ).messages.slice(-1)
  const page = await openAs(t, 'member', { path: `${path}/near/${newestId}` })
  await page.waitForFunction(isOnScreen, 'Day 5, 39')
  await page.getByRole('button', { name: 'Jump to first unread' }).click()
  await page.waitForFunction(isOnScreen, 'Day 0, 0')
  await page.locator('.part.new').waitFor()
  await page.getByRole('button', { name: 'Jump to first unread' }).waitFor({ state: 'detached' })
  t.equal(await message(page, 'Day 5, 39').count(), 0)
})

/** Whether a message with a text is in the window; runs in the page. */
function isOnScreen(text: string): boolean {
  const list = document.querySelector('[role=log]')?.getBoundingClientRect()
  const found = [...document.querySelectorAll('[data-id] .rendered')].find(
    (one) => one.textContent?.trim() === text,
  )
  const box = found?.getBoundingClientRect()
  return list !== undefined && box !== undefined && box.top >= list.top && box.bottom <= list.bottom
}

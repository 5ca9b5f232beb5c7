/** Dialogs about a message, the last own message under the arrow, and drafts that wait in their topics. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['plans'], { principals: [owner.userId, member.userId] })
await owner.subscribe(['reports'], { principals: [owner.userId, member.userId], invite_only: true })
const channelId = async (name: string) =>
  (await owner.must('GET', '/get_stream_id', { stream: name })).stream_id as number
const [plansId, reportsId] = [await channelId('plans'), await channelId('reports')]
await owner.must('PATCH', '/realm', { moderation_request_channel_id: reportsId })
const messageId = await owner.send('plans', 'soup', 'Too hot to eat')
const path = `/#narrow/channel/${plansId}-plans/topic/soup`
const page = await openAs(t, 'member', { path })

async function choose(name: string): Promise<void> {
  const row = page.locator('[role=log] [data-id]', { hasText: 'Too hot to eat' })
  await row.hover()
  await row.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
const composer = (from: Page) => from.getByLabel('Message', { exact: true })

t.test('[TOOLS20] a report reaches the channel of the moderators with its reason', async (t) => {
  await choose('Report')
  const dialog = page.getByRole('dialog', { name: 'Report this message' })
  await dialog.getByRole('radio').last().check()
  await dialog.getByLabel('Details for the moderators').fill('It burns')
  await dialog.getByRole('button', { name: 'Report' }).click()
  await page.getByText('Report sent to the moderators').waitFor()
  const narrow = [{ operator: 'channel', operand: reportsId }]
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow,
  })
  t.match(messages.at(-1).content, /It burns/)
})

t.test('[TOOLS21] a reminder is set for a message, with a note', async (t) => {
  await choose('Remind me')
  const dialog = page.getByRole('dialog', { name: 'Remind me' })
  await dialog.getByLabel('Note to yourself').fill('Blow first')
  await dialog.getByLabel('Custom time').fill('2099-01-02T03:04')
  await dialog.getByRole('button', { name: 'Remind me' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { reminders } = await member.must('GET', '/reminders')
  t.match(reminders, [{ reminder_target_message_id: messageId }])
})

t.test('[TOOLS22] a forwarded message is quoted in the composer of its new place', async (t) => {
  await choose('Forward')
  const dialog = page.getByRole('dialog', { name: 'Forward' })
  await dialog.getByLabel('To').selectOption({ label: 'reports' })
  await dialog.getByRole('textbox', { name: 'Topic' }).fill('from elsewhere')
  await dialog.getByRole('button', { name: 'Write' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL(/reports\/topic\/from\.20elsewhere/)
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('Too hot to eat'))
  t.match(await composer(page).inputValue(), /```quote/)
})

t.test('[TOOLS23] a draft waits in its topic, whatever is opened between', async (t) => {
  await page.goto(path)
  await page.getByRole('log').getByText('Too hot to eat').waitFor()
  await composer(page).fill('Half a spoon')
  await page.goto('/#inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.goto(`${path}%20of%20others`)
  await page.getByText('No messages yet.').waitFor()
  t.equal(await composer(page).inputValue(), '')
  await page.goto(path)
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Half a spoon')
  await composer(page).fill('')
})

t.test('[TOOLS24] the arrow up in an empty composer edits the last own message', async (t) => {
  await composer(page).fill('Cold again')
  await composer(page).press('Enter')
  await page.locator('[role=log] [data-id]').getByText('Cold again', { exact: true }).waitFor()
  await composer(page).press('ArrowUp')
  const field = page.getByLabel('Message text')
  await field.waitFor()
  t.equal(await field.inputValue(), 'Cold again')
  await field.fill('Warm again')
  await field.press('Enter')
  await page.locator('[role=log] [data-id]').getByText('Warm again', { exact: true }).waitFor()
})

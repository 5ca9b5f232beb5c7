/** Pins of messages and topics in the browser client. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const owner = server.as('owner')
await owner.subscribe(['plans'], { principals: [1, 4, 6] })
await owner.send('plans', 'runbook', 'Runbook: who does what')
await owner.send('plans', 'lunch', 'Noodles?')
const [page, guest] = await Promise.all([openAs(t, 'member'), openAs(t, 'guest')])
const strip = (shown: Page) => shown.getByRole('complementary', { name: 'Pinned' })

async function choose(shown: Page, text: string, name: string): Promise<void> {
  const row = shown.getByRole('article').filter({ hasText: text })
  await row.hover()
  await row.getByRole('button', { name: 'More' }).click()
  await shown.getByRole('menuitem', { name, exact: true }).click()
}

t.test('[PINNED1] a pinned message stands below the head of its channel, for everyone in it', async (t) => {
  await Promise.all([page, guest].map((shown) => shown.goto('/#narrow/channel/1-plans')))
  await page.getByRole('log').getByText('Runbook: who does what').waitFor()
  t.equal(await strip(page).count(), 0)
  await choose(page, 'Runbook: who does what', 'Pin')
  for (const shown of [page, guest]) await strip(shown).getByText('Runbook: who does what').waitFor()
  t.equal((await strip(page).boundingBox())?.height, 36)
  const link = strip(page).getByRole('link')
  t.equal(await link.evaluate((one) => getComputedStyle(one).textDecorationLine), 'none')
  await strip(guest).getByRole('link').click()
  await guest.waitForURL(/topic\/runbook\/near\/\d+$/)
  const row = guest.getByRole('article').filter({ hasText: 'Runbook' })
  await row.hover()
  await row.getByRole('button', { name: 'More' }).click()
  await guest.getByRole('menuitem').first().waitFor()
  t.equal(await guest.getByRole('menuitem', { name: 'Unpin' }).count(), 0, 'guests may not')
  await guest.keyboard.press('Escape')
})

t.test('[PINNED2] a pinned topic is first in the panel, and is unpinned there', async (t) => {
  await page.goto('/#narrow/channel/1-plans/topic/lunch')
  await page.getByRole('log').getByText('Noodles?').waitFor()
  const messageId = await owner.send('plans', 'lunch', 'Soup?')
  await owner.must('POST', `/messages/${messageId}/pin`, { kind: 'topic' })
  await strip(page).getByRole('link', { name: 'lunch' }).waitFor()
  await strip(page).getByRole('button', { name: '1 more' }).click()
  await page.goto('/#narrow/channel/1-plans')
  const panel = page.getByRole('complementary', { name: 'Details' })
  const links = panel.getByRole('region', { name: 'Pinned' }).getByRole('link')
  await links.nth(1).getByText('Runbook: who does what').waitFor()
  t.equal(await links.nth(0).innerText(), 'lunch')
  await panel.getByRole('button', { name: 'Unpin' }).first().click()
  await strip(guest).getByText('Runbook: who does what').waitFor()
  await choose(page, 'Runbook: who does what', 'Unpin')
  for (const shown of [page, guest]) await strip(shown).waitFor({ state: 'detached' })
})

t.test(
  '[PINNED3] a pin shows what its message says after an edit, and leads there after a move',
  async (t) => {
    const id = await owner.send('plans', 'keys', 'The key is under the mat')
    await owner.must('POST', `/messages/${id}/pin`)
    await page.goto('/#narrow/channel/1-plans')
    await strip(page).getByText('The key is under the mat').waitFor()
    await owner.must('PATCH', `/messages/${id}`, { content: 'The key is with Maya' })
    await strip(page).getByText('The key is with Maya').waitFor()
    await owner.must('PATCH', `/messages/${id}`, { topic: 'spare keys', propagate_mode: 'change_all' })
    await page.waitForFunction(() =>
      document.querySelector('.strip a')?.getAttribute('href')?.includes('spare.20keys'),
    )
    t.equal(await strip(page).getByRole('link').innerText(), 'The key is with Maya')
  },
)

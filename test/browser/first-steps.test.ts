/** The first minutes of an owner: from the link of the set-up to a card with next steps. */

import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { startEmpty } from '../harness/servers/start-empty.ts'
import { findFaults } from './find-faults.ts'

t.test(
  '[ADMIN20] after the set-up the owner finds next steps in the Inbox, and what a topic is in a channel, until dismissed',
  async (t) => {
    const { nodes, path } = await startEmpty(t)
    const browser = await startChromium(t)
    const context = await browser.newContext({
      baseURL: nodes[0].url,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    await page.goto(path)
    await page.getByLabel('organization').fill('Harbour')
    await page.getByLabel('Your name').fill('Ann Sailor')
    await page.getByRole('textbox', { name: 'Email address' }).fill('ann@example.com')
    await page.getByLabel('password').fill('correct horse battery')
    await page.getByRole('button').click()
    await page.getByRole('link', { name: 'Open Parley' }).click()
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await page.getByRole('button', { name: 'Copy invitation link' }).click()
    await page.getByText('Link copied').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    t.equal(await page.getByLabel('Invitation link').inputValue(), link)
    t.equal((await fetch(link)).status, 200, 'people can join by it')
    t.same(await findFaults(page), [])
    await page.getByRole('link', { name: 'New channel' }).click()
    await page.getByRole('heading', { name: 'New channel' }).waitFor()
    await page.goto('/#inbox')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await page.getByText('You’re all caught up').waitFor()
    t.equal(await page.getByRole('heading', { name: 'Get started' }).count(), 0)

    await page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('link', { name: 'general', exact: true })
      .click()
    const tour = page.getByRole('complementary', { name: 'About topics' })
    await tour.getByText('Each conversation has a topic.').waitFor()
    t.same(await findFaults(page), [])
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await tour.getByRole('button', { name: 'Got it' }).click()
    await tour.waitFor({ state: 'detached' })
    t.match((await saved).url(), /\/settings$/)
    await page.reload()
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    t.equal(await tour.count(), 0)
  },
)

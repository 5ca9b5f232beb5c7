/** The views and parts of the client that no other file gives to axe: settings, channels, people, dialogs and menus. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { findFaults } from './find-faults.ts'
import { startTeam } from './team.ts'

const team = await startTeam(t)
const [owner, member] = [team.server.as('owner'), team.server.as('member')]
await owner.subscribe(['plans'], { principals: [owner.userId, member.userId] })
await owner.send('plans', 'lunch', 'Noodles?')
const own = await member.send('plans', 'lunch', 'Soop')
await member.must('PATCH', `/messages/${own}`, { content: 'Soup' })
const TOPIC = 'narrow/channel/1/topic/lunch'

/** Addresses of views, and a text or field that shows that they are loaded. */
const VIEWS: Readonly<Record<string, string>> = {
  feed: '.message',
  'settings/profile': 'text=Choose a picture',
  'settings/appearance': 'text=Line height',
  'settings/notifications': 'text=Sound and counts',
  'settings/account': '.page h2, .page p, .page li',
  'settings/sessions': '.page h2, .page p, .page li',
  'settings/muted': '.page h2, .page p, .page li',
  'settings/alert-words': '.page h2, .page p, .page li',
  'settings/snippets': '.page h2, .page p, .page li',
  'settings/uploads': '.page h2, .page p, .page li',
  'settings/bots': '.page h2, .page p, .page li',
  channels: '.card',
  'channels/new': 'text=Who may read',
  'channels/folders': '.page',
  'channels/1': '.page input',
  [`user/${owner.userId}`]: '.profile',
  'narrow/channel/999': '[role=alert]',
}

const goTo = (page: Page, address: string) => page.evaluate((hash) => (location.hash = hash), address)

t.test('[FAULTS1] axe finds nothing in settings, channels, profiles and lists', async (t) => {
  const page = await team.openAs(t, 'owner')
  for (const [address, loaded] of Object.entries(VIEWS)) {
    await goTo(page, address)
    await page.locator(loaded).first().waitFor()
    t.same(await findFaults(page), [], address)
  }
})

/** Parts that are opened in a topic, and how. */
const PARTS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the help': async (page) => page.keyboard.press('?'),
  'the status': async (page) => {
    await page.getByRole('button', { name: 'You' }).click()
    await page.getByRole('menuitem', { name: 'Set status' }).click()
  },
  'the history': async (page) => chooseInMenu(page, 'Edit history'),
  'a move': async (page) => chooseInMenu(page, 'Move'),
  'the search': async (page) => page.getByRole('combobox', { name: 'Search' }).fill('is:'),
  'a completion': async (page) => page.getByLabel('Message', { exact: true }).pressSequentially('@'),
  'the emoji': async (page) => page.getByRole('button', { name: 'Emoji', exact: true }).click(),
}

/** An element of each part, to wait for. */
const OPEN = 'dialog[open], [role=menu], [role=listbox]:not([hidden]), [role=grid]'

t.test('[FAULTS2] axe finds nothing in dialogs, menus and completions', async (t) => {
  for (const [name, open] of Object.entries(PARTS)) {
    const page = await team.openAs(t, 'owner', { path: `/#${TOPIC}` })
    await page.getByRole('log').getByText('Soup').waitFor()
    await page.getByLabel('Message', { exact: true }).waitFor()
    await page.keyboard.press('Escape') // Out of the composer, where keys are words.
    await open(page)
    await page.locator(OPEN).first().waitFor()
    t.same(await findFaults(page), [], name)
    await page.context().close()
  }
})

t.test('[FAULTS3] axe finds nothing in an edit', async (t) => {
  const page = await team.openAs(t, 'member', { path: `/#${TOPIC}` })
  await page.locator(`#message-${own}`).hover()
  await page.locator(`#message-${own}`).getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Text of the message').waitFor()
  t.same(await findFaults(page), [])
})

async function chooseInMenu(page: Page, name: string): Promise<void> {
  const row = page.locator(`#message-${own}`)
  await row.hover()
  await row.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

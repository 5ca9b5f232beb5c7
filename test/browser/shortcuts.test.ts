/** Journeys through the client by the keyboard alone. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { emailOf } from '../harness/servers/start-server.ts'
import { openPage, startTeam } from './team.ts'

const team = await startTeam(t)
const [owner, member] = [team.server.as('owner'), team.server.as('member')]
await owner.subscribe(['plans', 'garden'], { principals: [owner.userId, member.userId] })
await owner.send('plans', 'lunch', 'Noodles?')
await owner.send('plans', 'lunch', 'Or **soup**')
await owner.send('garden', 'roses', 'The red ones are out')
await owner.sendDirect([member.userId], 'See you there')

/** Waits until an element with such a name has the focus: the code of a view or of the keyboard may come late. */
const focusIsOn = (page: Page, name: RegExp) =>
  page.waitForFunction((source) => {
    const { activeElement: element } = document
    return new RegExp(source).test(element?.getAttribute('aria-label') ?? element?.textContent ?? '')
  }, name.source)

t.test('[WEBKEY1] by keyboard alone a person logs in, reads, replies and returns', async (t) => {
  const page = await openPage(t, team.browser, team.server.node.url)
  await page.goto('/')
  await page.getByLabel('Email address').waitFor()
  while ((await page.locator(':focus').getAttribute('type')) !== 'email') await page.keyboard.press('Tab')
  await page.keyboard.type(emailOf('member'))
  await page.keyboard.press('Tab')
  await page.keyboard.type('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.getByRole('link', { name: /lunch.*Or soup/ }).waitFor()
  // The Inbox has direct messages first, then the newest channel.
  for (const line of [/See you there/, /The red ones/, /Or soup/]) {
    await page.keyboard.press('j')
    await focusIsOn(page, line)
  }
  await page.keyboard.press('Enter')
  const list = page.getByRole('log')
  await list.getByText('Noodles?').waitFor()
  await focusIsOn(page, /^Message$/)
  await page.keyboard.press('Escape')
  await focusIsOn(page, /The owner/)
  await page.keyboard.press('k')
  t.equal(await page.locator(':focus .rendered').innerText(), 'Noodles?')
  const describedBy = await page.locator(':focus').getAttribute('aria-describedby')
  t.equal(await page.locator(`#${describedBy}`).innerText(), 'Noodles?', 'screen readers read the text')
  await page.keyboard.press('j')
  await page.keyboard.press('>')
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('Or **soup**'))
  const quote = await page.getByLabel('Message', { exact: true }).inputValue()
  t.match(
    quote,
    /^@_\*\*The owner\|1\*\* \[said\]\(http.*#narrow\/channel\/.*near\/\d+\):\n```quote\nOr \*\*soup/,
  )
  await page.keyboard.type('Soup it is')
  await page.keyboard.press('Enter')
  await list.getByText('Soup it is').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await focusIsOn(page, /^Inbox/)
})

t.test('[WEBKEY2] keys lead to the next unread conversation, and to the next direct one', async (t) => {
  const page = await team.openAs(t, 'member')
  await page.getByRole('link', { name: /roses/ }).first().waitFor()
  await page.keyboard.press('p')
  await page.getByRole('heading', { name: 'The owner' }).waitFor()
  // No field takes the focus, so that keys go on being shortcuts.
  await focusIsOn(page, /The owner/)
  await page.getByRole('log').getByText('See you there').waitFor()
  await page.keyboard.press('n')
  await page.getByRole('heading', { name: /garden.*roses/ }).waitFor()
  await page.getByRole('log').getByText('The red ones are out').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('*')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await page.getByRole('log').getByText('The red ones are out').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('u')
  await page.getByText('One message marked as unread').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /roses.*The red ones/ }).waitFor()
})

t.test(
  '[WEBKEY8] a message is marked as unread after it was marked as read, however late that is',
  async (t) => {
    const page = await team.openAs(t, 'member')
    const [isAsked, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/api/v1/messages/flags', async (route) => {
      isAsked.resolve()
      await isHeld.promise
      await route.continue()
    })
    await page.getByRole('link', { name: /roses/ }).first().waitFor()
    await page.keyboard.press('n')
    await page.getByRole('log').getByText('The red ones are out').waitFor()
    await isAsked.promise
    await page.keyboard.press('j')
    await page.keyboard.press('u')
    // A request that did not wait would be answered before this one.
    await page.evaluate(async () => (await fetch('/api/v1/users/me')).text())
    isHeld.resolve()
    t.match(await page.getByText('marked as unread').textContent(), /^One message marked as unread/)
  },
)

t.test('[WEBKEY3] the help on the keyboard lists every shortcut that has an effect', async (t) => {
  const page = await team.openAs(t, 'member')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Next unread conversation').waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  t.ok(await page.getByRole('heading', { name: 'Inbox' }).isVisible(), 'Escape left only the help')
})

t.test('[WEBKEY7] Escape closes one thing at a time, and does not leave a conversation', async (t) => {
  const page = await team.openAs(t, 'member')
  await page.getByRole('link', { name: /roses/ }).first().click()
  await page.getByRole('log').getByText('The red ones are out').waitFor()
  const address = page.url()
  const menu = page.getByRole('menu')
  await page.getByRole('log').getByText('The red ones are out').hover()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await menu.waitFor()
  await page.getByLabel('Message', { exact: true }).focus()
  await page.keyboard.type('@')
  await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  t.equal(await page.getByRole('listbox', { name: 'Suggestions' }).count(), 1, 'the menu was above it')
  await page.keyboard.press('Escape')
  await page.getByRole('listbox', { name: 'Suggestions' }).waitFor({ state: 'detached' })
  await focusIsOn(page, /^Message$/)
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await focusIsOn(page, /The owner/)
  for (let time = 0; time < 3; time++) await page.keyboard.press('Escape')
  t.equal(page.url(), address)
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
})

t.test('[WEBKEY4] a new message is spoken to screen readers, and the list of messages is not', async (t) => {
  const page = await team.openAs(t, 'member')
  // Perhaps with a count: a page that was closed says last what was read.
  await page
    .locator('.side')
    .getByRole('link', { name: /^plans/ })
    .click()
  await page.getByRole('log').getByText('Noodles?').waitFor()
  const spoken = page.getByRole('status', { name: 'New messages' })
  t.equal(await spoken.textContent(), '')
  t.equal(await page.getByRole('log').getAttribute('aria-live'), 'off')
  await owner.send('garden', 'roses', 'Elsewhere')
  await owner.send('plans', 'lunch', 'At *noon*')
  await spoken.getByText('The owner: At noon').waitFor()
})

t.test('[WEBKEY5] a message that comes before the code that speaks is spoken, too', async (t) => {
  const page = await team.openAs(t, 'member')
  const gate = Promise.withResolvers<void>()
  await page.route('**/app/writing-*.js', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page
    .locator('.side')
    .getByRole('link', { name: /^plans/ })
    .click()
  await page.reload()
  await page.getByRole('log').getByText('Noodles?').waitFor()
  await owner.send('plans', 'lunch', 'Or rice?')
  await page.getByRole('log').getByText('Or rice?').waitFor()
  gate.resolve()
  await page.getByRole('status', { name: 'New messages' }).getByText('The owner: Or rice?').waitFor()
})

t.test('[WEBKEY6] a key that is pressed before the code of the keyboard is there takes effect', async (t) => {
  const page = await team.openAs(t, 'member')
  const gate = Promise.withResolvers<void>()
  await page.route('**/app/writing-*.js', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  gate.resolve()
  await page.getByRole('heading', { name: 'Recent' }).waitFor()
})

t.test(
  '[WEBKEY9] menus and tips say the keys of their actions, which are no part of their names',
  async (t) => {
    const page = await team.openAs(t, 'owner')
    const lunch = `#narrow/channel/1-plans/topic/lunch`
    await page.evaluate((hash) => (location.hash = hash), lunch)
    await page.getByRole('article').filter({ hasText: 'Noodles?' }).hover()
    const tools = page.getByRole('toolbar', { name: 'Message tools' })
    t.equal(
      await tools.getByRole('button', { name: 'React', exact: true }).getAttribute('title'),
      'React (+)',
    )
    t.equal(
      await tools.getByRole('button', { name: 'Reply', exact: true }).getAttribute('title'),
      'Reply (R)',
    )
    await tools.getByRole('button', { name: 'More', exact: true }).click()
    const items = page.getByRole('menuitem')
    t.equal(await items.and(page.getByText('Quote')).locator('kbd').innerText(), '>')
    t.equal(await page.getByRole('menuitem', { name: 'Edit', exact: true }).locator('kbd').innerText(), 'E')
    t.equal(await page.getByRole('menuitem', { name: 'Forward', exact: true }).locator('kbd').count(), 0)
  },
)

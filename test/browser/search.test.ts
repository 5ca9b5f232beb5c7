/** Journeys of people who look for a message. */

import t from 'tap'
import type { Locator } from 'playwright-core'
import { startTeam } from './team.ts'

const team = await startTeam(t)
const [owner, member] = [team.server.as('owner'), team.server.as('member')]
await owner.subscribe(['plans', 'garden'], { principals: [owner.userId, member.userId] })
await owner.send('garden', 'roses', 'The red ones are out')
await owner.send('garden', 'roses', 'Nobody waters them')
await owner.send('plans', 'roses', 'Buy red roses')
await member.send('garden', 'tools', 'The red barrow is broken')

t.test(
  '[FIND4] a search by operators and words shows highlighted matches, and opens one in its place',
  async (t) => {
    const page = await team.openAs(t, 'member')
    const field = page.getByRole('combobox', { name: 'Search' })
    await field.click()
    await page.keyboard.type('chan')
    await page.getByRole('option', { name: /^channel:/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    t.match(await field.getAttribute('aria-activedescendant'), /-0$/)
    await page.keyboard.press('Enter')
    t.equal(await field.inputValue(), 'channel:')
    await page.keyboard.type('gar')
    await page.getByRole('option', { name: /channel:garden/ }).click()
    await page.keyboard.type('sender:"the owner" red')
    await page.keyboard.press('Enter')
    const list = page.getByRole('log')
    await list.getByText('red', { exact: true }).waitFor()
    t.same(await list.locator('article .rendered').allInnerTexts(), ['The red ones are out'])
    t.same(await list.locator('.highlight').allInnerTexts(), ['red'])
    // The field follows the address a moment later.
    await page.waitForFunction(
      (wanted) => document.querySelector<HTMLInputElement>('.search-field input')?.value === wanted,
      'channel:garden sender:"The owner" red',
    )
    t.match(page.url(), /#narrow\/channel\/.*\/sender\/1\/search\/red$/)
    await list.getByRole('link', { name: /garden.*roses/ }).click()
    await list.getByText('Nobody waters them').waitFor()
    await page.getByRole('heading', { name: /garden.*roses/ }).waitFor()
    t.match(page.url(), /near\/\d+$/)
    await page.goBack()
    await list.locator('.highlight').waitFor()
    await field.focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.getByRole('option', { name: /Recent search/ }).waitFor()
  },
)

t.test('[FIND5] a search without results says at once how to find more', async () => {
  const page = await team.openAs(t, 'member')
  // A state that appears late leaves the page empty until then.
  await page.evaluate(() => {
    const seen = new MutationObserver(() => {
      const state = document.querySelector('.list .empty-state')
      if (state) document.documentElement.dataset.emptyOpacity ??= getComputedStyle(state).opacity
    })
    seen.observe(document.body, { childList: true, subtree: true })
  })
  await page.getByRole('combobox', { name: 'Search' }).click()
  await page.keyboard.type('channel:plans barrow')
  await page.keyboard.press('Enter')
  await page.getByText('No messages found').waitFor()
  t.equal(await page.locator('html').getAttribute('data-empty-opacity'), '1')
  await page.getByRole('link', { name: 'Search without channel:plans' }).click()
  await page.getByRole('log').getByText('barrow', { exact: true }).waitFor()
})

t.test('[FIND6] a word in the search opens a channel or a person at once', async () => {
  const page = await team.openAs(t, 'member')
  await page.getByRole('combobox', { name: 'Search' }).click()
  await page.keyboard.type('gard')
  await page.getByRole('option', { name: /garden/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'garden' }).waitFor()
})

t.test(
  '[FIND15] chips narrow a search and widen it again, it says how much it found, and it can be saved',
  async (t) => {
    const page = await team.openAs(t, 'member')
    await page.getByRole('combobox', { name: 'Search' }).click()
    await page.keyboard.type('red')
    await page.keyboard.press('Enter')
    const found = page.locator('.search-strip').getByRole('status')
    await found.getByText('3 messages in 3 conversations').waitFor()
    await page.getByRole('button', { name: 'From: From anyone' }).click()
    await page.getByRole('menuitem', { name: 'The owner' }).click()
    await found.getByText('2 messages in 2 conversations').waitFor()
    await page.getByRole('button', { name: 'In: In any channel' }).click()
    await page.getByRole('menuitem', { name: '#plans' }).click()
    await found.getByText('1 message in 1 conversation').waitFor()
    t.match(page.url(), /channel\/.*\/sender\/1\/search\/red$/)
    await page.getByRole('link', { name: 'Remove sender:"The owner"' }).click()
    await page.getByRole('button', { name: 'From: From anyone' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Saved', pressed: true }).waitFor()
    const { navigation_views: views } = await member.must('GET', '/navigation_views')
    t.match(views, [{ name: 'channel:plans red', is_pinned: true }])
    // The account has it, so that another device offers it.
    const other = await team.openAs(t, 'member')
    await other.keyboard.press('Control+k')
    await other.getByRole('option', { name: 'channel:plans red' }).click()
    await other.getByRole('log').getByText('red', { exact: true }).waitFor()
    await other.getByRole('button', { name: 'Saved' }).click()
    await other.getByRole('button', { name: 'Save', exact: true }).waitFor()
  },
)

t.test(
  '[FIND20] chips hold a search to what has a file or link, and lead to its first match since a day',
  async (t) => {
    const first = await owner.send('plans', 'lamps', 'The lamp is at https://example.com/lamp')
    await owner.send('plans', 'lamps', 'A lamp without a link')
    const page = await team.openAs(t, 'member')
    await page.getByRole('combobox', { name: 'Search' }).click()
    await page.keyboard.type('lamp')
    await page.keyboard.press('Enter')
    const found = page.locator('.search-strip').getByRole('status')
    await found.getByText('2 messages in 1 conversation').waitFor()
    await page.getByRole('button', { name: 'Date: Any date' }).click()
    await page.getByRole('menuitem', { name: 'Since a week ago' }).click()
    await page.waitForURL(new RegExp(`search/lamp/near/${first}$`))
    await page.getByRole('button', { name: 'Has: Has file, link, picture' }).click()
    await page.getByRole('menuitem', { name: 'Has link' }).click()
    await found.getByText('1 message in 1 conversation').waitFor()
    t.match(page.url(), /#narrow\/has\/link\/search\/lamp/)
    await page.getByRole('link', { name: 'Remove has:link' }).click()
    await found.getByText('2 messages in 1 conversation').waitFor()
    await page.getByRole('button', { name: 'Has: Has file, link, picture' }).click()
    await page.getByRole('menuitem', { name: 'Has file' }).click()
    await page.getByText('No messages found').waitFor()
  },
)

t.test(
  '[FIND16] a search shows the newest matches or the best ones, which follow what happens to them',
  async (t) => {
    const tide = await owner.send('plans', 'tides', 'The tide table')
    for (const content of ['An untidey deck', 'tidewater']) await owner.send('plans', 'boats', content)
    const page = await team.openAs(t, 'member')
    await page.getByRole('combobox', { name: 'Search' }).click()
    await page.keyboard.type('tide')
    await page.keyboard.press('Enter')
    const list = page.getByRole('log')
    const textsOf = (messages: Locator) => messages.locator('article .rendered').allInnerTexts()
    await list.getByText('The tide table').waitFor()
    t.same(await textsOf(list), ['The tide table', 'An untidey deck', 'tidewater'], 'the newest is the last')
    const order = page.getByRole('group', { name: 'Sort by' })
    await order.getByRole('button', { name: 'Newest', pressed: true }).waitFor()
    await order.getByRole('button', { name: 'Best match' }).click()
    await order.getByRole('button', { name: 'Best match', pressed: true }).waitFor()
    const ranked = page.getByRole('region', { name: 'Messages' })
    await ranked.locator('.highlight').first().waitFor()
    t.same(await textsOf(ranked), ['The tide table', 'tidewater', 'An untidey deck'])
    t.equal(await list.count(), 0, 'it is not in the order of time, as a log is')
    // Another search is sorted in the same way.
    await page.getByRole('button', { name: 'In: In any channel' }).click()
    await page.getByRole('menuitem', { name: '#plans' }).click()
    await page.waitForURL(/channel\/.*search\/tide$/)
    await ranked.getByText('The tide table').waitFor()
    await owner.must('PATCH', `/messages/${tide}`, { content: 'The tide table of May' })
    await ranked.getByText('The tide table of May').waitFor()
    await owner.must('DELETE', `/messages/${tide}`)
    await ranked.getByText('The tide table of May').waitFor({ state: 'detached' })
    await ranked
      .getByRole('link', { name: /plans.*boats/ })
      .first()
      .click()
    await page.waitForURL(/near\/\d+$/)
    await page.goBack()
    await order.getByRole('button', { name: 'Newest' }).click()
    await list.getByText('An untidey deck').waitFor()
    t.ok(await order.getByRole('button', { name: 'Newest', pressed: true }).isVisible())
    t.same(await textsOf(list), ['An untidey deck', 'tidewater'])
  },
)

/** The client's views: lists of what one has begun and wants to find again. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { waitForComposer } from './conversation.ts'
import { startTeam } from './team.ts'

const team = await startTeam(t)
const [owner, member] = [team.server.as('owner'), team.server.as('member')]
const LATER = Math.floor(Date.now() / 1_000) + 86_400
await owner.subscribe(['plans', 'garden'], { principals: [owner.userId, member.userId] })
const mention = await owner.send('garden', 'roses', 'The red ones are out, @**The member**')
const own = await member.send('garden', 'roses', 'Then we water them tonight')
await owner.send('plans', 'lunch', 'Noodles, soup, or the new place at the corner?')
await owner.send('plans', 'quiet', 'Muted words')
await owner.sendDirect([member.userId], 'See you at noon')
await member.must('POST', '/user_topics', { stream_id: 1, topic: 'quiet', visibility_policy: 1 })
await member.must('POST', '/messages/flags', { messages: [mention, own], op: 'add', flag: 'starred' })
await member.must('POST', '/drafts', {
  drafts: [
    { type: 'stream', to: [1], topic: 'lunch', content: 'Perhaps **bread**' },
    { type: 'private', to: [owner.userId], topic: '', content: 'I will be late' },
  ],
})
await member.must('POST', '/scheduled_messages', {
  type: 'channel',
  to: 2,
  topic: 'roses',
  content: 'Water them now',
  scheduled_delivery_timestamp: LATER,
})
await member.must('POST', '/reminders', { message_id: mention, scheduled_delivery_timestamp: LATER })

const list = (page: Page) => page.locator('.inbox')

t.test('[FIND7] recent conversations are sorted by their last message, and filtered', async (t) => {
  const page = await team.openAs(t, 'member')
  await page.getByRole('link', { name: 'Recent', exact: true }).click()
  const lines = list(page).getByRole('link')
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
  await lines.filter({ hasText: 'lunch' }).waitFor()
  const names = () => list(page).locator('.line > b').allInnerTexts()
  t.same(
    (await names()).map((name) => name.replaceAll('\n', '')),
    ['The owner', 'plans›lunch', 'garden›roses'],
  )
  await page.getByRole('button', { name: 'Include muted' }).click()
  await lines.filter({ hasText: 'quiet' }).waitFor()
  await page.getByRole('button', { name: 'Include muted' }).click()
  await page.getByRole('button', { name: 'Participated' }).click()
  await lines.filter({ hasText: 'lunch' }).waitFor({ state: 'detached' })
  t.same(await names().then((all) => all.length), 2)
  await page.getByRole('button', { name: 'Participated' }).click()
  await owner.send('garden', 'roses', 'They drink')
  await page.waitForFunction(() => document.querySelector('.inbox .line')?.textContent.includes('They drink'))
})

t.test('[FIND8] drafts, scheduled messages and reminders are listed, changed and taken back', async (t) => {
  const page = await team.openAs(t, 'member')
  await page.getByRole('link', { name: /^Drafts/ }).click()
  const line = list(page).getByRole('listitem').filter({ hasText: 'Perhaps' })
  await line.getByRole('button', { name: 'Delete draft' }).click()
  await line.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await line.waitFor()
  await page.getByRole('link', { name: /^Scheduled/ }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Reschedule' }).click()
  await page.getByLabel('Date and time').fill('2031-04-05T09:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await list(page).getByText(/2031/).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Send now' }).click()
  await page.getByRole('log').getByText('Water them now').waitFor()
  const { scheduled_messages: left } = await member.must('GET', '/scheduled_messages')
  t.same(left, [], 'it is not sent again later')
  await page.getByRole('link', { name: /^Drafts/ }).click()
  await page.getByRole('link', { name: /^Reminders/ }).click()
  // It is a link once its message is loaded.
  await list(page).getByRole('link', { name: 'The red ones are out' }).click()
  await page.getByRole('heading', { name: /garden.*roses/ }).waitFor()
  t.match(page.url(), /near\/\d+$/)
})

t.test('[FIND9] a channel lists its topics, and a new direct conversation asks for its people', async (t) => {
  const page = await team.openAs(t, 'member')
  await page
    .locator('.side')
    .getByRole('link', { name: /^plans/ })
    .click()
  await page.getByRole('link', { name: /^(All topics|\d+ more topics?)/ }).click()
  await list(page).getByRole('link', { name: /quiet/ }).waitFor()
  await page.getByLabel('Find a topic').fill('lun')
  await list(page).getByRole('link', { name: /quiet/ }).waitFor({ state: 'detached' })
  await list(page).getByRole('link', { name: /lunch/ }).click()
  await page.getByRole('log').getByText('Noodles').waitFor()
  // The composer takes the focus, which Escape leads out of.
  await waitForComposer(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('x')
  await page.getByRole('dialog', { name: 'New direct message' }).waitFor()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('member2')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The member2' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

t.test('[FIND14] the dialog for a new direct message is no step of the history', async (t) => {
  const page = await team.openAs(t, 'member')
  await page.locator('.side').getByRole('link', { name: 'Starred' }).click()
  await page.locator('.side').getByRole('link', { name: 'Drafts' }).click()
  await page.getByRole('heading', { name: 'Drafts' }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'New direct message' })
  await page.keyboard.press('x')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL('**/#drafts')
  await page.goBack()
  await page.waitForURL(/starred$/)
  await page.keyboard.press('x')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('member2')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The member2' }).waitFor()
  await page.goBack()
  await page.waitForURL(/starred$/)
  await page.goto('/#inbox')
  // `goto` returns at any step within the page, also at the former one's mark: the browser would load that one again.
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.goto('/#new-direct')
  await dialog.waitFor()
  await page.reload()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/#inbox$/)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  t.match(page.url(), /#inbox$/)
})

t.test('[FIND11] the Inbox marks conversations, channels or all as read, and takes it back', async () => {
  const page = await team.openAs(t, 'member')
  for (const topic of ['first', 'second', 'second']) await owner.send('garden', topic, 'Words')
  await owner.send('plans', 'quiet', 'Words')
  const line = (text: string) => list(page).getByRole('link', { name: new RegExp(text) })
  // Of several messages: the note about one may still be there.
  const undo = page
    .locator('.toast', { hasText: 'messages marked as read' })
    .getByRole('button', { name: 'Undo' })
  await line('second').waitFor()
  await list(page).getByRole('button', { name: 'Mark first as read' }).click()
  await line('first').waitFor({ state: 'detached' })
  await list(page).getByRole('button', { name: 'Mark garden as read' }).click()
  await line('second').waitFor({ state: 'detached' })
  await undo.click()
  await line('second').waitFor()
  const fold = list(page).getByRole('button', { name: 'garden', exact: true })
  await fold.click()
  await line('second').waitFor({ state: 'detached' })
  await fold.click()
  await line('second').waitFor()
  await list(page).getByText('unread in muted conversations').waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByText('You’re all caught up').waitFor()
  await undo.click()
  await line('second').waitFor()
})

t.test(
  '[FIND12] however many conversations are unread, the Inbox draws those near the screen, and goes on by scrolling',
  async (t) => {
    const topics = Array.from({ length: 130 }, (_, index) => `topic ${index}`)
    for (const topic of topics) await owner.send('plans', topic, 'Words')
    const page = await team.openAs(t, 'member')
    await list(page)
      .getByRole('button', { name: /^\d+ more topics$/ })
      .click()
    await list(page)
      .getByRole('link', { name: /topic 129/ })
      .waitFor()
    t.ok((await list(page).locator('a.line').count()) < 60)
    const last = list(page).getByRole('link', { name: /topic 0 / })
    t.equal(await last.count(), 0)
    await list(page).evaluate((element) => (element.scrollTop = element.scrollHeight))
    await last.waitFor()
    t.ok((await list(page).locator('a.line').count()) < 60)
  },
)

t.test('[FIND13] a button leads to the newest messages, and counts the new ones', async () => {
  for (let count = 0; count < 60; count++) await owner.send('garden', 'long', `Words ${count}`)
  const page = await team.openAs(t, 'member')
  await page.goto(`${team.server.node.url}/#narrow/channel/2/topic/long`)
  await page.getByRole('log').getByText('Words 0', { exact: true }).waitFor()
  await page.getByRole('button', { name: /new messages/ }).click()
  await page.getByText('Words 59', { exact: true }).waitFor()
  await page.getByRole('button', { name: /new messages|Latest/ }).waitFor({ state: 'detached' })
})

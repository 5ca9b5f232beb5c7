/** Conversations that get another name or channel while people have them open, and links to them. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { pollUntil } from '../services/poll-until.ts'
import { textsOf, waitForFrames, write } from './conversation.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
await owner.subscribe(['plans'], { principals: [1, 4, 5] })
await owner.subscribe(['archive'], { invite_only: true, principals: [1, 4] })
const [page, other] = await Promise.all([openAs(t, 'member'), openAs(t, 'member2')])

const PLANS = 1
const ARCHIVE = 2
const heading = (shown: Page) => shown.getByRole('heading', { level: 1 })
const area = (shown: Page) => shown.getByLabel('Message', { exact: true })
const toast = (shown: Page, text: string) => shown.locator('.toast').filter({ hasText: text })

async function show(shown: Page, topic: string, last: string): Promise<void> {
  await shown.goto(`/#narrow/channel/${PLANS}/topic/${topic}`)
  await shown.getByRole('log').getByText(last).waitFor()
}

const move = (id: number, change: Readonly<Record<string, unknown>>) =>
  owner.must('PATCH', `/messages/${id}`, {
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
    ...change,
  })

/** The senders and texts of a topic, for all who read it. */
async function read(channel: number, topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    apply_markdown: false,
    narrow,
  })
  return messages.map(({ content }) => content)
}

t.test(
  '[MOVED1] a message that is being written while its topic is resolved goes to the resolved topic',
  async (t) => {
    const id = await owner.send('plans', 'lunch', 'Noodles?')
    await show(page, 'lunch', 'Noodles?')
    await area(page).pressSequentially('Half a ')
    const field = await area(page).elementHandle()
    await move(id, { topic: '✔ lunch' })
    await page.waitForURL(/topic\/.E2.9C.94.20lunch$/)
    t.ok(await field?.evaluate((one) => one === document.activeElement), 'the same field has the focus')
    await page.keyboard.type('sentence')
    t.equal(await area(page).inputValue(), 'Half a sentence')
    t.ok((await textsOf(page)).includes('Noodles?'))
    await page.keyboard.press('Enter')
    await page.getByRole('log').locator('[data-id]').getByText('Half a sentence').waitFor()
    t.ok((await read(PLANS, '✔ lunch')).includes('Half a sentence'))
    t.same(await read(PLANS, 'lunch'), [], 'the conversation is one')
  },
)

t.test(
  '[MOVED2] the page stays where most of the shown messages are, and says where others went',
  async (t) => {
    const ids: number[] = []
    for (const text of ['one', 'two', 'three', 'four', 'five'])
      ids.push(await member2.send('plans', 'trip', text))
    await show(page, 'trip', 'five')
    await area(page).fill('About the trip')
    await move(Number(ids[4]), { topic: 'car', propagate_mode: 'change_one' })
    await toast(page, 'One message moved to #plans › car').waitFor()
    t.match(await heading(page).innerText(), /trip/)
    t.equal(await area(page).inputValue(), 'About the trip')
    await move(Number(ids[1]), { topic: 'train', propagate_mode: 'change_later' })
    const note = toast(page, 'Most of this conversation moved to #plans › train')
    await note.waitFor()
    await heading(page).getByText('train').waitFor()
    t.equal(await area(page).inputValue(), 'About the trip', 'the draft follows')
    await note.getByRole('button', { name: 'Go back' }).click()
    await heading(page).getByText('trip').waitFor()
    await page.getByRole('log').getByText('one').waitFor()
    await area(page).fill('')
  },
)

t.test(
  '[MOVED3] people who see the new channel follow a move there, and the others get a note',
  async (t) => {
    const id = await owner.send('plans', 'salaries', 'We should talk')
    await Promise.all([show(page, 'salaries', 'We should talk'), show(other, 'salaries', 'We should talk')])
    await area(other).fill('Yes, let us')
    await move(id, { stream_id: ARCHIVE })
    await toast(page, 'This conversation moved to #archive › salaries').waitFor()
    t.match(await heading(page).innerText(), /archive/)
    t.ok((await textsOf(page)).includes('We should talk'))
    await toast(other, 'This conversation was deleted, or moved to a channel that you can’t see').waitFor()
    t.match(await heading(other).innerText(), /plans/)
    t.equal(await area(other).inputValue(), 'Yes, let us', 'nothing typed is lost')
    t.equal((await other.content()).includes('archive'), false)
  },
)

t.test('[MOVED4] messages that wait for a connection are sent to the present topic', async (t) => {
  const id = await owner.send('plans', 'dinner', 'Pizza?')
  await show(page, 'dinner', 'Pizza?')
  // The events go on, but sending fails as on a bad network.
  await page.route('**/api/v1/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await write(page, 'With olives')
  await page.getByRole('article', { name: 'Your message, sending' }).waitFor()
  await move(id, { topic: 'supper' })
  await heading(page).getByText('supper').waitFor()
  await page.getByRole('article', { name: 'Your message, sending' }).getByText('With olives').waitFor()
  await page.unroute('**/api/v1/messages')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.getByRole('log').locator('[data-id]').getByText('With olives').waitFor()
  t.same(await read(PLANS, 'supper'), ['Pizza?', 'With olives'])
})

t.test('[MOVED5] a copied link leads to the present conversation of its message', async (t) => {
  const id = await owner.send('plans', 'old name', 'Remember this')
  await show(page, 'old.20name', 'Remember this')
  const row = page.getByRole('article').filter({ hasText: 'Remember this' })
  await row.hover()
  await row.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await toast(page, 'Link copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  t.match(link, new RegExp(`/with/${id}`))
  await page.goto('/#inbox')
  await heading(page).getByText('Inbox').waitFor()
  await move(id, { topic: 'new name' })
  await owner.send('plans', 'old name', 'Something else')
  const near = link.replace(`/with/${id}`, '')
  for (const address of [link, near]) {
    await other.goto('/#inbox')
    await other.goto(address)
    await other.getByRole('log').getByText('Remember this').waitFor()
    await heading(other).getByText('new name').waitFor()
    t.match(other.url(), new RegExp(`topic/new.20name/near/${id}$`), address)
    await area(other).waitFor()
  }
  await other.reload()
  await other.getByRole('log').getByText('Remember this').waitFor()
  t.equal(await member.get(`/messages/${id}`).then(({ status }) => status), 200)
})

t.test('[MOVED6] the link of a quote leads to its message after the topic got another name', async (t) => {
  const id = await owner.send('plans', 'old quote', 'Bring a torch')
  await show(page, 'old.20quote', 'Bring a torch')
  const row = page.getByRole('article').filter({ hasText: 'Bring a torch' })
  await row.hover()
  await row.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Quote', exact: true }).click()
  await pollUntil('the quote is there', async () => (await area(page).inputValue()).includes('Bring a torch'))
  const quote = await area(page).inputValue()
  await owner.send('plans', 'answers', 'The answers')
  await show(page, 'answers', 'The answers')
  await write(page, `${quote}One is enough`)
  await page.getByRole('log').locator('[data-id]').getByText('One is enough').waitFor()
  await move(id, { topic: 'new quote' })
  await owner.send('plans', 'old quote', 'Something else')
  await show(other, 'answers', 'The answers')
  await other.getByRole('link', { name: 'said' }).click()
  await heading(other).getByText('new quote').waitFor()
  await other.getByRole('log').locator(`[data-id="${id}"]`).getByText('Bring a torch').waitFor()
  t.match(other.url(), new RegExp(`topic/new.20quote/near/${id}$`))
})

t.test('[RETURN1] back and forward lead to the same lines and the same focus', async (t) => {
  for (let index = 1; index <= 60; index++) await member2.send('plans', 'long', `Line ${index} of many`)
  for (let index = 1; index <= 40; index++) await member2.send('plans', `topic ${index}`, 'A word')
  await show(page, 'long', 'Line 60 of many')
  const list = page.getByRole('log')
  await waitForFrames(page)
  await list.evaluate((one) => (one.scrollTop = one.scrollHeight / 2))
  await waitForFrames(page)
  const topLine = () =>
    list.evaluate((one) => {
      const rows = [...one.querySelectorAll<HTMLElement>('[data-id]')]
      const first = rows.find((row) => row.getBoundingClientRect().bottom > one.getBoundingClientRect().top)
      return `${first?.id} at ${Math.round(first?.getBoundingClientRect().top ?? 0)}`
    })
  const settled = await topLine()
  await page.locator('.app').getByRole('link', { name: 'Inbox' }).first().click()
  await heading(page).getByText('Inbox').waitFor()
  await page.goBack()
  await list.getByText('Line 30 of many').waitFor()
  await pollUntil('the list is not where it was', async () => (await topLine()) === settled)
  await page.goto('/#recent')
  await heading(page).getByText('Recent').waitFor()
  const line = page
    .getByRole('main')
    .getByRole('link', { name: /topic 12/ })
    .first()
  const rows = page.locator('.main [data-rows]')
  // It is below those that are drawn at first.
  await rows.getByRole('link', { name: /topic 40/ }).waitFor()
  t.equal(await line.count(), 0)
  await rows.evaluate((one) => (one.scrollTop = one.scrollHeight / 2))
  await line.focus()
  const scrolled = await rows.evaluate((one) => one.scrollTop)
  await page.keyboard.press('Enter')
  await list.getByText('A word').waitFor()
  await page.goBack()
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('topic 12') === true)
  t.ok(await line.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight), 'it is on the screen')
  t.equal(await rows.evaluate((one) => one.scrollTop), scrolled)
})

async function useTools(text: string, item?: string): Promise<void> {
  await page.getByRole('article').filter({ hasText: text }).hover()
  const tools = page.getByRole('toolbar', { name: 'Message tools' })
  await tools.getByRole('button', { name: item === undefined ? 'React' : 'More', exact: true }).click()
  if (item !== undefined) await page.getByRole('menuitem', { name: item, exact: true }).click()
}

const edited = () => page.getByRole('textbox', { name: 'Message text' })

t.test('[MOVED7] the field of an edit keeps the focus when its topic gets another name', async (t) => {
  await owner.send('plans', 'museum', 'On Sunday')
  const id = await member.send('plans', 'museum', 'My words')
  await show(page, 'museum', 'My words')
  await useTools('My words', 'Edit')
  await edited().pressSequentially(' and')
  await move(id, { topic: 'gallery' })
  await page.waitForURL(/topic\/gallery$/)
  // The place is restored in a frame after the change of the view.
  await waitForFrames(page)
  await page.keyboard.type(' more')
  t.equal(await edited().inputValue(), 'My words and more')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('My words and more').waitFor()
})

t.test(
  '[MOVED8] an edit whose message is moved elsewhere keeps its text, and goes on where the message is',
  async (t) => {
    for (const text of ['first', 'second', 'third']) await owner.send('plans', 'concert', text)
    const id = await member.send('plans', 'concert', 'Two tickets')
    await show(page, 'concert', 'Two tickets')
    await useTools('Two tickets', 'Edit')
    await edited().fill('Three tickets')
    await move(id, { topic: 'tickets', propagate_mode: 'change_one' })
    const note = page.getByRole('alert').filter({ hasText: 'The message you were editing was moved.' })
    await note.getByText('Three tickets').waitFor()
    await note.getByRole('button', { name: 'Go to message' }).click()
    await heading(page).getByText('tickets').waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
    t.equal(await edited().inputValue(), 'Three tickets')
    await edited().press('Enter')
    await page.getByRole('log').locator('[data-id]').getByText('Three tickets').waitFor()
    t.equal(await note.count(), 0)
  },
)

t.test(
  '[MOVED9] a reaction is chosen although its topic gets another name meanwhile, and typed letters run no shortcuts',
  async (t) => {
    await owner.sendDirect([member.userId], 'Unread, to which a key would lead')
    const id = await owner.send('plans', 'zoo', 'The new animals')
    await show(page, 'zoo', 'The new animals')
    await useTools('The new animals')
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    await picker.waitFor()
    await page.keyboard.type('octo')
    await move(id, { topic: '✔ zoo' })
    await page.waitForURL(/topic\/.E2.9C.94.20zoo$/)
    await page.keyboard.type('pus')
    await picker.getByRole('option', { name: 'octopus' }).waitFor()
    await page.keyboard.press('Enter')
    await picker.waitFor({ state: 'detached' })
    await page
      .getByRole('article')
      .filter({ hasText: 'The new animals' })
      .locator('.reaction, .pill')
      .first()
      .waitFor()
    t.match(page.url(), /zoo$/)
    // It is shown before the server has it.
    await pollUntil('the server has the reaction', async () => {
      const { messages } = await owner.must('GET', '/messages', { anchor: id, num_before: 0, num_after: 0 })
      return messages[0]?.reactions.some(({ emoji_name: name }) => name === 'octopus')
    })
  },
)

t.test(
  '[MOVED10] after a message went with its open picker or menu, letters run no shortcuts and others have their tools',
  async (t) => {
    await owner.send('plans', 'boats', 'The next one')
    const ids = [
      await owner.send('plans', 'boats', 'Not for long'),
      await owner.send('plans', 'boats', 'Nor this'),
    ]
    await show(page, 'boats', 'Nor this')
    await useTools('Not for long')
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    await picker.waitFor()
    await page.keyboard.type('octo')
    await owner.must('DELETE', `/messages/${ids[0]}`)
    await picker.waitFor({ state: 'detached' })
    await page.keyboard.type('pc')
    await page.keyboard.press('Shift+P')
    await page.keyboard.type('r')
    t.match(page.url(), /boats$/)
    t.equal(await area(page).inputValue(), '')
    const more = page.getByRole('toolbar', { name: 'Message tools' }).getByRole('button', { name: 'More' })
    await page.getByRole('article').filter({ hasText: 'Nor this' }).hover()
    await more.click()
    await owner.must('DELETE', `/messages/${ids[1]}`)
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByRole('article').filter({ hasText: 'The next one' }).hover()
    await more.click()
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('Escape')
  },
)

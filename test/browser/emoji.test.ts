/** Emoji in the browser client. */

import t from 'tap'
import { drawImage, mustUpload } from '../harness/client/upload.ts'
import { waitForComposer } from './conversation.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const member = server.as('member')
await member.subscribe(['general'])
const { streams } = await member.must('GET', '/streams')
const addressOf = (channel: string) =>
  `/#narrow/channel/${streams.find(({ name }: { name: string }) => name === channel).stream_id}-${channel}`

t.test(
  '[EMOJI24] the picker finds emoji by keyboard, puts them into the message, and shows them as recent',
  async (t) => {
    await mustUpload(server.as('owner'), '/realm/emoji/team_cat', await drawImage('red'))
    const page = await openAs(t, 'member')
    await page.getByRole('link', { name: 'general', exact: true }).click()
    // A composer takes the focus once it is there.
    await waitForComposer(page)
    await page.getByLabel('Message', { exact: true }).fill('Done ')
    const button = page.getByRole('button', { name: 'Emoji' })
    await button.focus()
    await page.keyboard.press('Enter')
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    await picker.getByRole('group', { name: 'Your organization' }).getByRole('option').waitFor()
    await picker.getByRole('option', { name: 'grinning', exact: true }).waitFor()
    await page.keyboard.type('tada')
    await picker.getByText(':tada:', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await picker.waitFor({ state: 'detached' })
    const message = page.getByLabel('Message', { exact: true })
    t.equal(await message.inputValue(), 'Done :tada: ')
    t.ok(await message.evaluate((one) => document.activeElement === one), 'and one can write on')
    await button.click()
    const recent = picker.getByRole('group', { name: 'Recent' }).getByRole('option')
    t.equal(await recent.first().getAttribute('aria-label'), 'tada')
    t.equal(await recent.count(), 6, 'with popular ones up to six')
    await page.keyboard.press('ArrowDown')
    await picker.getByText(':team_cat:', { exact: true }).waitFor()
    await page.keyboard.type('nothing has such a name')
    await picker.getByText('No emoji found').waitFor()
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'detached' })
    t.ok(await button.evaluate((one) => document.activeElement === one), 'the focus goes back')
  },
)

t.test(
  '[EMOJI25] the starts of messages in lists, and statuses, show emoji instead of their names',
  async (t) => {
    const owner = server.as('owner')
    await owner.subscribe(['kitchen'], { principals: [owner.userId, member.userId] })
    const content = 'Soup :ramen: with :team_cat:\n```spoiler Who\nnobody\n```'
    await owner.send('kitchen', 'lunch', content)
    const page = await openAs(t, 'member')
    const line = page.locator('.inbox .line', { hasText: 'lunch' })
    await line.getByText('Soup 🍜 with', { exact: false }).waitFor()
    await line.getByRole('img', { name: ':team_cat:' }).waitFor()
    t.notMatch(await line.innerText(), /:ramen:|nobody/)
    await member.must('POST', '/users/me/status', { status_text: 'Purring', emoji_name: 'team_cat' })
    await page.getByRole('navigation', { name: 'Places' }).getByText('Purring').waitFor()
    await page.getByRole('button', { name: 'You' }).click()
    await page.getByRole('menuitem', { name: 'Set status' }).click()
    const chosen = page.getByRole('dialog').getByRole('button', { name: 'team_cat' })
    await chosen.locator('img').waitFor()
    t.equal(await chosen.getAttribute('aria-pressed'), 'true')
  },
)

t.test('[EMOJI26] keys that are typed before the emoji are loaded count, an Enter among them', async (t) => {
  const page = await openAs(t, 'member')
  const held = Promise.withResolvers<void>()
  await page.route('**/names.json', async (route) => {
    await held.promise
    await route.continue()
  })
  // No other test has left a draft there.
  await page.goto(`${addressOf('general')}/topic/early`)
  const message = page.getByLabel('Message', { exact: true })
  await waitForComposer(page)
  await message.fill('Done ')
  await page.getByRole('button', { name: 'Emoji' }).focus()
  for (const key of ['Enter', 't', 'a', 'd', 'a', 'Enter']) await page.keyboard.press(key)
  t.equal(await page.getByLabel('Search emoji').inputValue(), 'tada')
  held.resolve()
  await page.getByRole('dialog', { name: 'Emoji' }).waitFor({ state: 'detached' })
  t.equal(await message.inputValue(), 'Done :tada: ')
  t.equal(await page.getByRole('log').locator('[data-id]').count(), 0, 'nothing was sent')
})

t.test(
  '[EMOJI28] a reaction is chosen from all emoji by typing, which writes and sends nothing, and Escape leads back',
  async (t) => {
    await member.send('general', 'reacting', 'What do you think?')
    await server.as('member2').subscribe(['general'])
    const page = await openAs(t, 'member2')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${addressOf('general')}/topic/reacting`)
    const article = page.getByRole('article').filter({ hasText: 'What do you think?' })
    await article.waitFor()
    await article.focus()
    t.notOk(
      asked.some((url) => url.endsWith('names.json')),
      'nothing is loaded before',
    )
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    await page.keyboard.press('+')
    await picker.getByRole('group', { name: 'Popular' }).getByRole('option', { name: 'heart' }).waitFor()
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'detached' })
    t.ok(await article.evaluate((one) => document.activeElement === one), 'the focus is back')
    for (const key of ['+', 'r', 'o', 'c', 'k', 'e', 't', 'Enter']) await page.keyboard.press(key)
    await article.getByRole('button', { name: 'You reacted with rocket' }).waitFor()
    t.equal(await page.getByLabel('Message', { exact: true }).inputValue(), '')
    t.equal(await page.getByRole('log').locator('[data-id]').count(), 1, 'nothing was sent')
    t.match(page.url(), /topic\/reacting$/, 'no shortcut was run')
  },
)

t.test(
  '[EMOJI29] a skin tone is chosen by keyboard, kept on the device, and written as characters',
  async (t) => {
    const page = await openAs(t, 'member')
    await page.goto(`${addressOf('general')}/topic/tones`)
    const message = page.getByLabel('Message', { exact: true })
    await waitForComposer(page)
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    const open = async () => {
      await page.getByRole('button', { name: 'Emoji' }).click()
      await picker.getByRole('option', { name: 'grinning', exact: true }).waitFor()
    }
    await open()
    await picker.getByRole('button', { name: 'Skin tone: Default' }).focus()
    await page.keyboard.press('Enter')
    await picker.getByRole('radio', { name: 'Default', checked: true }).and(page.locator(':focus')).waitFor()
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
    await picker.getByRole('radio', { name: 'Medium', exact: true, checked: true }).waitFor()
    await page.keyboard.press('Escape')
    await picker.getByRole('button', { name: 'Skin tone: Medium' }).and(page.locator(':focus')).waitFor()
    await picker.getByLabel('Search emoji').focus()
    await page.keyboard.type('wave')
    await page.keyboard.press('Enter')
    t.equal(await message.inputValue(), '👋🏽 ')
    await page.reload()
    await page.waitForFunction((one) => document.querySelector('textarea')?.value === one, '👋🏽 ')
    await open()
    await picker.getByRole('button', { name: 'Skin tone: Medium' }).waitFor()
    await page.keyboard.type('tada')
    await page.keyboard.press('Enter')
    t.equal(await message.inputValue(), '👋🏽 :tada: ')
  },
)

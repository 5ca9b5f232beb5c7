/** Emoji in the browser client. */

import t from 'tap'
import { drawImage, mustUpload } from '../harness/client/upload.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const member = server.as('member')
await member.subscribe(['general'])

t.test(
  '[EMOJI24] the picker finds emoji by keyboard, puts them into the message, and shows them as recent',
  async (t) => {
    await mustUpload(server.as('owner'), '/realm/emoji/team_cat', await drawImage('red'))
    const page = await openAs(t, 'member')
    await page.getByRole('link', { name: 'general', exact: true }).click()
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
    t.equal(await recent.getAttribute('aria-label'), 'tada')
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
  await page.getByRole('link', { name: 'general', exact: true }).click()
  const message = page.getByLabel('Message', { exact: true })
  await message.fill('Done ')
  await page.getByRole('button', { name: 'Emoji' }).focus()
  for (const key of ['Enter', 't', 'a', 'd', 'a', 'Enter']) await page.keyboard.press(key)
  t.equal(await page.getByLabel('Search emoji').inputValue(), 'tada')
  held.resolve()
  await page.getByRole('dialog', { name: 'Emoji' }).waitFor({ state: 'detached' })
  t.equal(await message.inputValue(), 'Done :tada: ')
  t.equal(await page.getByRole('log').locator('[data-id]').count(), 0, 'nothing was sent')
})

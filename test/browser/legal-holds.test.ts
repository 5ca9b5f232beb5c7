/** Legal holds in the administration: owners place, read and lift them. */

import t from 'tap'
import { findFaults } from './find-faults.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
const { full_name: memberName } = await member.must('GET', '/users/me')
const { full_name: guestName } = await server.as('guest').must('GET', '/users/me')
await member.subscribe(['closed room'], { invite_only: true })
const page = await openAs(t, 'owner')
const listed = async () => (await owner.must('GET', '/legal_holds')).legal_holds

t.test('[HOLDPAGE1] only owners have the page', async (t) => {
  for (const person of ['administrator', 'member'] as const) {
    const other = await openAs(t, person)
    await other.goto('/#organization/legal-holds')
    await other.getByText('This section doesn’t exist').waitFor()
    t.equal(await other.getByRole('link', { name: 'Legal holds' }).count(), 0, person)
  }
  await page.goto('/#organization/legal-holds')
  await page.getByText('No legal holds.').waitFor()
  await page.getByText('How holds work').click()
  await page.getByText('Anything deleted before the hold began is gone').waitFor()
  t.same(await findFaults(page, 'holds-empty'), [])
})

t.test('[HOLDPAGE2] a hold on people and channels is placed, also on people who left', async (t) => {
  await owner.must('DELETE', `/users/${server.as('guest').userId}`)
  await page.getByRole('button', { name: 'New hold' }).click()
  const form = page.getByRole('form', { name: 'New legal hold' })
  await form.getByLabel('Name', { exact: true }).fill('Harbour')
  await form.getByLabel('Reason').fill('Case 7: claims about the crane')
  await form.getByRole('button', { name: 'Place hold' }).click()
  await form.getByText('A legal hold needs people, channels, or the whole organization.').waitFor()
  for (const name of [memberName, guestName]) {
    await form.getByLabel('People and bots').fill(name)
    await form.locator('.offered').getByText(name, { exact: true }).click()
    await form.getByRole('button', { name: `Remove ${name}` }).waitFor()
  }
  await form.getByLabel('Channels').fill('CLOSED')
  await page.keyboard.press('Enter')
  await form.getByRole('button', { name: 'Remove #closed room' }).waitFor()
  t.same(await findFaults(page, 'holds-new'), [])
  // The fields stay while another page is looked at.
  await page.goto('/#organization/audit')
  await page.getByRole('heading', { name: 'Audit log' }).first().waitFor()
  await page.goto('/#organization/legal-holds')
  await page.getByRole('button', { name: 'New hold' }).click()
  t.equal(await form.getByLabel('Name', { exact: true }).inputValue(), 'Harbour')
  await form.getByRole('button', { name: 'Place hold' }).click()
  const card = page.getByRole('list', { name: 'Legal holds' }).getByRole('listitem')
  await card.getByText('Case 7: claims about the crane').waitFor()
  for (const text of [memberName, guestName, 'closed room', 'Placed by', 'No deleted messages kept yet'])
    await card.getByText(text).first().waitFor()
  t.match(await listed(), [
    {
      name: 'Harbour',
      user_ids: [member.userId, server.as('guest').userId],
      whole_organization: false,
      stream_ids: [Number],
    },
  ])
  await page.getByRole('button', { name: 'New hold' }).click()
  t.equal(await form.getByLabel('Name', { exact: true }).inputValue(), '', 'the next form is empty')
  await form.getByLabel('Name', { exact: true }).fill('harbour')
  await form.getByLabel('Reason').fill('x')
  await form.getByLabel('Applies to').selectOption({ label: 'The whole organization' })
  await form.getByText('All messages and files of everyone are held.').waitFor()
  await form.getByRole('button', { name: 'Place hold' }).click()
  await form.getByText('A legal hold with this name already exists.').waitFor()
  await form.getByLabel('Name', { exact: true }).fill('Everything')
  await form.getByRole('button', { name: 'Place hold' }).click()
  await card.getByText('The whole organization').waitFor()
})

t.test('[HOLDPAGE3] the page counts deleted messages that a hold keeps', async (t) => {
  for (const text of ['one', 'two']) {
    const id = await member.send('closed room', 'crane', text)
    await member.must('DELETE', `/messages/${id}`)
  }
  await page.reload()
  await page.getByText('2 deleted messages kept').first().waitFor()
  t.match(await listed(), [{ kept_messages: 2 }, { kept_messages: 2 }])
  t.same(await findFaults(page, 'holds'), [])
})

t.test('[HOLDPAGE4] a lifted hold stays in the list of lifted ones, and in the audit log', async (t) => {
  await page.getByRole('button', { name: 'Lift Harbour' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lift the hold “Harbour”?' })
  await dialog.getByText('It keeps 2 deleted messages.').waitFor()
  t.same(await findFaults(page, 'holds-lift'), [])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.equal((await listed()).length, 2, 'nothing happened')
  await page.getByRole('button', { name: 'Lift Harbour' }).click()
  await dialog.getByRole('button', { name: 'Lift hold' }).click()
  const lifted = page.getByRole('list', { name: 'Lifted holds' }).getByRole('listitem')
  await lifted.getByText('Lifted by').waitFor()
  for (const text of ['Harbour', 'Case 7: claims about the crane', memberName])
    await lifted.getByText(text, { exact: true }).first().waitFor()
  t.match(await listed(), [{ name: 'Everything' }])
  t.same(await findFaults(page, 'holds-lifted'), [])
  await page.getByRole('link', { name: 'Holds in the audit log' }).click()
  await page.getByText('lifted the legal hold “Harbour”').waitFor()
  await page.getByText('placed the legal hold “Everything” on the whole organization').waitFor()
  t.equal(await page.getByLabel('About').inputValue(), 'legal-holds')
  await page.waitForFunction(() => document.querySelectorAll('.audit > li').length === 3)
})

t.test(
  '[HOLDPAGE5] in Hebrew, entries after a Latin name and empty fields go from right to left',
  async (t) => {
    await owner.must('PATCH', '/settings', { default_language: 'he' })
    const other = await openAs(t, 'owner')
    // A new device loads its page again in the language of the person.
    await other.locator(':root[lang="he"] .app').waitFor()
    const directionOf = (selector: string) =>
      other
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).direction)
    await other.goto('/#organization/audit/legal-holds')
    await other.locator('.audit > li').first().waitFor()
    t.equal(await directionOf('.audit .card-text > span'), 'rtl')
    await other.goto('/#organization/legal-holds')
    await other.locator('.page-title .button').click()
    const name = other.locator('.part-form input').first()
    await name.waitFor()
    t.equal(await directionOf('.part-form input'), 'rtl')
    await name.fill('Harbour')
    t.equal(await directionOf('.part-form input'), 'ltr', 'a Latin text does not')
  },
)

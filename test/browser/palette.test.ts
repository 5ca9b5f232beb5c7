/** The palette over places, people, messages and commands, in a busy organization. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { findFaults } from './find-faults.ts'
import { startBusyTeam } from './start-organization.ts'

const team = await startBusyTeam(t)

async function open(page: Page) {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search or go to' })
  await palette.getByRole('option').first().waitFor()
  const field = palette.getByRole('combobox')
  const chosen = palette.locator('[aria-selected="true"]')
  return { palette, field, chosen }
}

t.test(
  '[PALETTE3] Ctrl+K finds topics, channels, people and commands, and opens them by keyboard',
  async (t) => {
    const page = await team.openAs(t, 'member')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    const { palette, field, chosen } = await open(page)
    await palette.getByRole('option', { name: /Go to Inbox/ }).waitFor()
    await field.fill('engineerng')
    await palette.getByRole('option', { name: /^engineering/ }).waitFor()
    t.equal(
      await palette
        .getByRole('option')
        .last()
        .innerText()
        .then((text) => text.split('”')[0]),
      'Search messages for “engineerng',
    )
    await field.fill('#releases')
    await palette
      .getByRole('group', { name: 'Channels' })
      .getByRole('option', { name: /^releases/ })
      .click()
    await page.getByRole('heading', { name: 'releases' }).waitFor()
    // Also from within the composer.
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await open(page)
    await field.fill('@פאטמה')
    await field.fill('@יעל')
    await chosen.filter({ hasText: 'יעל כהן' }).waitFor()
    t.equal(await palette.getByRole('group', { name: 'Commands' }).count(), 0)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'יעל כהן' }).waitFor()
    await open(page)
    t.match(await chosen.innerText(), 'releases', 'the first one leads back')
    await field.fill('>star')
    await palette.getByRole('option', { name: /Starred/ }).click()
    await page.waitForURL(/is\/starred/)
    await open(page)
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
  },
)

t.test('[PALETTE4] the palette searches messages, and runs the actions on what is shown', async (t) => {
  const page = await team.openAs(t, 'member', { path: '/#narrow/channel/1-engineering' })
  await page.getByRole('log').locator('[data-id]').first().waitFor()
  const { palette, field } = await open(page)
  await field.fill('>mute channel')
  await palette.getByRole('option', { name: /Mute channel/ }).click()
  await open(page)
  await field.fill('>unmute')
  await palette.getByRole('option', { name: /Unmute channel/ }).click()
  await open(page)
  await field.fill('noodle')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/search\/noodle/)
})

t.test(
  '[PALETTE5] in every look the palette fits its window, and axe finds nothing; on a phone the tab of the search opens it',
  async (t) => {
    const page = await team.openAs(t, 'member')
    const { palette, field } = await open(page)
    t.same(await findFaults(page, 'organization-palette-empty', 'dialog'), [])
    await field.fill('rel')
    await palette
      .getByRole('option', { name: /^Release 2.4/ })
      .first()
      .waitFor()
    t.same(await findFaults(page, 'organization-palette', 'dialog'), [])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Search' }).click()
    await palette.waitFor()
    await palette.getByRole('button', { name: 'Close' }).click()
    await palette.waitFor({ state: 'detached' })
  },
)

t.test('[PALETTE7] in another language the palette has the same commands, named in it', async (t) => {
  const member = team.server.as('member')
  await member.must('PATCH', '/settings', { default_language: 'de' })
  t.teardown(() => member.must('PATCH', '/settings', { default_language: 'en' }))
  const page = await team.openAs(t, 'member')
  // A new device loads its page again in the language of the person.
  await page.locator(':root[lang="de"] .inbox .line').first().waitFor()
  await page.keyboard.press('Control+k')
  const options = page.getByRole('dialog').getByRole('option')
  await options.filter({ hasText: 'Gehe zu Eingang' }).waitFor()
  await page.getByRole('dialog').getByRole('combobox').fill('>Nachricht')
  await options.filter({ hasText: 'Neue Direktnachricht' }).waitFor()
  t.equal(await options.filter({ hasText: 'Nächste Nachricht oder Zeile' }).count(), 0)
})

/** The pages by keyboard alone. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { emailOf } from '../harness/servers/start-server.ts'
import { PASSWORD, startScene } from './scene.ts'

const scene = await startScene(t)
const browser = await startChromium(t)

/** The focused element by its name for screen readers, and whether the focus can be seen. */
async function focused(page: Page): Promise<{ name: string; isSeen: boolean }> {
  // A field gets the focus by itself when the page is first drawn, perhaps after it has loaded.
  await page.waitForFunction(() => document.activeElement !== document.body)
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement
    const label = element.labels?.[0] ?? element
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return {
      name: label.innerText.trim(),
      isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0,
    }
  })
}

t.test('[PAGES8] a person logs in and out by keyboard alone, and sees where the focus is', async (t) => {
  const context = await browser.newContext({ baseURL: scene.server.node.url })
  const page = await context.newPage()
  const { keyboard } = page
  const isAt = async (name: string) => t.same(await focused(page), { name, isSeen: true })
  const submit = async (key: string) => {
    const loaded = page.waitForEvent('load')
    await keyboard.press(key)
    await loaded
  }
  await page.goto('/accounts/login?next=/accounts/security')
  await isAt('Email address')
  await keyboard.type(emailOf('member'))
  await keyboard.press('Tab')
  await isAt('Password')
  await keyboard.type('not this one')
  await submit('Enter')
  await isAt('Wrong email address or password.')
  await keyboard.press('Tab')
  await isAt('Email address')
  await keyboard.press('Tab')
  await keyboard.type(PASSWORD)
  await keyboard.press('Tab')
  await isAt('Log in')
  await submit('Space')
  t.match(await page.title(), /^Account security/)
  await keyboard.press('Tab')
  await isAt('Set up')
  await keyboard.press('Tab')
  await isAt('Show devices')
  await keyboard.press('Tab')
  await isAt('Log out')
  await submit('Enter')
  await isAt('Email address')
  t.notOk((await context.cookies()).some(({ name }) => name === 'sessionid'))
  await context.close()
})

t.test('[PAGES9] a refused field has the focus, with its problem as its description', async (t) => {
  const context = await browser.newContext({ baseURL: scene.server.node.url })
  const page = await context.newPage()
  await page.goto(await scene.confirm('newcomer@example.com'))
  t.notOk(await page.getByRole('alert').isVisible())
  await page.getByLabel('Your name').fill('"Noor"')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button').click()
  await page.getByRole('alert').waitFor()
  t.match(await focused(page), { name: 'Your name', isSeen: true })
  const message = 'This name contains characters that names must not have.'
  const field = page.getByRole('textbox', { description: message })
  t.equal(await field.getAttribute('aria-invalid'), 'true')
  t.equal(await field.inputValue(), '"Noor"')
  t.equal(await page.getByLabel('Password').inputValue(), '')
  await page.getByLabel('Password').focus()
  await page.getByRole('link', { name: message }).click()
  t.match(await focused(page), { name: 'Your name' }, 'the summary leads to the field')
  await context.close()
})

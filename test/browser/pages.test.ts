/** The pages for people, in a real browser. */

import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'

const PASSWORD = 'correct horse battery'
const server = await startTestServer(t)
const { sql, passwords } = server.node.services
await sql`update users set password_hash = ${await passwords.hash(PASSWORD)} where bot_type is null`
const browser = await startChromium(t)

t.test('[PAGES1] a person logs in and out in a browser', async (t) => {
  const context = await browser.newContext({ baseURL: server.node.url })
  const page = await context.newPage()
  await page.goto('/accounts/login?next=/accounts/security')
  await page.getByLabel('Your email address').fill(emailOf('member'))
  await page.getByLabel('Your password').fill('not this one')
  await page.getByRole('button', { name: 'Log in' }).click()
  t.equal(await page.getByRole('alert').textContent(), 'The email address or the password is wrong.')
  t.equal(await page.getByLabel('Your email address').inputValue(), emailOf('member'))
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Security of your account' }).waitFor()
  t.same(
    (await context.cookies()).map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]),
    [
      ['sessionid', true, 'Lax'],
      ['csrftoken', false, 'Lax'],
      ['logindevice', true, 'Lax'],
    ],
  )
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Your email address').waitFor()
  t.same(
    (await context.cookies()).map(({ name }) => name),
    ['logindevice'],
  )
  await context.close()
})

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
  await page.getByLabel('Email address').fill(emailOf('member'))
  await page.getByLabel('Password').fill('not this one')
  await page.getByRole('button', { name: 'Log in' }).click()
  t.equal(await page.getByRole('alert').textContent(), 'Wrong email address or password.')
  t.equal(await page.getByLabel('Email address').inputValue(), emailOf('member'))
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Account security' }).waitFor()
  t.same(
    (await context.cookies()).map(({ name, httpOnly, sameSite }) => `${name} ${httpOnly} ${sameSite}`).sort(),
    ['csrftoken false Lax', 'logindevice true Lax', 'sessionid true Lax'],
  )
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Email address').waitFor()
  t.same(
    (await context.cookies()).map(({ name }) => name),
    ['logindevice'],
  )
  await context.close()
})

t.test(
  '[PAGES16] pages of the server show the typeface of the client, and text before it is there',
  async (t) => {
    const context = await browser.newContext({ baseURL: server.node.url })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    const letGo = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<string>()
    await page.route('**/*.woff2', async (route) => {
      asked.resolve(new URL(route.request().url()).pathname)
      await letGo.promise
      await route.continue()
    })
    await page.goto('/accounts/login', { waitUntil: 'domcontentloaded' })
    t.match(await asked.promise, /^\/app\/inter-latin-\w+\.woff2$/)
    // The file is still to come: the text is on the screen, in the font that stands in.
    const drawn = () => page.evaluate(() => document.querySelector('h1')?.getBoundingClientRect().width ?? 0)
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length === 1)
    t.ok((await drawn()) > 0)
    t.ok(await page.evaluate(() => [...document.fonts].some(({ family }) => family.includes('stand-in'))))
    letGo.resolve()
    await page.waitForFunction(() =>
      [...document.fonts].some(({ family, status }) => family === 'Inter' && status === 'loaded'),
    )
    await page.goto('/accounts/nowhere')
    await page.waitForFunction(() =>
      [...document.fonts].some(({ family, status }) => family === 'Inter' && status === 'loaded'),
    )
    t.same(
      problems.filter((text) => /Content Security Policy/.test(text)),
      [],
    )
    const policy = (await fetch(`${server.node.url}/accounts/login`)).headers.get('content-security-policy')
    t.match(policy, /^default-src 'none'; .*font-src 'self';/)
    await context.close()
  },
)

t.test('[PAGES10] forced colors show the focus, and the edges of buttons', async (t) => {
  const context = await browser.newContext({ baseURL: server.node.url, forcedColors: 'active' })
  const page = await context.newPage()
  for (const path of ['/accounts/login', '/']) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
    await page.getByLabel('Email address').focus()
    const names = ['Password', 'Log in', 'Forgot your password?']
    for (const name of names) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate(() => {
        const focused = document.activeElement as HTMLInputElement
        const { outlineStyle, outlineWidth, borderStyle } = getComputedStyle(focused)
        const label = focused.labels?.[0]?.textContent ?? focused.textContent
        return { name: label?.trim(), outlineStyle, outlineWidth, hasEdge: borderStyle === 'solid' }
      })
      t.same(seen, {
        name,
        outlineStyle: 'solid',
        outlineWidth: '2px',
        hasEdge: name !== 'Forgot your password?',
      })
    }
  }
  await context.close()
})

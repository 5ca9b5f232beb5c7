/** Attacks by pages of other sites, in the browser of a person who is logged in. */

import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { emailOf } from '../harness/servers/start-server.ts'
import { startForeignSite } from './foreign-site.ts'
import { logIn, PASSWORD, startScene } from './scene.ts'

const scene = await startScene(t)
const { node } = scene.server
const member = scene.server.as('member')
const site = await startForeignSite(t)
const browser = await startChromium(t)

/** A browser in which the member is logged in, with a page. */
async function visitor(bypassCSP = false): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: node.url, bypassCSP })
  const page = await context.newPage()
  await logIn(page, 'member')
  await page.getByRole('heading', { name: 'Account security' }).waitFor()
  return { context, page }
}

const cookiesOf = async (context: BrowserContext) =>
  (await context.cookies(node.url)).map(({ name, value }) => `${name}=${value}`).sort()
const isLoggedIn = async (page: Page) => {
  await page.goto('/accounts/security')
  return page.getByRole('heading', { name: 'Account security' }).isVisible()
}

for (const [kind, origin] of Object.entries(site.origins)) {
  t.test(`[ATTACK1] a form of another origin changes nothing (${kind})`, async (t) => {
    const { context, page } = await visitor()
    const before = await cookiesOf(context)
    for (const [path, fields] of [
      ['/accounts/logout', {}],
      ['/accounts/logout', { csrfmiddlewaretoken: 'x' }],
      ['/accounts/login', { username: emailOf('member2'), password: PASSWORD }],
      ['/json/login', { username: emailOf('member2'), password: PASSWORD }],
      ['/json/messages', { type: 'direct', to: '[1]', content: 'forged' }],
      ['/api/v1/messages', { type: 'direct', to: '[1]', content: 'forged' }],
    ] as const) {
      const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value='${value}'>`)
      site.content = `<form method="post" action="${node.url}${path}">${inputs.join('')}<button>Win</button></form>`
      await page.goto(origin)
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button').click()
      t.equal((await answered).status(), 403, path)
      t.same(await cookiesOf(context), before, path)
    }
    t.ok(await isLoggedIn(page))
    const { messages } = await member.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
    })
    t.same(messages, [])
    await context.close()
  })

  t.test(`[ATTACK2] a script of another origin neither reads nor changes anything (${kind})`, async (t) => {
    const { context, page } = await visitor()
    const token = (await context.cookies(node.url)).find(({ name }) => name === 'csrftoken')?.value ?? ''
    site.content = ''
    await page.goto(origin)
    const statuses: number[] = []
    page.on('response', (response) => statuses.push(response.status()))
    const outcomes = await page.evaluate(
      async ({ url, token }) => {
        const body = new URLSearchParams({ type: 'direct', to: '[1]', content: 'forged' })
        const credentials = 'include'
        const tries = [
          ['/json/users/me', { credentials }],
          ['/json/messages', { credentials, method: 'POST', body }],
          ['/json/messages', { credentials, method: 'POST', body, headers: { 'X-CSRFToken': token } }],
          ['/json/messages', { credentials, method: 'POST', body, mode: 'no-cors' }],
          [
            '/api/v1/tus',
            { credentials, method: 'POST', headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1' } },
          ],
        ] as const
        const read = async (path: string, options: RequestInit) => {
          const response = await fetch(url + path, options)
          return `${response.type} ${await response.text()}`
        }
        return Promise.all(tries.map(([path, options]) => read(path, options).catch(() => 'unreadable')))
      },
      { url: node.url, token },
    )
    t.same(outcomes, ['unreadable', 'unreadable', 'unreadable', 'opaque ', 'unreadable'])
    t.notOk(statuses.includes(200), 'none was accepted')
    const { messages } = await member.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
    })
    t.same(messages, [])
    await context.close()
  })

  t.test(`[ATTACK3] a script of another origin opens no stream of events (${kind})`, async (t) => {
    const { context, page } = await visitor(true) // A client's page may have scripts.
    const registered = await page.evaluate(async () => {
      const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? ''
      const answer = await fetch('/json/register', { method: 'POST', headers: { 'X-CSRFToken': token } })
      return (await answer.json()) as { queue_id: string }
    })
    const address = `${node.url.replace('http', 'ws')}/api/v1/events/stream?queue_id=${registered.queue_id}`
    const open = () =>
      page.evaluate(
        (address) =>
          new Promise<string>((resolve) => {
            const socket = new WebSocket(address)
            socket.addEventListener('message', () => resolve('events'))
            socket.addEventListener('open', () => resolve('open'))
            socket.addEventListener('close', () => resolve('closed'))
          }),
        address,
      )
    t.equal(await open(), 'open', 'the own origin may')
    site.content = ''
    await page.goto(origin)
    t.equal(await open(), 'closed')
    await context.close()
  })

  t.test(`[ATTACK4] no page is shown in a frame of another origin (${kind})`, async (t) => {
    const { context, page } = await visitor()
    for (const path of ['/', '/accounts/login', '/accounts/password/reset/', '/docs/']) {
      site.content = `<iframe src="${node.url}${path}"></iframe>`
      await page.goto(origin)
      const [, frame] = page.frames()
      await frame?.waitForLoadState()
      t.equal(frame?.url(), 'chrome-error://chromewebdata/', path)
    }
    await context.close()
  })
}

t.test('[ATTACK5] a log-in goes on to this server only', async (t) => {
  const { host } = new URL(site.origins.crossSite)
  for (const next of [
    `http://${host}/`,
    `//${host}/`,
    `/\\${host}/`,
    `/\t/${host}/`,
    `javascript:location='//${host}'`,
  ]) {
    const context = await browser.newContext({ baseURL: node.url })
    const page = await context.newPage()
    await page.goto(`/accounts/login?${new URLSearchParams({ next }).toString()}`)
    await page.getByLabel('Email address').fill(emailOf('member'))
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`${node.url}/`)
    // The same for a browser that is logged in already.
    await page.goto(`/accounts/login?${new URLSearchParams({ next }).toString()}`)
    t.equal(new URL(page.url()).origin, node.url, next)
    await context.close()
  }
})

t.test('[ATTACK6] no address that holds a secret is sent on as a referrer', async (t) => {
  const context = await browser.newContext({ baseURL: node.url })
  const page = await context.newPage()
  site.content = ''
  site.referrers.length = 0
  const sent: (string | undefined)[] = []
  page.on('request', (request) => sent.push(request.headers().referer))
  for (const link of [
    await scene.askForReset('member2'),
    await scene.invite(),
    await scene.agreeToCalls('member'),
  ]) {
    await page.goto(link)
    await page.evaluate((href) => {
      document.body.append(Object.assign(document.createElement('a'), { href, textContent: 'out' }))
    }, site.origins.crossSite)
    await page.getByRole('link', { name: 'out' }).click()
    await page.waitForURL(`${site.origins.crossSite}/`)
  }
  const own = `${node.url}/`
  t.same(site.referrers, [own, own, own])
  // The typeface is asked for by the stylesheet, whose address everybody knows.
  const known: readonly (string | undefined)[] = [undefined, own, `${own}static/page.css`]
  t.same(
    sent.filter((referrer) => !known.includes(referrer)),
    [],
    'nor to this server, for the stylesheet and the typeface',
  )
  await context.close()
})

t.test('[ATTACK7] scripts of the own origin do not read the cookie of the session', async (t) => {
  const { context, page } = await visitor()
  const cookies = await page.evaluate(() => document.cookie)
  t.match(cookies, /^csrftoken=[^;]+$/)
  await context.close()
})

t.test('[ATTACK8] an uploaded page does not run as a page of the server', async (t) => {
  const { context, page } = await visitor()
  const script = '<script>document.title = "taken over"</script>'
  for (const [name, type, bytes] of [
    ['a.html', 'text/html', `<!doctype html>${script}`],
    ['a.svg', 'image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
  ] as const) {
    const form = new FormData()
    form.append('file', new File([bytes], name, { type }))
    const uploaded = await fetch(`${node.url}/api/v1/user_uploads`, {
      method: 'POST',
      body: form,
      headers: { authorization: member.authorization },
    })
    const { url } = (await uploaded.json()) as { url: string }
    const download = page.waitForEvent('download')
    await page.evaluate((url) => {
      location.href = url
    }, url)
    t.equal((await download).suggestedFilename(), name)
    t.equal(await page.title(), 'Account security – Test Organization')
  }
  await context.close()
})

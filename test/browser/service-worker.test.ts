/** The service worker of the browser client: starts without a server, and notifications where pages may show none. */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { pollUntil } from '../services/poll-until.ts'
import { storedValues, textsOf, waitForCopy, write } from './conversation.ts'
import { logInTo, openPage, openTeam } from './team.ts'
import { startWebProcess } from './web-process.ts'
import { standInForWorker } from './worker-stand-in.ts'

const server = await startWebProcess(t)
const browser = await startChromium(t)
const openAs = await openTeam(server, browser)
const owner = server.as('owner')
await owner.must('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'plans' }],
  principals: [server.as('member').userId],
  send_new_subscription_messages: false,
})
const channelId = (await owner.must('GET', '/get_stream_id?stream=plans')).stream_id as number
const serviceWorkers = 'allow'

/** Opens the client as a member; the worker serves the page. */
async function openServed(t: Parameters<typeof openAs>[0], path?: string): Promise<Page> {
  const page = await openAs(t, 'member', { serviceWorkers, ...(path ? { path } : {}) })
  await waitForWorker(page)
  await page.reload()
  await page.locator('.app').waitFor()
  return page
}

const waitForWorker = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
const isServed = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null)

/** The paths in all caches of the worker. */
const storedPaths = (page: Page) =>
  page.evaluate(async () => {
    const paths: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        paths.push(url.replace(location.origin, ''))
    return paths
  })

const usedPaths = (page: Page) =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name.replace(location.origin, '')),
  )

const FILE = /^\/app\/[\w-]+-[a-z0-9]{8}\.(?:js|css|woff2)$/

t.test('[WORKER1] browsers ask each time for a new service worker and manifest', async (t) => {
  for (const [path, type] of [
    ['/service-worker.js', 'text/javascript; charset=utf-8'],
    ['/app/manifest.webmanifest', 'application/manifest+json'],
  ] as const) {
    const answer = await fetch(server.url + path)
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), type)
    t.equal(answer.headers.get('cache-control'), 'no-cache')
    const again = await fetch(server.url + path, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    })
    t.equal(again.status, 304)
  }
  const worker = await fetch(`${server.url}/service-worker.js`)
  t.match(worker.headers.get('content-security-policy'), /default-src 'none'/)
  const page = await fetch(server.url)
  t.match(page.headers.get('content-security-policy'), /worker-src 'self'.*trusted-types parley-html$/)
  const manifest = await (await fetch(`${server.url}/app/manifest.webmanifest`)).json()
  t.match(await page.text(), '<link rel="manifest" href="/app/manifest.webmanifest">')
  t.ok(manifest.icons.length > 0)
  for (const { src, type } of manifest.icons) {
    const icon = await fetch(server.url + src)
    t.equal(icon.status, 200, src)
    t.equal(icon.headers.get('content-type'), type)
  }
})

t.test('[WORKER2] the service worker stores the page and the files of its build, nothing else', async (t) => {
  const page = await openServed(t, `/#narrow/channel/${channelId}-plans/topic/stored`)
  t.ok(await isServed(page))
  await write(page, 'a secret')
  await page.locator('[role=log] [data-id]').getByText('a secret').waitFor()
  await page.goto('/#settings/profile')
  await page.getByRole('heading', { name: 'Profile' }).first().waitFor()
  const stored = await storedPaths(page)
  t.ok(stored.length > 5)
  t.same(
    stored.filter((path) => !FILE.test(path)),
    ['/'],
  )
  const used = await usedPaths(page)
  t.ok(
    used.some((path) => path.startsWith('/api/')),
    'while the page asked for more',
  )
  const files = used.filter((path) => FILE.test(path))
  t.ok(files.length > 5)
  t.same(files, [...new Set(files)], 'none is asked for twice')
  t.same(
    files.filter((path) => !stored.includes(path)),
    [],
    'all files are stored',
  )
  // A slow page takes long enough for its files to be there before it needs them.
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  for (let load = 1; load <= 5; load++) {
    await page.reload()
    await page.locator('.app').waitFor()
    const again = (await usedPaths(page)).filter((path) => FILE.test(path))
    t.same(again, [...new Set(again)], `nor by slow load ${load}`)
  }
  await session.detach()
  await page.getByRole('button', { name: 'You', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('Email address').waitFor()
  await page.reload()
  await page.getByLabel('Email address').waitFor()
  t.ok(await isServed(page), 'without a session, too')
  t.same(await storedPaths(page), stored)
})

t.test('[WORKER3] a new build replaces the stored ones, except for the one before', async (t) => {
  const page = await openPage(t, browser, server.url, { serviceWorkers })
  await page.goto('/accounts/login')
  await page.evaluate(async () => {
    for (const name of ['build-1', 'build-2', 'of-somebody-else'])
      await (await caches.open(name)).put('/', new Response(name))
  })
  await logInTo(page.context(), 'member')
  await page.goto('/')
  await waitForWorker(page)
  await pollUntil('the oldest build is gone', () => page.evaluate(async () => !(await caches.has('build-1'))))
  const names = await page.evaluate(() => caches.keys())
  t.same(names.slice(0, 2), ['build-2', 'of-somebody-else'])
  t.equal(names.length, 3)
  t.match(names[2], /^build-[0-9a-f]{16}$/)
  await page.reload()
  await page.locator('.app').waitFor()
  t.ok(await isServed(page))
})

/** The ways in which a server may be away; each begins after it has stopped, and returns its own end. */
const OUTAGES = {
  stopped: async () => async () => undefined,
  'out of order': () => stand((answer) => answer.writeHead(503).end('No server is available.')),
  silent: () => stand(() => undefined),
} as const

/** Stands at the address of the server. */
async function stand(take: (answer: ServerResponse) => void): Promise<() => Promise<void>> {
  const other = createServer((_, answer) => take(answer))
  other.listen(Number(new URL(server.url).port), '127.0.0.1')
  await once(other, 'listening')
  return async () => {
    other.closeAllConnections()
    other.close()
    await once(other, 'close')
  }
}

for (const { title, outage } of [
  {
    title:
      '[WORKER4] while its server is stopped the client shows what it had, and sends once what was written',
    outage: 'stopped',
  },
  {
    title:
      '[WORKER5] behind a proxy that has no server the client shows what it had, and sends once what was written',
    outage: 'out of order',
  },
  {
    title:
      '[WORKER6] while its server takes requests and never answers the client shows what it had, and sends once what was written',
    outage: 'silent',
  },
] as const) {
  t.test(title, async (t) => {
    const page = await openServed(t, `/#narrow/channel/${channelId}-plans/topic/${outage}`)
    const shown = (content: string) =>
      page.locator('[role=log] [data-id]').getByText(content, { exact: true }).waitFor()
    await write(page, 'before')
    await shown('before')
    await waitForCopy(page, server.as('member').userId, 'before')
    await server.kill()
    const end = await OUTAGES[outage]()
    try {
      await write(page, 'meanwhile')
      await page.locator('.pending').getByText('meanwhile', { exact: true }).waitFor()
      await page.reload()
      // The time is today's, or yesterday's after midnight.
      await page.getByText(/Offline\. Last updated: .+\. Your messages will be sent later\./).waitFor()
      await shown('before')
      await page.locator('.pending').getByText('meanwhile', { exact: true }).waitFor()
      await write(page, 'after the reload')
      await page.locator('.pending').getByText('after the reload', { exact: true }).waitFor()
      t.equal(await page.getByRole('alert').count(), 0, 'nothing failed')
    } finally {
      await end()
      await server.start()
    }
    const texts = ['before', 'meanwhile', 'after the reload']
    await shown(texts.at(-1) ?? '')
    await page.locator('.pending').first().waitFor({ state: 'detached' })
    t.same(await textsOf(page), texts)
    t.equal(await page.getByText('Offline. Last updated').count(), 0)
    const { messages } = await owner.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: outage },
      ],
      apply_markdown: false,
    })
    t.same(
      messages.map(({ content }: { content: string }) => content),
      texts,
    )
  })
}

t.test(
  '[WORKER9] an upload goes on by itself when a page that opened without a server finds it',
  async (t) => {
    const page = await openServed(t, `/#narrow/channel/${channelId}-plans/topic/files`)
    const { userId } = server.as('member')
    await write(page, 'before')
    await waitForCopy(page, userId, 'before')
    await server.kill()
    try {
      await page
        .locator('.composer input[type=file]')
        .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('step one') })
      await pollUntil(
        'the device has it',
        async () => (await storedValues(page, userId, 'uploads')).length === 1,
      )
      await page.clock.install()
      await page.reload()
      // It is tried again for a minute.
      const cut = page.locator('.composer').getByText('Connection lost')
      await pollUntil('it is cut off', async () => {
        await page.clock.fastForward(30_000)
        return (await cut.count()) === 1
      })
    } finally {
      await server.start()
    }
    await page.waitForFunction(() =>
      document.querySelector('textarea')?.value.includes('[plan.txt](/user_uploads/'),
    )
  },
)

t.test('[OFFLINE1] a page without a connection shows nobody what another person has read', async (t) => {
  const page = await openServed(t, `/#narrow/channel/${channelId}-plans/topic/others`)
  await write(page, 'for one person')
  await page.locator('[role=log] [data-id]').getByText('for one person').waitFor()
  await waitForCopy(page, server.as('member').userId, 'for one person')
  // Another person logs in without a log-out of the first.
  await logInTo(page.context(), 'member2')
  await server.kill()
  try {
    await page.reload()
    await page.getByText('Can’t reach the server. Trying again…').waitFor()
    t.notMatch(await page.content(), /for one person|plans/)
  } finally {
    await server.start()
  }
  await page.locator('.app').waitFor()
})

t.test(
  '[WORKER7] the service worker shows the notifications of pages, and a click opens the conversation',
  async (t) => {
    const page = await openPage(t, browser, server.url, { serviceWorkers })
    const standIn = await standInForWorker(page)
    await logInTo(page.context(), 'member')
    await page.goto('/')
    await page.locator('.app').waitFor()
    const stand = await standIn()
    const other = await page.context().newPage()
    await other.goto('/accounts/security')
    const { full_name: title } = await owner.must('GET', '/users/me')
    const { id } = await owner.must('POST', '/messages', {
      type: 'direct',
      to: [server.as('member').userId],
      content: 'Dinner?',
    })
    const shown = await pollUntil('it is shown', async () => (await stand.standing())[0])
    const address = `#narrow/dm/${owner.userId}`
    t.match(shown, {
      title,
      body: 'Dinner?',
      data: { navigate: `${server.url}/${address}`, messageIds: [id], userId: server.as('member').userId },
    })
    // The worker may not move the focus for a click that nobody made.
    t.same(await stand.click(), ['InvalidAccessError'])
    await page.waitForURL(`**/${address}`)
    await page.getByRole('log').getByText('Dinner?').waitFor()
    t.match(other.url(), /\/accounts\/security$/, 'a form of the account is left alone')
  },
)

t.test('[WORKER8] without TLS, away from the machine itself, the client runs without a worker', async (t) => {
  const url = server.url.replace('127.0.0.1', '0.0.0.0')
  const page = await openPage(t, browser, url, { serviceWorkers })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  await logInTo(page.context(), 'member', url)
  await page.goto(`/#narrow/channel/${channelId}-plans/topic/without`)
  t.notOk(await page.evaluate(() => isSecureContext || 'serviceWorker' in navigator))
  // The composer and the part that follows the worker come together.
  await write(page, 'without a worker')
  await page.locator('[role=log] [data-id]').getByText('without a worker').waitFor()
  t.same(problems, [])
})

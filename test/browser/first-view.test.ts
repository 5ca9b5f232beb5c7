/** The requests of the first view, which begin before the page's code runs. */

import type { Page } from 'playwright-core'
import t from 'tap'
import type { TestContext } from '../harness/databases/create-database.ts'
import { logInTo, openPage, startTeam } from './team.ts'

const { server, browser } = await startTeam(t)
const owner = server.as('owner')
await owner.must('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'plans' }],
  principals: [owner.userId, server.as('member').userId],
})
const { stream_id: channelId } = await owner.must('GET', '/get_stream_id', { stream: 'plans' })
const PATH = `/#narrow/channel/${channelId}-plans/topic/lunch`
const send = (content: string) =>
  owner.must('POST', '/messages', { type: 'stream', to: 'plans', topic: 'lunch', content })
await send('Noodles?')

const isMain = (url: URL) => /^\/app\/main-.*\.js$/.test(url.pathname)
const isFirst = (url: string) => /\/api\/v1\/(?:register|users\/me|messages\?.*)$/.test(url)

/** A page with a session that waits for its code until the returned function is called. */
async function openWithoutCode(t: TestContext): Promise<{ readonly page: Page; readonly begin: () => void }> {
  const page = await openPage(t, browser, server.node.url)
  await logInTo(page.context(), 'member')
  const held = Promise.withResolvers<void>()
  await page.route(isMain, async (route) => {
    await held.promise
    await route.continue()
  })
  return { page, begin: held.resolve }
}

t.test('[CLIENT5] the first view is asked for before its code is there, each part once', async (t) => {
  const { page, begin } = await openWithoutCode(t)
  const order: string[] = []
  const note = (step: string) => (address: { url(): string }) =>
    isFirst(address.url()) &&
    order.push(`${step} ${new URL(address.url()).pathname.slice('/api/v1/'.length)}`)
  page.on('request', note('asked'))
  page.on('response', note('answered'))
  const messages = page.waitForResponse((response) => response.url().includes('/api/v1/messages?'))
  await page.goto(PATH, { waitUntil: 'commit' })
  await messages
  begin()
  await page.getByRole('log').getByText('Noodles?').waitFor()
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'plans' }).waitFor()
  t.same(order.toSorted(), [
    'answered messages',
    'answered register',
    'answered users/me',
    'asked messages',
    'asked register',
    'asked users/me',
  ])
  t.ok(
    order.indexOf('answered register') < order.indexOf('asked messages'),
    'messages are not older than the state',
  )
})

t.test(
  '[CLIENT10] browsers ask for the modules while the script of the page is on its way, once each',
  async (t) => {
    const page = await openPage(t, browser, server.node.url)
    await logInTo(page.context(), 'member')
    const held = Promise.withResolvers<void>()
    await page.route(/\/app\/load-[a-z0-9]+\.js$/, async (route) => {
      await held.promise
      await route.continue()
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(/(early|main)-[a-z0-9]+\.js$/.exec(request.url())?.[1] ?? ''))
    const modules = ['early', 'main'].map((name) => page.waitForRequest(new RegExp(`/app/${name}-`)))
    await page.goto(PATH, { waitUntil: 'commit' })
    await Promise.all(modules)
    held.resolve()
    await page.getByRole('log').getByText('Noodles?').waitFor()
    t.same(asked.filter((name) => name !== '').toSorted(), ['early', 'main'])
  },
)

t.test('[CLIENT6] a message between the first requests and the first view is shown', async (t) => {
  const { page, begin } = await openWithoutCode(t)
  const messages = page.waitForResponse((response) => response.url().includes('/api/v1/messages?'))
  await page.goto(PATH, { waitUntil: 'commit' })
  await messages // Its bytes wait in the browser, which stores none, until the code reads them.
  await send('Or rice?')
  begin()
  await page.getByRole('log').getByText('Or rice?').waitFor()
  t.equal(await page.getByRole('log').getByText('Or rice?').count(), 1)
})

t.test('[CLIENT7] a refused first request is asked again by the page', async (t) => {
  const { page, begin } = await openWithoutCode(t)
  let refused = 0
  await page.route('**/api/v1/register', async (route) => {
    if (refused++ > 0) return route.continue()
    await route.fulfill({ status: 503, json: { result: 'error', msg: 'busy', code: 'BUSY' } })
    begin()
  })
  await page.goto(PATH, { waitUntil: 'commit' })
  await page.getByRole('log').getByText('Noodles?').waitFor()
  t.equal(refused, 2)
})

/** Messages that are sent while the page registers: shown once, in whatever order the server answers. */

import type { Page, Route } from 'playwright-core'
import t, { type Test } from 'tap'
import { textsOf, write } from './conversation.ts'
import { logInTo, startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
await server.as('member').subscribe(['plans'])
const channelId = (await server.as('member').must('GET', '/get_stream_id?stream=plans')).stream_id as number

/** The server takes a request, and the page gets its answer. */
const STEPS = ['register taken', 'register answered', 'post taken', 'post answered'] as const
type Step = (typeof STEPS)[number]

/** All orders in which a request is taken before it is answered. */
const ORDERS: readonly (readonly Step[])[] = [
  [0, 1, 2, 3],
  [0, 2, 1, 3],
  [0, 2, 3, 1],
  [2, 0, 1, 3],
  [2, 0, 3, 1],
  [2, 3, 0, 1],
].map((order) => order.map((index) => STEPS[index] as Step))

/** Holds the requests of a page until `run` lets them through in an order. */
async function hold(page: Page): Promise<(order: readonly Step[]) => Promise<void>> {
  const gates = new Map(STEPS.map((step) => [step, Promise.withResolvers<void>()] as const))
  const passed = new Map(STEPS.map((step) => [step, Promise.withResolvers<void>()] as const))
  const take = async (route: Route, name: 'register' | 'post') => {
    await gates.get(`${name} taken`)?.promise
    const response = await route.fetch()
    passed.get(`${name} taken`)?.resolve()
    await gates.get(`${name} answered`)?.promise
    await route.fulfill({ response })
    passed.get(`${name} answered`)?.resolve()
  }
  await page.route('**/api/v1/register', (route) => take(route, 'register'))
  await page.route('**/api/v1/messages', (route) =>
    route.request().method() === 'POST' ? take(route, 'post') : route.continue(),
  )
  return async (order) => {
    for (const step of order) {
      gates.get(step)?.resolve()
      await passed.get(step)?.promise
    }
  }
}

const TEXT = 'meanwhile'

/** Counts from now on how often the text is on the screen at most, among the messages and those on their way. */
const countShown = (page: Page) =>
  page.evaluate((wanted) => {
    const counts = { most: 0 }
    Object.assign(globalThis, { counts })
    const count = () => {
      const rows = [...document.querySelectorAll('[role=log] :is(.rendered, .pending .plain)')]
      counts.most = Math.max(counts.most, rows.filter((row) => row.textContent?.trim() === wanted).length)
    }
    new MutationObserver(count).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  }, TEXT)

async function checkShown(t: Test, page: Page): Promise<void> {
  await page.locator('[role=log] [data-id]').getByText(TEXT).waitFor()
  await page.locator('.pending').first().waitFor({ state: 'detached' })
  t.same(await textsOf(page), [TEXT])
  t.equal(await page.evaluate(() => Reflect.get(globalThis, 'counts').most), 1)
  await page.unrouteAll({ behavior: 'wait' })
}

/** The page of the member, for one test after another. */
let page = await openAs(t, 'member')

for (const [index, order] of ORDERS.entries()) {
  const pathOf = (topic: string) => `/#narrow/channel/${channelId}-plans/topic/${topic}`

  t.test(`[LOSS13] a message sent after another log-in is shown once: ${order.join(', ')}`, async (t) => {
    await page.goto(pathOf(`again ${index}`))
    await page.getByRole('heading', { name: `again ${index}` }).waitFor()
    // Without anything unsent the page would begin anew.
    await page.route('**/api/v1/drafts', (route) => route.abort())
    await page.getByLabel('Message', { exact: true }).fill('begun')
    await server.as('member').must('DELETE', '/users/me/sessions')
    await page.getByRole('heading', { name: 'Test Organization' }).waitFor()
    await logInTo(page.context(), 'member')
    const run = await hold(page)
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await page.getByLabel('Message', { exact: true }).waitFor()
    await countShown(page)
    await write(page, TEXT)
    await run(order)
    await checkShown(t, page)
  })

  t.test(`[LOSS14] a message of an earlier page is shown once: ${order.join(', ')}`, async (t) => {
    const path = pathOf(`start ${index}`)
    await page.goto(path)
    await page.getByLabel('Message', { exact: true }).waitFor()
    await page.context().setOffline(true)
    // The device has a message before it is tried.
    const tried = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/api/v1/messages'))
    await write(page, TEXT)
    await tried
    await page.close()
    const next = await page.context().newPage()
    const run = await hold(next)
    await page.context().setOffline(false)
    await next.goto(path)
    await countShown(next)
    await run(order)
    await checkShown(t, next)
    page = next
  })
}

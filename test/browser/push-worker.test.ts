/**
 * Pushes in a real browser: what the server encrypts, a push service opens with the keys of the subscription, as browsers do,
 * and hands to the service worker.
 */

import type { CDPSession, Page } from 'playwright-core'
import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { type PushBrowser, startPushService } from '../harness/providers/start-push-service.ts'
import { pollUntil } from '../services/poll-until.ts'
import { logInTo, openPage, startTeam } from './team.ts'
import { standInForWorker, type WorkerStandIn } from './worker-stand-in.ts'

const service = await startPushService(t)
const { server, browser } = await startTeam(t, service.env)
const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
t.teardown(() => worker.close())
const [owner, member] = [server.as('owner'), server.as('member')]
const { full_name: ownerName } = await owner.must('GET', '/users/me')
// The page that gets them is open.
await member.must('PATCH', '/settings', { enable_online_push_notifications: true })

const writeTo = async (content: string) =>
  (await owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content })).id

interface Subscribed {
  readonly page: Page
  readonly stand: WorkerStandIn
  readonly receiver: PushBrowser
  /** Hands the next push that has arrived to the worker; resolves to it. */
  readonly deliver: () => Promise<{
    readonly notification?: { readonly tag: string }
    readonly withdrawn?: string[]
  }>
  /** Hands over the last one once more. */
  readonly deliverAgain: () => Promise<void>
}

/** A page of the member whose browser gets pushes from the service of the test. */
async function openSubscribed(t: Parameters<typeof openPage>[0]): Promise<Subscribed> {
  const receiver = service.subscribe()
  const page = await openPage(t, browser, server.node.url, { serviceWorkers: 'allow' })
  const standIn = await standInForWorker(page, receiver.fields.auth)
  await logInTo(page.context(), 'member')
  await page.goto('/')
  await page.locator('.app').waitFor()
  const stand = await standIn()
  const { web_push_id: id } = await member.must('POST', '/users/me/web_push', receiver.fields)
  t.teardown(() => member.delete(`/users/me/web_push/${id}`))
  const session = await page.context().newCDPSession(page)
  const registrationId = await findRegistration(session)
  const hand = (data: string) =>
    session.send('ServiceWorker.deliverPushMessage', { origin: server.node.url, registrationId, data })
  let delivered = 0
  return {
    page,
    stand,
    receiver,
    async deliver() {
      const data = await pollUntil('the push arrives', () => receiver.received[delivered]?.text)
      delivered++
      await hand(data)
      return JSON.parse(data)
    },
    async deliverAgain() {
      await hand(receiver.received[delivered - 1]?.text ?? '')
    },
  }
}

async function findRegistration(session: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  return found
}

t.test(
  '[ONCE1] a message that an open page notifies of and a push brings is one notification, whichever comes first',
  async (t) => {
    const { stand, deliver } = await openSubscribed(t)
    const first = await writeTo('Dinner?')
    await pollUntil('the page notifies', async () => (await stand.history()).shown === 1)
    const { notification } = await deliver()
    await pollUntil('the push is taken', async () => (await stand.history()).shown === 2)
    t.match(await stand.standing(), [
      {
        title: ownerName,
        body: 'Dinner?',
        tag: notification?.tag,
        silent: true,
        data: { messageIds: [first] },
      },
    ])
    const second = await writeTo('At eight?')
    await deliver()
    await pollUntil('both are taken', async () => (await stand.history()).shown === 4)
    t.match(await stand.standing(), [
      { body: 'Dinner?\nAt eight?', tag: notification?.tag, data: { messageIds: [first, second] } },
    ])
    t.equal((await stand.standing()).length, 1)
    t.same(service.faults, [])
  },
)

t.test(
  '[ONCE2] reading elsewhere closes the notification while a page is open, of a push, too',
  async (t) => {
    await member.must('POST', '/mark_all_as_read')
    const { page, stand, deliver } = await openSubscribed(t)
    const ids = [await writeTo('one'), await writeTo('two')]
    await deliver()
    await deliver()
    await pollUntil('all are taken', async () => (await stand.history()).shown === 4)
    await member.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages: ids.slice(0, 1) })
    await page.waitForFunction(() => document.title.startsWith('(1) '))
    t.equal((await stand.standing()).length, 1, 'the other one is unread')
    await member.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages: ids })
    await pollUntil('it is closed', async () => (await stand.standing()).length === 0)
  },
)

t.test('[ONCE3] without a page a withdrawal closes the notification that a page has shown', async (t) => {
  const { page, stand, deliver } = await openSubscribed(t)
  const id = await writeTo('Lunch?')
  await pollUntil('the page notifies', async () => (await stand.history()).shown === 1)
  await deliver()
  await page.goto('/accounts/security')
  await member.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [id] })
  t.match(await deliver(), { withdrawn: [String] })
  await pollUntil('it is closed', async () => (await stand.standing()).length === 0)
})

t.test(
  '[ONCE4] the number at the icon is the page’s; without a page pushes show that there is something, and that nothing is left',
  async (t) => {
    const { page, stand, deliver } = await openSubscribed(t)
    await member.must('POST', '/mark_all_as_read')
    await page.evaluate(() => {
      const numbers: unknown[] = []
      Object.assign(globalThis, { numbers })
      navigator.setAppBadge = async (count) => void numbers.push(count)
    })
    const first = await writeTo('with a page')
    await deliver()
    const numbers = () => page.evaluate(() => Reflect.get(globalThis, 'numbers') as unknown[])
    // One by the event, and one by the worker's question.
    await pollUntil('the page shows its number twice', async () => (await numbers()).length >= 2)
    t.same([...new Set(await numbers())], [1])
    t.same((await stand.history()).badges, [])
    await page.goto('/accounts/security')
    const second = await writeTo('without one')
    await deliver()
    await pollUntil('a badge is shown', async () => (await stand.history()).badges.length === 1)
    await member.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [first, second] })
    await deliver()
    await pollUntil('it is gone', async () => (await stand.history()).badges.length === 2)
    t.same((await stand.history()).badges, ['dot', 'none'])

    await member.must('PATCH', '/settings', { desktop_icon_count_display: 4 })
    const before = (await stand.history()).shown
    await writeTo('no numbers')
    t.notOk('app_badge' in (await deliver()), 'the person wants none')
    await pollUntil('it is shown', async () => (await stand.history()).shown > before)
    t.same((await stand.history()).badges, ['dot', 'none'])
    await member.must('PATCH', '/settings', { desktop_icon_count_display: 1 })
  },
)

t.test('[ONCE5] a push that arrives twice is one notification, which makes no second sound', async (t) => {
  const { page, stand, receiver, deliver, deliverAgain } = await openSubscribed(t)
  await page.goto('/accounts/security')
  const id = await writeTo('Breakfast?')
  const { notification } = await deliver()
  await pollUntil('it is shown', async () => (await stand.history()).shown === 1)
  t.match(await stand.standing(), [{ body: 'Breakfast?', silent: false }])
  t.equal(receiver.received.at(-1)?.headers['topic'], notification?.tag, 'a waiting one is replaced')
  await deliverAgain()
  await pollUntil('the second is taken', async () => (await stand.history()).shown === 2)
  t.match(await stand.standing(), [{ body: 'Breakfast?', silent: true, data: { messageIds: [id] } }])
  t.equal((await stand.standing()).length, 1)
})

t.test(
  '[ONCE6] a notification that somebody has closed or clicked does not come back by its push',
  async (t) => {
    const { page, stand, deliver, deliverAgain } = await openSubscribed(t)
    await writeTo('Closed')
    await pollUntil('the page notifies', async () => (await stand.history()).shown === 1)
    t.same(await stand.dismiss(), [])
    await page.goto('/accounts/security')
    await deliver()
    const second = await writeTo('Clicked')
    await deliver()
    await pollUntil('it is shown', async () => (await stand.history()).shown === 2)
    t.match(await stand.standing(), [{ body: 'Clicked', data: { messageIds: [second] } }])
    await stand.click()
    await deliverAgain()
    const third = await writeTo('News')
    await deliver()
    await pollUntil('it is shown', async () => (await stand.history()).shown === 3)
    t.match(await stand.standing(), [{ body: 'News', data: { messageIds: [third] } }])
    t.equal((await stand.standing()).length, 1)
  },
)

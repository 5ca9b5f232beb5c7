/**
 * Notifications of a closed page: the question and the subscription. The browser of the tests has no push service, so the page
 * subscribes at a service of the test, which opens what the server sent.
 */

import type { Page } from 'playwright-core'
import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { type PushBrowser, startPushService } from '../harness/providers/start-push-service.ts'
import { pollUntil } from '../services/poll-until.ts'
import { write } from './conversation.ts'
import { logInTo, openPage, startTeam } from './team.ts'

const service = await startPushService(t)
const { server, browser, openAs } = await startTeam(t, service.env)
const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
t.teardown(() => worker.close())
const [owner, member] = [server.as('owner'), server.as('member')]
// The page that gets them is open.
await member.must('PATCH', '/settings', { enable_online_push_notifications: true })
const { full_name: ownerName } = await owner.must('GET', '/users/me')

/** A page of the member whose browser subscribes at the service of the test. */
async function openSubscribing(t: Parameters<typeof openPage>[0], receiver: PushBrowser): Promise<Page> {
  const page = await openPage(t, browser, server.node.url, { serviceWorkers: 'allow' })
  await page.addInitScript(({ endpoint, p256dh, auth }) => {
    let permission = sessionStorage.getItem('permission') ?? 'default'
    class Asked {
      static get permission() {
        return permission
      }
      static async requestPermission() {
        permission = 'granted'
        sessionStorage.setItem('permission', permission)
        return permission
      }
    }
    let subscription: unknown = null
    Object.assign(globalThis, { Notification: Asked })
    PushManager.prototype.getSubscription = async () => subscription as PushSubscription | null
    PushManager.prototype.subscribe = async (options) => {
      const key = atob(
        String((options as { applicationServerKey: string }).applicationServerKey)
          .replaceAll('-', '+')
          .replaceAll('_', '/'),
      )
      const applicationServerKey = Uint8Array.from(key, (byte) => byte.charCodeAt(0)).buffer
      subscription = {
        options: { applicationServerKey },
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        unsubscribe: async () => {
          subscription = null
          return true
        },
      }
      return subscription as PushSubscription
    }
  }, receiver.fields)
  await logInTo(page.context(), 'member')
  await page.goto('/')
  await page.locator('.app').waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
  return page
}

t.test(
  '[ASK1] the page asks for notifications after the first message, and then its browser gets them',
  async (t) => {
    const receiver = service.subscribe()
    const page = await openSubscribing(t, receiver)
    const question = page.getByText('Get notified about replies when this page is closed?')
    await page.goto(`/#narrow/dm/${owner.userId}`)
    await page.getByLabel('Message', { exact: true }).waitFor()
    t.equal(await question.count(), 0, 'not at load')
    await write(page, 'Are you there?')
    await question.waitFor()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await question.waitFor({ state: 'detached' })
    await pollUntil('the server knows the browser', async () => {
      const { subscriptions } = await member.must('GET', '/users/me/web_push')
      return subscriptions?.length === 1
    })
    // On the screen the answer would be read, perhaps before it is pushed.
    await page.goto('/#inbox')
    await page.getByRole('heading', { name: 'Inbox' }).first().waitFor()
    const { id } = await owner.must('POST', '/messages', {
      type: 'direct',
      to: [member.userId],
      content: 'Yes',
    })
    await pollUntil('the answer arrives', () => receiver.received.length > 0)
    t.match(JSON.parse(receiver.received[0]?.text ?? ''), {
      notification: {
        title: ownerName,
        body: 'Yes',
        navigate: new RegExp(`#narrow/dm/${owner.userId}/near/${id}$`),
      },
    })
    t.same(service.faults, [])
  },
)

t.test('[ASK2] "Not now" holds for 30 days, and the settings say what each device gets', async (t) => {
  await server.node.services.sql`delete from web_push_subscriptions`
  const receiver = service.subscribe()
  const page = await openSubscribing(t, receiver)
  const question = page.getByText('Get notified about replies when this page is closed?')
  await page.goto(`/#narrow/dm/${owner.userId}`)
  await write(page, 'One more')
  await page.getByRole('button', { name: 'Not now' }).click()
  await question.waitFor({ state: 'detached' })
  await page.reload()
  await write(page, 'And another')
  await page.locator('[role=log] [data-id]').getByText('And another').waitFor()
  t.equal(await question.count(), 0)

  await page.goto('/#settings/sessions')
  await page.getByRole('heading', { name: 'Why nothing reaches you while you’re away' }).waitFor()
  await page
    .getByText('None of your browsers or phones gets them. Turn them on for this browser below')
    .waitFor()
  await page.getByText('Your server sends no emails.').waitFor()
  await page.getByText('No devices yet').waitFor()
  await page.getByRole('button', { name: 'Turn on for this browser' }).click()
  await page.getByText('not reached yet').waitFor()
  await page.getByRole('heading', { name: 'Why no emails reach you' }).waitFor()
  await member.must('PATCH', '/settings', {
    enable_offline_push_notifications: false,
    enable_followed_topic_push_notifications: false,
  })
  await page.getByText('Your settings turn them off.').waitFor()
  await page.getByRole('button', { name: 'Turn on for direct messages and mentions' }).click()
  await page.getByText('Your settings turn them off.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Test notification sent').waitFor()
  await page.getByText('reached').first().waitFor()
  await pollUntil('the test arrives', () => receiver.received.length === 1)
  receiver.odd = { status: 403 }
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('with these answers: 403').waitFor()
  receiver.odd = { status: 410 }
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('No active registered push device').waitFor()
  t.same((await member.must('GET', '/users/me/web_push')).subscriptions, [])
})

t.test(
  '[DND1] people pause notifications, set quiet hours and hide texts, and see that it is silent',
  async (t) => {
    const page = await openAs(t, 'owner', { path: '/#settings/sessions' })
    const settings = async () => {
      const { user_settings: own } = await owner.must('POST', '/register', {
        fetch_event_types: ['user_settings'],
      })
      return own
    }
    const pausedUntil = async () => (await settings())?.parley_notifications_paused_until ?? 0
    const line = page.getByRole('link', { name: /^Silent until/ })
    await page.getByText('Notifications aren’t paused.').waitFor()
    const beforeSeconds = Math.floor(Date.now() / 1_000)
    await page.getByRole('button', { name: 'Pause for 1 hour' }).click()
    await page.getByText(/^Paused until/).waitFor()
    await line.waitFor()
    const until = await pausedUntil()
    t.ok(until >= beforeSeconds + 3_600 && until <= Date.now() / 1_000 + 3_600, 'an hour from the click')
    await page.getByRole('button', { name: 'Resume now' }).click()
    await line.waitFor({ state: 'detached' })
    await page.getByText('Notifications aren’t paused.').waitFor()
    t.equal(await pausedUntil(), 0)

    await page.getByRole('button', { name: /^Until tomorrow/ }).click()
    await page.getByText(/^Paused until/).waitFor()
    const tomorrow = new Date((await pausedUntil()) * 1_000)
    t.same([tomorrow.getHours(), tomorrow.getMinutes(), tomorrow.getTime() > Date.now()], [9, 0, true])
    await page.getByRole('button', { name: 'Until…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pause notifications' })
    await dialog.getByLabel('Date and time').fill('2031-04-05T09:00')
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText(/^Paused until.*2031/).waitFor()
    t.equal(await pausedUntil(), new Date('2031-04-05T09:00').getTime() / 1_000)
    await page.getByRole('button', { name: 'Resume now' }).click()
    await line.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Add quiet hours' }).click()
    const first = page.getByRole('group', { name: 'Quiet hours 1' })
    await first.getByRole('button', { name: 'Sat' }).click()
    await first.getByRole('button', { name: 'Sun' }).click()
    await first.getByLabel('Until').selectOption({ value: '390' })
    await page.getByRole('button', { name: 'Add quiet hours' }).click()
    const second = page.getByRole('group', { name: 'Quiet hours 2' })
    await second.getByText('a whole day').waitFor()
    await page.getByLabel('Hide the text of messages').check()
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    await pollUntil('all of it is stored', async () => {
      const own = await settings()
      const hours = `1,2,3,4,5 22:00-06:30; 6,7 00:00-00:00 ${timeZone}`
      return own?.parley_quiet_hours === hours && own.parley_hide_notification_text
    })
    await first.getByRole('button', { name: 'Remove' }).click()
    await second.waitFor({ state: 'detached' })
    // Another client makes each day a whole quiet day.
    await owner.must('PATCH', '/settings', { parley_quiet_hours: '1,2,3,4,5,6,7 00:00-00:00 Asia/Tokyo' })
    await page.getByText(/^Quiet hours until/).waitFor()
    await line.waitFor()
    await page.getByText('Times are in Asia/Tokyo.').waitFor()
    await first.getByRole('button', { name: 'Remove' }).click()
    await line.waitFor({ state: 'detached' })
    t.equal((await settings())?.parley_quiet_hours, '')
  },
)

/**
 * Pushes from end to end in a real Firefox: its own subscription, keys, decryption and notifications. Only the push service is the
 * test's, on this machine.
 */

import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { FIREFOX_OPTIONS, type FirefoxPage, startFirefox } from '../harness/browser/firefox.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { startFirefoxService } from '../harness/providers/start-firefox-service.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { PASSWORD, storePasswords } from './team.ts'

/** The code of a message that the worker has. */
const DELIVERED = 100

/** A Firefox without a page in which the member has turned on notifications, with preferences of it. */
async function startSubscribed(t: TestContext, preferences: Readonly<Record<string, number>> = {}) {
  const service = await startFirefoxService(t)
  const server = await startTestServer(t, { env: service.env })
  await storePasswords(server.databaseUrl)
  const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
  t.teardown(() => worker.close())
  const { url } = server.node
  const [owner, member] = [server.as('owner'), server.as('member')]
  // The browser was looked at just now.
  await member.must('PATCH', '/settings', { enable_online_push_notifications: true })

  const firefox = await startFirefox(t, { ...service.preferences, ...preferences })
  await firefox.decideNotifications(url, 'granted')
  const page = await firefox.open()
  await page.goto(`${url}/login`)
  await page.type({ name: 'Email address' }, emailOf('member'))
  await page.type({ name: 'Password' }, PASSWORD)
  await page.click({ role: 'button', name: 'Log in' })
  await page.waitFor({ role: 'heading', name: 'Inbox' })
  await page.goto(`${url}/#settings/sessions`)
  await page.click({ role: 'button', name: 'Turn on for this browser' })
  await page.waitFor({ role: 'button', name: 'Send test' })
  await page.close()
  return {
    service,
    server,
    firefox,
    url,
    owner,
    member,
    write: async (content: string) =>
      (await owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content })).id,
    read: (...messages: number[]) =>
      member.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages }),
    subscriptions: async () => (await member.must('GET', '/users/me/web_push')).subscriptions ?? [],
    /** Opens a page of the server: by default one without a client, which would notify by itself. */
    open: async (path = '/accounts/security') => {
      const page = await firefox.open()
      await page.goto(`${url}${path}`)
      return page
    },
  }
}

/** The notifications of this server that stand. */
function notificationsIn(page: FirefoxPage) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const all = await registration.getNotifications()
    return all.map(({ title, body, data }) => ({ title, body, data }))
  })
}

/** Runs in Firefox: how often it has yet to look whether a push has left a notification. */
function countLooks(): number {
  const { ChromeUtils } = globalThis as unknown as {
    readonly ChromeUtils: {
      importESModule(path: string): { readonly PushService: { readonly _updateQuotaTimeouts: Set<unknown> } }
    }
  }
  return ChromeUtils.importESModule('resource://gre/modules/PushService.sys.mjs').PushService
    ._updateQuotaTimeouts.size
}

t.test(
  '[FIREFOX1] a Firefox without a page shows messages, closes what was read elsewhere, and is dropped when it has left',
  FIREFOX_OPTIONS,
  async (t) => {
    const { service, firefox, url, owner, write, read, subscriptions, open } = await startSubscribed(t)
    const { full_name: ownerName } = await owner.must('GET', '/users/me')
    t.match(await subscriptions(), [{ client_name: 'Firefox on Linux', last_answer: null }])
    t.equal(service.channels(), 1)

    const first = await write('Dinner — at eight?')
    await pollUntil('it is delivered', () => service.acks.length === 1)
    const second = await write('Or at nine 🌒')
    await pollUntil('the second is delivered', () => service.acks.length === 2)
    const page = await open()
    await pollUntil('both are shown', async () => (await notificationsIn(page))[0]?.body.includes('nine'))
    t.match(await notificationsIn(page), [
      {
        title: ownerName,
        body: 'Dinner — at eight?\nOr at nine 🌒',
        data: {
          messageIds: [first, second],
          navigate: new RegExp(`#narrow/dm/${owner.userId}/near/${second}$`),
        },
      },
    ])
    t.equal((await notificationsIn(page)).length, 1)

    await read(first, second)
    await pollUntil('it is closed', async () => (await notificationsIn(page)).length === 0)
    t.same(service.answers, [201, 201, 201])
    t.match(await subscriptions(), [{ last_answer: '201' }])

    await firefox.quit()
    await write('Still there?')
    await pollUntil('it waits at the service', () => service.answers.length === 4)
    await firefox.start()
    const later = await open()
    await pollUntil('it is shown', async () => (await notificationsIn(later)).length === 1)
    t.match(await notificationsIn(later), [{ title: ownerName, body: 'Still there?' }])

    await firefox.decideNotifications(url, 'denied')
    await pollUntil('Firefox has left', () => service.channels() === 0)
    await write('Anybody?')
    await pollUntil('the server drops it', async () => (await subscriptions()).length === 0)
    t.same(service.answers, [201, 201, 201, 201, 410])
    t.same(service.acks, [DELIVERED, DELIVERED, DELIVERED, DELIVERED])
    t.same(service.faults, [])
  },
)

t.test(
  '[FIREFOX2] reading elsewhere costs a Firefox without a page no part of the pushes that it allows without a notification',
  FIREFOX_OPTIONS,
  async (t) => {
    const { service, server, firefox, member, write, open } = await startSubscribed(t, {
      // Firefox looks sooner than after the 3 s of people, and would end the subscription at the third.
      'dom.push.quotaUpdateDelay': 1_000,
      'dom.push.maxQuotaPerSubscription': 3,
    })
    const senders = ['owner', 'administrator', 'moderator'] as const
    for (const sender of senders)
      await server
        .as(sender)
        .must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'Lunch?' })
    await pollUntil('all are delivered', () => service.acks.length === senders.length)
    await member.must('POST', '/mark_all_as_read')
    await pollUntil('all are withdrawn', () => service.acks.length === 2 * senders.length)
    const page = await open()
    await pollUntil('all are closed', async () => (await notificationsIn(page)).length === 0)
    await pollUntil('Firefox has looked', async () => (await firefox.evaluateInside(countLooks)) === 0)
    await write('Tea?')
    await pollUntil('the next is answered', () => service.answers.length === 2 * senders.length + 1)
    t.ok(service.answers.every((status) => status === 201))
    await pollUntil('it is shown', async () => (await notificationsIn(page)).length === 1)
    t.match(await notificationsIn(page), [{ body: 'Tea?' }])
    t.equal(service.channels(), 1)
  },
)

t.test(
  '[FIREFOX3] a page subscribes anew in a Firefox that has ended its subscription, and the server drops the former one',
  FIREFOX_OPTIONS,
  async (t) => {
    const { service, write, read, subscriptions, open } = await startSubscribed(t, {
      'dom.push.maxQuotaPerSubscription': 1,
    })
    const [former] = await subscriptions()
    const id = await write('Lunch?')
    const blank = await open()
    await pollUntil('it is shown', async () => (await notificationsIn(blank)).length === 1)
    await blank.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      for (const one of await registration.getNotifications()) one.close()
    })
    await read(id)
    await pollUntil('a withdrawal without a notification is one too many', () => service.channels() === 0)
    await blank.close()
    await open('/')
    await pollUntil('Firefox is back', () => service.channels() === 1)
    const isNew = ({ id }: { readonly id: number }) => former !== undefined && id > former.id
    await pollUntil('the server knows it', async () => (await subscriptions()).some(isNew))
    await write('Tea?')
    await pollUntil('the new one is reached', async () =>
      (await subscriptions()).some((one) => isNew(one) && one.last_answer === '201'),
    )
    await pollUntil('the former one is dropped', async () => (await subscriptions()).every(isNew))
    t.equal((await subscriptions()).length, 1)
    t.equal(service.answers.filter((status) => status === 410).length, 1)
    t.same(service.faults, [])
  },
)

/** Runs in Firefox: clicks the notification that it shows; whether there is one. */
function clickNotification(): boolean {
  const { Services } = globalThis as unknown as {
    readonly Services: {
      readonly wm: { getEnumerator(kind: string): Iterable<{ readonly document: Document }> }
    }
  }
  const [shown] = Services.wm.getEnumerator('alert:alert')
  if (shown?.document.readyState !== 'complete') return false
  shown.document.getElementById('alertBox')?.click()
  return true
}

t.test(
  '[FIREFOX4] a click on a notification opens its conversation where no page is open, and closes it',
  FIREFOX_OPTIONS,
  async (t) => {
    const { firefox, owner, write, member } = await startSubscribed(t)
    const id = await write('Lunch at noon?')
    await pollUntil('it is shown', () => firefox.evaluateInside(clickNotification))
    const page = await firefox.findPage(`#narrow/dm/${owner.userId}/near/${id}`)
    await pollUntil('the message is there', () =>
      page.evaluate(
        () => document.querySelector('[role=log]')?.textContent.includes('Lunch at noon?') === true,
      ),
    )
    await pollUntil('it is read', async () => {
      const { messages } = await member.must('GET', '/messages', { anchor: id, num_before: 0, num_after: 0 })
      return messages[0]?.flags.includes('read')
    })
    t.same(await notificationsIn(page), [])
  },
)

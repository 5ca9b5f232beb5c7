/**
 * Pushes from end to end in a real Firefox: its own subscription, keys, decryption and notifications. Only the push service is the
 * test's, on this machine.
 */

import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { FIREFOX_OPTIONS, type FirefoxPage, startFirefox } from '../harness/browser/firefox.ts'
import { startFirefoxService } from '../harness/providers/start-firefox-service.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { PASSWORD, storePasswords } from './team.ts'

/** The code of a message that the worker has. */
const DELIVERED = 100

t.test(
  '[FIREFOX1] a Firefox without a page shows messages, closes what was read elsewhere, and is dropped when it has left',
  FIREFOX_OPTIONS,
  async (t) => {
    const service = await startFirefoxService(t)
    const server = await startTestServer(t, { env: service.env })
    await storePasswords(server.databaseUrl)
    const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
    t.teardown(() => worker.close())
    const { url } = server.node
    const [owner, member] = [server.as('owner'), server.as('member')]
    const { full_name: ownerName } = await owner.must('GET', '/users/me')
    // The browser was looked at just now.
    await member.must('PATCH', '/settings', { enable_online_push_notifications: true })
    const write = async (content: string) =>
      (await owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content })).id
    const subscriptions = async () => (await member.must('GET', '/users/me/web_push')).subscriptions

    const firefox = await startFirefox(t, service.preferences)
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
    t.match(await subscriptions(), [{ client_name: 'Firefox on Linux', last_answer: null }])
    t.equal(service.channels(), 1)
    await page.close()

    const first = await write('Dinner — at eight?')
    await pollUntil('it is delivered', () => service.acks.length === 1)
    const second = await write('Or at nine 🌒')
    await pollUntil('the second is delivered', () => service.acks.length === 2)
    // This page of the server has no client, which would notify by itself.
    const other = await firefox.open()
    await other.goto(`${url}/accounts/security`)
    await pollUntil('both are shown', async () => (await notificationsIn(other))[0]?.body.includes('nine'))
    t.match(await notificationsIn(other), [
      {
        title: ownerName,
        body: 'Dinner — at eight?\nOr at nine 🌒',
        data: {
          messageIds: [first, second],
          navigate: new RegExp(`#narrow/dm/${owner.userId}/near/${second}$`),
        },
      },
    ])
    t.equal((await notificationsIn(other)).length, 1)

    await member.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [first, second] })
    await pollUntil('it is closed', async () => (await notificationsIn(other)).length === 0)
    t.same(service.answers, [201, 201, 201])
    t.match(await subscriptions(), [{ last_answer: '201' }])

    await firefox.quit()
    await write('Still there?')
    await pollUntil('it waits at the service', () => service.answers.length === 4)
    await firefox.start()
    const later = await firefox.open()
    await later.goto(`${url}/accounts/security`)
    await pollUntil('it is shown', async () => (await notificationsIn(later)).length === 1)
    t.match(await notificationsIn(later), [{ title: ownerName, body: 'Still there?' }])

    await firefox.decideNotifications(url, 'denied')
    await pollUntil('Firefox has left', () => service.channels() === 0)
    await write('Anybody?')
    await pollUntil('the server drops it', async () => (await subscriptions())?.length === 0)
    t.same(service.answers, [201, 201, 201, 201, 410])
    t.same(service.acks, [DELIVERED, DELIVERED, DELIVERED, DELIVERED])
    t.same(service.faults, [])
  },
)

/** The notifications of this server that stand. */
function notificationsIn(page: FirefoxPage) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const all = await registration.getNotifications()
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, data }))
  })
}

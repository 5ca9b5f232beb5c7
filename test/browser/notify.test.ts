/** Notifications of the browser client. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
const { full_name: memberName } = await member.must('GET', '/users/me')
const { id: channelId } = await owner.must('POST', '/channels/create', {
  name: 'bridge',
  subscribers: [owner.userId, member.userId],
})

/** Opens a page that records its notifications: a browser without a window refuses to show any. */
async function openRecorded(t: Parameters<typeof openAs>[0]): Promise<Page> {
  const page = await openAs(t, 'owner')
  await page.addInitScript(() => {
    const shown: Recorded[] = []
    class Recorded {
      static readonly permission = 'granted'
      readonly title: string
      readonly body: string | undefined
      onclick: (() => void) | null = null
      constructor(title: string, options?: NotificationOptions) {
        this.title = title
        this.body = options?.body
        shown.push(this)
      }
      close(): void {
        this.onclick = null
      }
    }
    Object.assign(globalThis, { Notification: Recorded, shown })
  })
  await page.reload()
  await page.getByRole('navigation', { name: 'Places' }).waitFor()
  return page
}

/** The texts of the notifications, once there are so many. */
async function shownIn(page: Page, count: number): Promise<string[]> {
  await page.waitForFunction((wanted) => Reflect.get(globalThis, 'shown').length >= wanted, count)
  return page.evaluate(() => {
    const shown: Notification[] = Reflect.get(globalThis, 'shown')
    return shown.map(({ title, body }) => `${title}: ${body}`)
  })
}

const say = (topic: string, content: string) =>
  member.must('POST', '/messages', { type: 'channel', to: 'bridge', topic, content })

t.test(
  '[DESKTOP1] direct messages, mentions, alert words and followed topics notify, others do not',
  async (t) => {
    const { full_name: ownName } = await owner.must('GET', '/users/me')
    await owner.must('POST', '/users/me/alert_words', { alert_words: ['iceberg'] })
    await owner.must('POST', '/user_topics', { stream_id: channelId, topic: 'rudder', visibility_policy: 3 })
    const page = await openRecorded(t)
    await member.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'Dinner?' })
    await say('deck', 'Nothing for you')
    await say('deck', `@**${ownName}** look`)
    await say('deck', 'An iceberg!')
    await say('rudder', 'Left')
    const inDeck = `${memberName} (bridge › deck)`
    t.same(await shownIn(page, 4), [
      `${memberName}: Dinner?`,
      `${inDeck}: @${ownName} look`,
      `${inDeck}: An iceberg!`,
      `${memberName} (bridge › rudder): Left`,
    ])
  },
)

t.test('[DESKTOP2] the conversation on the screen does not notify, and a click opens another', async (t) => {
  const page = await openRecorded(t)
  await page.goto(`/#narrow/channel/${channelId}-bridge/topic/rudder`)
  await page.getByRole('log').waitFor()
  await say('rudder', 'Right')
  await page.getByRole('log').getByText('Right').waitFor()
  await member.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'Still there?' })
  t.same(await shownIn(page, 1), [`${memberName}: Still there?`])
  await page.evaluate(() => {
    const [first] = Reflect.get(globalThis, 'shown')
    first.onclick()
  })
  await page.waitForURL(`**/#narrow/dm/${member.userId}`)
})

t.test('[DESKTOP3] settings of the channel and of the person decide, and the title counts', async (t) => {
  await owner.must('POST', '/mark_all_as_read')
  await owner.must('PATCH', '/settings', { enable_desktop_notifications: false })
  const page = await openRecorded(t)
  await member.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'Hello?' })
  await page.waitForFunction(() => document.title.startsWith('(1) '))
  t.match(await page.locator('link[rel="icon"]').getAttribute('href'), /icon-unread\.svg$/)
  await owner.must('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property: 'desktop_notifications', value: true }],
  })
  await page.goto(`/#channels/${channelId}`)
  await page.locator('.toggle input:checked').first().waitFor()
  await say('galley', 'Soup')
  t.same(await shownIn(page, 1), [`${memberName} (bridge › galley): Soup`])
  await owner.must('POST', '/mark_all_as_read')
  await page.waitForFunction(() => !document.title.startsWith('('))
  t.match(await page.locator('link[rel="icon"]').getAttribute('href'), /icon\.svg$/)
})

t.test('[DESKTOP7] a pause silences the page until it ends, and texts are hidden by choice', async (t) => {
  const page = await openRecorded(t)
  const write = (content: string) =>
    member.must('POST', '/messages', { type: 'direct', to: [owner.userId], content })
  await owner.must('PATCH', '/settings', {
    enable_desktop_notifications: true,
    parley_notifications_paused_until: 4_000_000_000,
    parley_hide_notification_text: true,
  })
  await write('in the pause')
  await page.waitForFunction(() => document.title.startsWith('('))
  await owner.must('PATCH', '/settings', { parley_notifications_paused_until: 0 })
  await write('after it')
  t.same(await shownIn(page, 1), [`${memberName}: New direct message`])
})

t.test(
  '[DESKTOP8] notifications are looked through after messages were read, not after each flag',
  async (t) => {
    // The message is on the screen for a while, and only the test may read it.
    await owner.must('PATCH', '/settings', { web_mark_read_on_scroll_policy: 3 })
    const id = await member.send('bridge', 'log', 'Wind from the west')
    const page = await openAs(t, 'owner')
    await page.addInitScript(() => {
      const { serviceWorker } = navigator
      const get = serviceWorker.getRegistration.bind(serviceWorker)
      serviceWorker.getRegistration = (...given) => {
        Reflect.set(globalThis, 'looks', (Reflect.get(globalThis, 'looks') ?? 0) + 1)
        return get(...given)
      }
    })
    await page.goto('/#narrow/is/starred')
    await page.reload()
    await page.waitForFunction(() => Reflect.get(globalThis, 'looks') > 0)
    const looks = () => page.evaluate(() => Number(Reflect.get(globalThis, 'looks')))
    const before = await looks()
    const mark = (op: string, flag: string) =>
      owner.must('POST', '/messages/flags', { messages: [id], op, flag })
    await mark('add', 'starred')
    await page.getByRole('log').getByText('Wind from the west').waitFor()
    await mark('remove', 'starred')
    await page.getByRole('log').getByText('Wind from the west').waitFor({ state: 'detached' })
    t.equal(await looks(), before)
    await mark('add', 'read')
    await page.waitForFunction((count) => Reflect.get(globalThis, 'looks') > count, before)
  },
)

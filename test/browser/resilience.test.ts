/** Lost connections, closed pages and ended sessions while people write: nothing typed is lost or sent twice. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { pollUntil } from '../services/poll-until.ts'
import { startBlockingProxy } from './blocking-proxy.ts'
import { storedValues, textsOf, write } from './conversation.ts'
import { logInTo, openTeam, startTeam } from './team.ts'

const { server, browser, openAs } = await startTeam(t)
const owner = server.as('owner')
await owner.must('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'plans' }],
  principals: [server.as('member').userId, server.as('member2').userId],
  send_new_subscription_messages: false,
})
const { stream_id: channelId } = await owner.must('GET', '/get_stream_id?stream=plans')

const pathOf = (topic: string) => `/#narrow/channel/${channelId}-plans/topic/${topic}`
const shown = (page: Page, text: string) =>
  page.locator('[role=log] [data-id]').getByText(text, { exact: true }).waitFor()
const pending = (page: Page, text: string) => page.locator('.pending').getByText(text, { exact: true })

async function messagesOf(topic: string): Promise<{ content: string; sender_full_name: string }[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ]
  const fields = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false }
  return (await owner.must('GET', '/messages', fields)).messages
}

const contentsOf = async (topic: string) => (await messagesOf(topic)).map(({ content }) => content)

t.test('[LOSS2] messages that are typed without a connection are sent when it is back', async (t) => {
  const path = pathOf('offline')
  const [one, two] = await Promise.all([openAs(t, 'member', { path }), openAs(t, 'member2', { path })])
  await write(one, 'before')
  await shown(two, 'before')
  await one.context().setOffline(true)
  await write(one, 'meanwhile 1')
  await write(one, 'meanwhile 2')
  await pending(one, 'meanwhile 2').waitFor()
  await write(two, 'of the other')
  await one.context().setOffline(false)
  await shown(two, 'meanwhile 2')
  for (const page of [one, two]) {
    await shown(page, 'of the other')
    await page.locator('.pending').first().waitFor({ state: 'detached' })
  }
  const contents = await contentsOf('offline')
  t.same(contents.toSorted(), ['before', 'meanwhile 1', 'meanwhile 2', 'of the other'])
  t.same(await textsOf(one), contents)
  t.same(await textsOf(two), contents)
})

t.test(
  '[LOSS3] a page that is closed with unsent messages sends them once when it is opened again',
  async (t) => {
    const path = pathOf('closed')
    const page = await openAs(t, 'member', { path })
    await shownEmpty(page)
    // The server takes the first message, but its reply is lost; the second does not leave the page.
    let taken = 0
    await page.route('**/api/v1/messages', async (route) => {
      if (route.request().method() === 'POST' && taken++ === 0) await route.fetch()
      await (route.request().method() === 'POST' ? route.abort() : route.continue())
    })
    await write(page, 'first')
    await write(page, 'second')
    await pending(page, 'second').waitFor()
    await pollUntil('it is on the disk', async () => (await storedTexts(page)).includes('second'))
    await page.close()
    const context = page.context()
    const [again, other] = await Promise.all([context.newPage(), context.newPage()])
    await Promise.all([again.goto(path), other.goto(path)])
    for (const tab of [again, other]) {
      await shown(tab, 'second')
      await tab.locator('.pending').first().waitFor({ state: 'detached' })
      t.same(await textsOf(tab), ['first', 'second'])
    }
    t.same(await contentsOf('closed'), ['first', 'second'], 'although both tabs found them')
  },
)

t.test('[LOSS4] two tabs of a person show the same, and each message is sent once', async (t) => {
  const path = pathOf('tabs')
  const one = await openAs(t, 'member', { path })
  const two = await one.context().newPage()
  await two.goto(path)
  await shownEmpty(two)
  await write(one, 'of the first tab')
  await shown(two, 'of the first tab')
  await write(two, 'of the second tab')
  for (const tab of [one, two]) {
    await shown(tab, 'of the second tab')
    await tab.locator('.pending').first().waitFor({ state: 'detached' })
    t.same(await textsOf(tab), ['of the first tab', 'of the second tab'])
  }
  t.same(await contentsOf('tabs'), ['of the first tab', 'of the second tab'])
})

t.test('[LOSS5] an expired event queue changes nothing of a text that is being written', async (t) => {
  const path = pathOf('queue')
  const page = await openAs(t, 'member', { path })
  const registered = page.waitForResponse('**/api/v1/register')
  await page.reload()
  const { queue_id: queueId } = await (await registered).json()
  await write(page, 'before')
  await shown(page, 'before')
  await page.getByLabel('Message', { exact: true }).fill('half a senten')
  const again = page.waitForResponse('**/api/v1/register')
  await server.as('member').must('DELETE', '/events', { queue_id: queueId })
  await server.as('member2').send('plans', 'queue', 'while there is no queue')
  await again
  await shown(page, 'while there is no queue')
  t.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'half a senten')
  await page.getByLabel('Message', { exact: true }).pressSequentially('ce')
  await page.keyboard.press('Enter')
  await shown(page, 'half a sentence')
  t.same(await contentsOf('queue'), ['before', 'while there is no queue', 'half a sentence'])
})

for (const { id, blocksStreams, kind } of [
  { id: 'LOSS6', blocksStreams: false, kind: 'stream' },
  { id: 'LOSS7', blocksStreams: true, kind: 'poll' },
]) {
  t.test(
    `[${id}] behind a proxy that blocks WebSockets${blocksStreams ? ' and streams' : ''}, messages are live by ${kind}`,
    async (t) => {
      const proxy = await startBlockingProxy(t, server.node.url, { blocksStreams })
      const path = pathOf(kind)
      const behind = await openTeam({ url: proxy.url, databaseUrl: server.databaseUrl }, browser)
      const [one, two] = await Promise.all([behind(t, 'member', { path }), openAs(t, 'member2', { path })])
      await write(one, 'from behind')
      await shown(two, 'from behind')
      await write(two, 'from outside')
      await shown(one, 'from outside')
      t.ok(proxy.passed.includes(kind))
      t.same(await textsOf(one), ['from behind', 'from outside'])
    },
  )
}

for (const { title, blocksStreams, kind } of [
  {
    title: '[LOSS11] a page that follows a stream returns to a WebSocket when the network changes',
    blocksStreams: false,
    kind: 'stream',
  },
  {
    title: '[LOSS12] a page that polls returns to a WebSocket when the network changes',
    blocksStreams: true,
    kind: 'poll',
  },
]) {
  t.test(title, async (t) => {
    const proxy = await startBlockingProxy(t, server.node.url, { blocksStreams })
    const path = pathOf(`back-from-${kind}`)
    const behind = await openTeam({ url: proxy.url, databaseUrl: server.databaseUrl }, browser)
    const [one, two] = await Promise.all([behind(t, 'member', { path }), openAs(t, 'member2', { path })])
    await write(one, '1')
    await shown(two, '1')
    await write(two, '2')
    await shown(one, '2')
    t.ok(proxy.passed.includes(kind))
    const { length } = proxy.passed
    proxy.letThrough()
    const socket = one.waitForEvent('websocket')
    await one.evaluate(() => dispatchEvent(new Event('online')))
    await socket
    for (const text of ['3', '4', '5', '6']) {
      await write(text === '4' ? one : two, text)
      await shown(text === '4' ? two : one, text)
    }
    t.same(proxy.passed.slice(length).slice(-1), ['socket'], 'and it stays there')
    t.same(await textsOf(one), ['1', '2', '3', '4', '5', '6'])
    t.same(await contentsOf(`back-from-${kind}`), ['1', '2', '3', '4', '5', '6'])
  })
}

t.test(
  '[LOSS8] a session that ends elsewhere asks for a log-in, and the text is there afterwards',
  async (t) => {
    const path = pathOf('session')
    const page = await openAs(t, 'member', { path })
    await shownEmpty(page)
    await page.getByLabel('Message', { exact: true }).fill('not sent yet')
    await server.as('member').must('DELETE', '/users/me/sessions')
    await page.getByRole('heading', { name: 'Test Organization' }).waitFor()
    t.notOk(await page.getByLabel('Message', { exact: true }).isVisible(), 'nobody reads on')
    await logInTo(page.context(), 'member')
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    const field = page.getByLabel('Message', { exact: true })
    await field.waitFor() // Until then the page is hidden behind the log-in, and takes no keys.
    await pollUntil('the text is there', async () => (await field.inputValue()) === 'not sent yet')
    await field.press('Enter')
    await shown(page, 'not sent yet')
  },
)

t.test(
  '[LOSS9] messages of one person are never sent as another one who logs in in the same browser',
  async (t) => {
    const path = pathOf('other')
    const page = await openAs(t, 'member', { path })
    await shownEmpty(page)
    await page.route('**/api/v1/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await write(page, 'of the member')
    await pending(page, 'of the member').waitFor()
    const context = page.context()
    await logInTo(context, 'member2')
    await page.unroute('**/api/v1/messages')
    await page.getByRole('navigation', { name: 'Places' }).getByText('The member2').waitFor()
    await write(page, 'of the other')
    await shown(page, 'of the other')
    t.equal(await pending(page, 'of the member').count(), 0)
    await logInTo(context, 'member')
    await page.reload()
    await shown(page, 'of the member')
    t.same(
      (await messagesOf('other')).map((one) => [one.content, one.sender_full_name]),
      [
        ['of the other', 'The member2'],
        ['of the member', 'The member'],
      ],
    )
  },
)

t.test(
  '[LOSS10] a browser without a database sends messages, and warns before it would lose one',
  async (t) => {
    const path = pathOf('no-database')
    const context = await browser.newContext({ baseURL: server.node.url })
    t.teardown(() => context.close())
    await context.addInitScript(() => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }))
    await logInTo(context, 'member')
    const page = await context.newPage()
    await page.goto(path)
    await shownEmpty(page)
    await write(page, 'sent all the same')
    await shown(page, 'sent all the same')
    await context.setOffline(true)
    await write(page, 'only in this page')
    await pending(page, 'only in this page').waitFor()
    const dialog = page.waitForEvent('dialog')
    const closing = page.close({ runBeforeUnload: true })
    const asked = await dialog
    t.equal(asked.type(), 'beforeunload')
    await asked.dismiss()
    await closing
    await context.setOffline(false)
    await shown(page, 'only in this page')
  },
)

t.test('[LOSS15] a database of the browser that never answers keeps no message back', async (t) => {
  const context = await browser.newContext({ baseURL: server.node.url })
  t.teardown(() => context.close())
  await context.addInitScript(() => {
    indexedDB.open = () => new EventTarget() as IDBOpenDBRequest
  })
  await logInTo(context, 'member')
  const page = await context.newPage()
  await page.goto(pathOf('silent-database'))
  await shownEmpty(page)
  await write(page, 'sent all the same')
  await shown(page, 'sent all the same')
})

async function shownEmpty(page: Page): Promise<void> {
  await page.getByText('No messages yet.').waitFor()
}

/** The texts in the outbox of the browser's database. */
async function storedTexts(page: Page): Promise<string[]> {
  const entries = await storedValues(page, server.as('member').userId, 'outbox')
  return (entries as { content: string }[]).map(({ content }) => content)
}

t.test('[LOSS16] an upload that is cut off goes on by itself when the connection is back', async (t) => {
  const page = await openAs(t, 'member', { path: pathOf('files') })
  const add = (name: string) =>
    page
      .locator('.composer input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('step one') })
  const isLinked = (name: string) =>
    page.waitForFunction(
      (link) => document.querySelector('textarea')?.value.includes(link),
      `[${name}](/user_uploads/`,
    )
  // The code of uploads is there.
  await add('before.txt')
  await isLinked('before.txt')
  await page.context().setOffline(true)
  await add('plan.txt')
  await page.getByText('Connection lost').waitFor()
  await page.context().setOffline(false)
  await isLinked('plan.txt')
  t.equal(await page.getByText('Connection lost').count(), 0)
})

t.test(
  '[LOSS17] without a connection the recent conversations of the device are listed, and then all',
  async (t) => {
    for (const topic of ['read one', 'read two', 'not read'])
      await owner.send('plans', topic, `Words in ${topic}`)
    const page = await openAs(t, 'member', { path: pathOf('read.20one') })
    await shown(page, 'Words in read one')
    await page.goto(pathOf('read.20two'))
    await shown(page, 'Words in read two')
    await page.context().setOffline(true)
    await page.goto('/#recent')
    const lines = page.locator('.main .line')
    await lines.filter({ hasText: 'read one' }).waitFor()
    t.match(await lines.first().innerText(), 'read two', 'the last active one is first')
    t.equal(await lines.filter({ hasText: 'not read' }).count(), 0)
    await page.getByRole('alert').getByText('Can’t reach the server').waitFor()
    await page.context().setOffline(false)
    await lines.filter({ hasText: 'not read' }).waitFor()
    t.equal(await page.locator('.main').getByRole('alert').count(), 0)
  },
)

t.test(
  '[LOSS18] a conversation that did not load on a short loss loads when the network is back',
  async (t) => {
    await owner.send('plans', 'missed', 'Words that were missed')
    const page = await openAs(t, 'member', { path: pathOf('elsewhere') })
    await page.context().setOffline(true)
    await page.goto(pathOf('missed'))
    await page.getByRole('alert').getByText('Couldn’t load messages.').waitFor()
    await page.context().setOffline(false)
    await shown(page, 'Words that were missed')
  },
)

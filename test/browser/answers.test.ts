/** Answers that people write into a notification: sent once, and never lost. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { pollUntil } from '../services/poll-until.ts'
import { storedValues } from './conversation.ts'
import { logInTo, openPage, openTeam } from './team.ts'
import { startWebProcess } from './web-process.ts'
import { standInForWorker, type WorkerStandIn } from './worker-stand-in.ts'

const server = await startWebProcess(t)
const browser = await startChromium(t)
await openTeam(server, browser)
const [owner, member] = [server.as('owner'), server.as('member')]
const { full_name: ownerName } = await owner.must('GET', '/users/me')
const ANSWER = 'answer'

/** A page of the member whose worker has shown a direct message of the owner. */
async function openNotified(
  t: Parameters<typeof openPage>[0],
  content: string,
): Promise<{ readonly page: Page; readonly stand: WorkerStandIn }> {
  const page = await openPage(t, browser, server.url, { serviceWorkers: 'allow' })
  const standIn = await standInForWorker(page)
  await logInTo(page.context(), 'member')
  await page.goto('/')
  await page.locator('.app').waitFor()
  // A page without a connection shows the conversations that it has seen.
  await page.goto(`/#narrow/dm/${owner.userId}`)
  await page.getByRole('log').waitFor()
  await page.goto('/#inbox')
  await page.getByRole('heading', { name: 'Inbox' }).first().waitFor()
  const stand = await standIn()
  await owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content })
  await pollUntil('it is shown', async () => (await stand.standing()).some(({ body }) => body === content))
  return { page, stand }
}

/** The texts that the member wrote to the owner, the newest last. */
async function answers(): Promise<string[]> {
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'dm', operand: [member.userId] }],
    apply_markdown: false,
  })
  return messages.filter((one) => one.sender_id === member.userId).map((one) => one.content)
}

const outboxOf = (page: Page) => storedValues(page, member.userId, 'outbox')

t.test('[ANSWER1] an answer in a notification is a message of the conversation, sent once', async (t) => {
  const { page, stand } = await openNotified(t, 'Dinner at eight?')
  t.match(await stand.standing(), [{ title: ownerName, silent: true }])
  t.same(await stand.click({ action: ANSWER, reply: 'With pleasure' }), [])
  t.same(await stand.standing(), [], 'the notification is gone')
  t.same(await answers(), ['With pleasure'])
  t.same(await outboxOf(page), [])
  t.notMatch(page.url(), /narrow/, 'nothing opens')
})

t.test(
  '[ANSWER2] an answer without a connection stays in the outbox, a notification says so, and the next page sends it once',
  async (t) => {
    const { page, stand } = await openNotified(t, 'And breakfast?')
    const before = await answers()
    await page.goto('/accounts/security')
    await server.kill()
    try {
      t.same(await stand.click({ action: ANSWER, reply: 'At seven' }), [])
      t.match(await stand.standing(), [{ title: 'Your reply wasn’t sent', body: 'At seven' }])
      t.match(await outboxOf(page), [
        { content: 'At seven', to: { type: 'direct', userIds: [owner.userId] }, phase: { name: 'waiting' } },
      ])
    } finally {
      await server.start()
    }
    await page.goto(`/#narrow/dm/${owner.userId}`)
    await page.getByRole('log').locator('[data-id]').getByText('At seven').waitFor()
    await pollUntil('the outbox is empty', async () => (await outboxOf(page)).length === 0)
    t.same(await answers(), [...before, 'At seven'])
    await pollUntil('the notification is closed', async () => (await stand.standing()).length === 0)
  },
)

t.test('[ANSWER3] an open page takes up an answer that did not leave, and sends it once', async (t) => {
  const { page, stand } = await openNotified(t, 'Tea?')
  const before = await answers()
  await server.kill()
  try {
    t.same(await stand.click({ action: ANSWER, reply: 'Green' }), [])
    t.same(await stand.standing(), [], 'the page shows it')
    await page.locator('.pending').getByText('Green').waitFor()
    t.match(page.url(), new RegExp(`#narrow/dm/${owner.userId}`))
  } finally {
    await server.start()
  }
  await page.locator('.pending').first().waitFor({ state: 'detached' })
  t.same(await answers(), [...before, 'Green'])
  await pollUntil('the outbox is empty', async () => (await outboxOf(page)).length === 0)
})

t.test('[ANSWER4] an answer that the server took twice over is one message', async (t) => {
  const { page, stand } = await openNotified(t, 'Once?')
  const before = await answers()
  // The line is cut after the server has the answer: the worker learns nothing of it.
  await stand.worker.evaluate(() => {
    const send = fetch
    globalThis.fetch = async (...request) => {
      const answer = await send(...request)
      if (request[1]?.method !== 'POST') return answer
      throw new TypeError('Failed to fetch')
    }
  })
  t.same(await stand.click({ action: ANSWER, reply: 'Once' }), [])
  await pollUntil('the outbox is empty', async () => (await outboxOf(page)).length === 0)
  t.same(await answers(), [...before, 'Once'])
})

t.test('[ANSWER5] an answer that the server refuses is shown with the reason, to be changed', async (t) => {
  const { page, stand } = await openNotified(t, 'How long?')
  const before = await answers()
  const text = 'x'.repeat(10_001)
  t.same(await stand.click({ action: ANSWER, reply: text }), [])
  t.match(await outboxOf(page), [{ content: text, phase: { name: 'failed', reason: /too long/ } }])
  await page
    .getByText(/too long/)
    .first()
    .waitFor()
  t.same(await answers(), before)
  t.same(
    await stand.click({ action: ANSWER, reply: '  ' }).then(() => answers()),
    before,
    'nor is an empty one',
  )
})

t.test('[ANSWER6] after a log-out the answer waits for the person, and nobody else sends it', async (t) => {
  const { page, stand } = await openNotified(t, 'Still there?')
  const before = await answers()
  await page.goto('/accounts/security')
  await page.context().clearCookies()
  t.same(await stand.click({ action: ANSWER, reply: 'Back soon' }), [])
  t.match(await stand.standing(), [{ title: 'Your reply wasn’t sent' }])
  t.match(await outboxOf(page), [{ content: 'Back soon', phase: { name: 'waiting' } }])
  await page.goto('/')
  await page.getByRole('region', { name: 'Unsent on this device' }).waitFor()
  await pollUntil('nobody reads it who is not logged in', async () => (await stand.standing()).length === 0)
  await logInTo(page.context(), 'member')
  await page.goto(`/#narrow/dm/${owner.userId}`)
  await page.reload()
  await page.getByRole('log').locator('[data-id]').getByText('Back soon').waitFor()
  t.same(await answers(), [...before, 'Back soon'])
})

t.test(
  '[ANSWER7] an answer is not sent by somebody else who has logged in since, and waits for its person',
  async (t) => {
    const { page, stand } = await openNotified(t, 'Are you there?')
    const before = await answers()
    await page.goto('/accounts/security')
    await logInTo(page.context(), 'owner')
    t.same(await stand.click({ action: ANSWER, reply: 'Only me' }), [])
    t.match(await stand.standing(), [
      { title: 'Your reply wasn’t sent', body: 'Only me', data: { userId: member.userId } },
    ])
    t.match(await outboxOf(page), [{ content: 'Only me', phase: { name: 'waiting' } }])
    await page.goto('/')
    await page.locator('.app').waitFor()
    await pollUntil('the notification is closed for the owner', async () => {
      return (await stand.standing()).length === 0
    })
    t.match(await outboxOf(page), [{ content: 'Only me' }], 'it still waits')
    t.same(await answers(), before)
    const { messages } = await owner.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'search', operand: 'Only' }],
      apply_markdown: false,
    })
    t.same(messages, [], 'nobody wrote it')
    await logInTo(page.context(), 'member')
    await page.goto(`/#narrow/dm/${owner.userId}`)
    await page.reload()
    await page.getByRole('log').locator('[data-id]').getByText('Only me').waitFor()
    t.same(await answers(), [...before, 'Only me'])
  },
)

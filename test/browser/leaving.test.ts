/** Log-outs on a computer that others use: what the browser has afterwards. */

import type { Page } from 'playwright-core'
import t from 'tap'
import type { DraftEntry } from '../../client/store/drafts/draft-entry.ts'
import { emailOf } from '../harness/servers/start-server.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { storedValues, write } from './conversation.ts'
import { logInTo, PASSWORD, startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const { url } = server.node
const member = server.as('member')
await member.subscribe(['plans'])
const file = await mustPostFile(member, 'a private plan', 'plan.txt')
await member.send('plans', 'cold', `[plan.txt](${file})`)
const { streams } = await member.must('GET', '/streams')
const planId = (streams as { stream_id: number; name: string }[]).find(
  ({ name }) => name === 'plans',
)?.stream_id
const PATH = `/#narrow/channel/${planId}-plans/topic/cold`

/** Everything that a page of this server may store, by kind. */
function storesOf(page: Page) {
  return page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    caches: (await caches.keys()).filter((name) => !name.startsWith('build-')),
  }))
}

const NOTHING = { databases: [], local: [], session: [], caches: [] }

/** Whether the browser's cache has an answer, however old. */
function isCached(page: Page, path: string): Promise<boolean> {
  return page.evaluate(
    (address) =>
      fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    path,
  )
}

async function chooseLogOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'You', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

async function isAtLogIn(page: Page): Promise<void> {
  await page.getByLabel('Email address').waitFor()
}

/** Writes a message that cannot be sent. */
async function writeUnsent(page: Page, text: string): Promise<void> {
  await page.route('**/api/v1/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await write(page, text)
  await page.locator('.pending', { hasText: text }).or(page.getByText(text)).first().waitFor()
}

async function messagesWith(text: string): Promise<number> {
  const { messages } = await member.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
  })
  return (messages as { content: string }[]).filter(({ content }) => content.includes(text)).length
}

t.test('[LEAVE1] a log-out leaves nothing of its person in the browser', async (t) => {
  const page = await openAs(t, 'member', { path: PATH })
  await page.getByRole('link', { name: 'plan.txt' }).waitFor()
  const read = await page.evaluate((address) => fetch(address).then((answer) => answer.text()), file)
  t.equal(read, 'a private plan')
  t.ok(await isCached(page, file), 'the browser has the file')
  t.notOk(await isCached(page, '/api/v1/users/me'), 'but no answer of the API')
  await page.evaluate(() => localStorage.setItem('parley-searches', '["salaries"]'))
  await page.evaluate(async () => (await caches.open('dismissed')).put('/dismissed/1', Response.json([7])))
  await page.getByLabel('Message', { exact: true }).fill('not for others')
  // Until the device knows that the server has the draft, a log-out would ask.
  await pollUntil('the draft is saved', async () => {
    const drafts = (await storedValues(page, member.userId, 'drafts')) as DraftEntry[]
    return drafts.some(({ content, isSaved }) => content === 'not for others' && isSaved)
  })
  const { drafts } = await member.must('GET', '/drafts')
  t.ok((drafts as { content: string }[]).some(({ content }) => content === 'not for others'))
  await pollUntil('the page has a copy for times without a connection', async () =>
    JSON.stringify(await storedValues(page, member.userId, 'reading')).includes('plan.txt'),
  )
  await chooseLogOut(page)
  await isAtLogIn(page)
  t.same(await storesOf(page), NOTHING)
  t.notOk(await isCached(page, file), 'the cache is empty')
  t.equal(await page.evaluate((address) => fetch(address).then(({ status }) => status), file), 401)
  t.equal(page.url(), `${url}/`, 'the address names no conversation')
  t.notMatch(await page.content(), /plan/)
})

t.test('[LEAVE2] a log-out asks before it deletes what is unsent, on all pages of the browser', async (t) => {
  const page = await openAs(t, 'member', { path: PATH })
  const other = await page.context().newPage()
  await other.goto(PATH)
  await other.locator('.app').waitFor()
  await writeUnsent(page, 'never sent')
  await chooseLogOut(page)
  const question = page.getByRole('dialog', { name: 'Log out without sending?' })
  await question.getByText('1 message is only on this device.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  t.equal((await page.context().cookies()).filter(({ name }) => name === 'sessionid').length, 1)
  await chooseLogOut(page)
  await question.getByRole('button', { name: 'Log out and delete' }).click()
  for (const one of [page, other]) {
    await isAtLogIn(one)
    await pollUntil('its stores are empty', async () => {
      const stores = await storesOf(one).catch(() => undefined) // It is shown anew just now.
      return stores && JSON.stringify(stores) === JSON.stringify(NOTHING)
    })
    // A page that saw its session end before all was deleted is shown anew by the word of the other one.
    await one.locator('.app').waitFor({ state: 'detached' })
    await isAtLogIn(one)
    t.equal(await one.getByText('unsent on this device').count(), 0)
  }
  t.equal(await messagesWith('never sent'), 0)
})

t.test(
  '[LEAVE3] a page whose session ended elsewhere holds nothing, and leads back to its place',
  async (t) => {
    const page = await openAs(t, 'member', { path: PATH })
    await page.getByRole('link', { name: 'plan.txt' }).waitFor()
    await page.evaluate((address) => fetch(address).then((answer) => answer.text()), file)
    await member.must('DELETE', '/users/me/sessions')
    await isAtLogIn(page)
    await pollUntil('its stores are empty', async () => {
      const stores = await storesOf(page).catch(() => undefined)
      return stores && JSON.stringify(stores) === JSON.stringify(NOTHING)
    })
    await isAtLogIn(page)
    t.equal(await page.locator('.app').count(), 0, 'not even hidden')
    t.notOk(await isCached(page, file), 'the cache is empty')
    await page.getByLabel('Email address').fill(emailOf('member'))
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('link', { name: 'plan.txt' }).waitFor()
  },
)

t.test(
  '[LEAVE4] after a session that ended elsewhere, unsent messages wait or are deleted by hand',
  async (t) => {
    const page = await openAs(t, 'member', { path: PATH })
    await page.getByRole('link', { name: 'plan.txt' }).waitFor()
    await pollUntil('the page has a copy', async () =>
      JSON.stringify(await storedValues(page, member.userId, 'reading')).includes('plan.txt'),
    )
    await writeUnsent(page, 'waits for its person')
    await member.must('DELETE', '/users/me/sessions')
    const note = page.getByRole('region', { name: 'Unsent on this device' })
    await note.getByText('1 message is unsent on this device').waitFor()
    t.same(await storedValues(page, member.userId, 'reading'), [], 'what was only read is gone')
    t.same(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('parley-offline-'))),
      [],
    )
    t.notMatch(await note.textContent(), /waits for its person/)
    await page.unroute('**/api/v1/messages')
    await page.reload()
    await note.waitFor()
    await logInTo(page.context(), 'member')
    await page.reload()
    await pollUntil('it is sent', async () => (await messagesWith('waits for its person')) === 1)
    await writeUnsent(page, 'is deleted')
    await member.must('DELETE', '/users/me/sessions')
    await note.getByRole('button', { name: 'Delete' }).click()
    await note.waitFor({ state: 'detached' })
    await isAtLogIn(page)
    await pollUntil('its stores are empty', async () => {
      const stores = await storesOf(page).catch(() => undefined)
      return stores && JSON.stringify(stores) === JSON.stringify(NOTHING)
    })
  },
)

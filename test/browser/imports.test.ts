/** Moving in, in the browser: an owner imports a zip, opens a thread as a topic, and an imported person gets their account. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { SLACK } from '../admin/imports/slack-fixture.ts'
import { makeZip } from '../harness/files/write-zip.ts'
import { openMailboxes } from '../harness/mail/mailbox.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { findFaults } from './find-faults.ts'
import { openPage, startTeam } from './team.ts'

const THREAD = 'Could we move the #old release to Friday?'
/** As addresses of the client have it. */
const TOPIC = encodeURIComponent(THREAD).replaceAll('.', '%2E').replaceAll('%', '.')
const mailServer = await startMailServer(t)
const { server, browser, openAs } = await startTeam(t, mailServer.env)
await startMailWorkers(t, server, 1)
const mailboxes = openMailboxes(mailServer, server)
const page = await openAs(t, 'owner')
const ARCHIVE = makeZip(
  Object.entries(SLACK).map(([name, value]) => ({ name, content: JSON.stringify(value) })),
)
const archive = (name = 'slack.zip') => ({ name, mimeType: 'application/zip', buffer: ARCHIVE })

/** Another workspace, with names that are taken after the first import, or by channels that people made. */
const LATER = makeZip(
  Object.entries({
    'users.json': [
      { id: 'U51', name: 'max', profile: { real_name: 'Max', email: 'u1@example.org' } },
      { id: 'U52', name: 'eve', profile: { real_name: 'Eve', email: 'eve@example.org' } },
    ],
    'channels.json': ['general', 'harbour', 'lobby'].map((name, index) => ({
      id: `C5${index}`,
      name,
      members: ['U51'],
    })),
    'groups.json': [{ id: 'G51', name: 'boats', members: ['U51'] }],
    ...Object.fromEntries(
      ['general', 'harbour', 'lobby', 'boats'].map((name, index) => [
        `${name}/2024-05-06.json`,
        [{ type: 'message', user: 'U51', ts: `171499000${index}.000100`, text: `${name} of the later one` }],
      ]),
    ),
  }).map(([name, value]) => ({ name, content: JSON.stringify(value) })),
)

async function choose(name?: string): Promise<void> {
  await page.goto('/#organization/import')
  await page.getByLabel('From').selectOption('Slack')
  await page.getByLabel('File', { exact: true }).setInputFiles(archive(name))
  await page.getByRole('button', { name: 'Upload and check' }).click()
}

async function confirm(on: Page, name: string): Promise<void> {
  await on.getByRole('button', { name }).click()
  await on.getByRole('dialog').getByRole('button', { name }).click()
}

/** Holds what imports must read until the function is called. */
async function holdImports(): Promise<() => Promise<void>> {
  const holder = connect(server.databaseUrl, 1, 'parley-test')
  t.teardown(() => holder.end({ timeout: 0 }))
  const held = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const holding = holder.begin(async (tx) => {
    await tx`lock table imported_ids in access exclusive mode`
    held.resolve()
    await free.promise
  })
  await held.promise
  return async () => {
    free.resolve()
    await holding
  }
}

t.test('[BRING20] only owners have the page', async (t) => {
  const admin = await openAs(t, 'administrator')
  await admin.goto('/#organization/import')
  await admin.getByText('This section doesn’t exist').waitFor()
  await page.goto('/#organization/import')
  await page.getByRole('form', { name: 'New import' }).waitFor()
  t.same(await findFaults(page, 'imports-new'), [])
})

t.test('[BRING21] an upload that breaks off goes on when its file is chosen again', async (t) => {
  let isCut = true
  await page.route('**/api/v1/tus/*', (route) =>
    isCut && route.request().method() === 'PATCH'
      ? route.fulfill({ status: 400, json: { result: 'error', msg: 'Try again later', code: 'BAD_REQUEST' } })
      : route.continue(),
  )
  await choose()
  await page.getByText('The upload isn’t complete.').waitFor()
  await page.getByText('Try again later').waitFor()
  // Another start of the page knows nothing of the file.
  await page.reload()
  const again = page.getByLabel('The upload isn’t complete. Choose the file again to continue.')
  await again.waitFor()
  t.same(await findFaults(page, 'imports-waiting'), [])
  isCut = false
  const [resumed] = await Promise.all([
    page.waitForRequest((request) => request.method() === 'HEAD' && request.url().includes('/api/v1/tus/')),
    again.setInputFiles(archive()),
  ])
  t.match(resumed.url(), /\/api\/v1\/tus\/\w/)
  await page.getByRole('button', { name: 'Start import' }).waitFor()
  await page.unroute('**/api/v1/tus/*')
  await confirm(page, 'Cancel import')
  await page.getByRole('form', { name: 'New import' }).waitFor()
  await page.getByText('Canceled').waitFor()
})

t.test('[BRING25] another file of the same name is sent from its start', async () => {
  let isCut = true
  const parts: (string | null)[] = []
  await page.route('**/api/v1/tus/*', (route) => {
    const request = route.request()
    if (request.method() !== 'PATCH') return route.continue()
    parts.push(new URL(request.url()).pathname)
    return isCut
      ? route.fulfill({ status: 400, json: { result: 'error', msg: 'Try again later', code: 'BAD_REQUEST' } })
      : route.continue()
  })
  await choose()
  await page.getByText('Try again later').waitFor()
  isCut = false
  const later = makeZip([
    ...Object.entries(SLACK).map(([name, value]) => ({ name, content: JSON.stringify(value) })),
    { name: 'later/2024-01-01.json', content: '[]' },
  ])
  await page
    .getByLabel('The upload isn’t complete. Choose the file again to continue.')
    .setInputFiles({ ...archive(), buffer: later })
  await page.getByRole('button', { name: 'Start import' }).waitFor()
  t.equal(parts.length, 2)
  t.not(parts[1], parts[0])
  await page.unroute('**/api/v1/tus/*')
  await confirm(page, 'Cancel import')
  await page.getByRole('form', { name: 'New import' }).waitFor()
})

t.test(
  '[BRING22] an owner sees what would come over, the progress, and the report per channel',
  async (t) => {
    await choose()
    await page.getByRole('button', { name: 'Start import' }).waitFor()
    const general = page.getByRole('row', { name: /^general/ })
    await general.waitFor()
    await general.getByText('Left out').click()
    await general.getByText('a message that is there twice').waitFor()
    t.same(await findFaults(page, 'imports-checked'), [])
    const letGo = await holdImports()
    await confirm(page, 'Start import')
    const bar = page.getByRole('progressbar', { name: 'Importing' })
    await bar.waitFor()
    await page.getByText('Adding people…').waitFor()
    t.same(await findFaults(page, 'imports-running'), [])
    await letGo()
    await page.getByText('Finished').waitFor()
    await page.getByText('Forgot your password?').waitFor()
    await page.getByRole('row', { name: /^general/ }).waitFor()
    t.same(await findFaults(page, 'imports-done'), [])
  },
)

t.test('[BRING23] a thread is a topic, and an imported person gets their account by a mail', async (t) => {
  const channelId = server.node.services.state.findChannelByName('general')?.channel.id
  await page.goto(`/#narrow/channel/${channelId}-general/topic/${TOPIC}`)
  await page.getByRole('heading', { name: THREAD }).first().waitFor()
  for (const text of ['Fine with me', 'Then Friday it is', 'the last reply'])
    await page.locator('article.message', { hasText: text }).first().waitFor()
  const ann = await openPage(t, browser, server.node.url)
  await ann.goto('/login/')
  await ann.getByRole('link', { name: 'Forgot your password?' }).click()
  await ann.getByLabel('Email address').fill('u1@example.org')
  await ann.getByRole('button', { name: 'Send link' }).click()
  await ann.getByText('a link is on its way').waitFor()
  await ann.goto(await mailboxes.link('u1@example.org'))
  await ann.getByLabel('New password').fill('lighthouse keeper 47')
  await ann.getByRole('button', { name: 'Save password' }).click()
  await ann.locator('.app').waitFor()
  await ann.goto(`/#narrow/channel/${channelId}-general/topic/${TOPIC}`)
  await ann.locator('article.message', { hasText: 'the last reply' }).first().waitFor()
})

t.test('[BRING24] a broken archive says why it failed', async () => {
  await page.goto('/#organization/import')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ ...archive('cut.zip'), buffer: ARCHIVE.subarray(0, -100) })
  await page.getByRole('button', { name: 'Upload and check' }).click()
  await page.getByText(/^cut\.zip is no whole zip archive/).waitFor()
  await page.getByRole('form', { name: 'New import' }).waitFor()
})

t.test(
  '[IMPORTNAME10] the owner chooses for each channel whose name is taken, and a reload forgets nothing',
  async (t) => {
    const owner = server.as('owner')
    await owner.subscribe(['harbour', 'lobby', 'boats'])
    await page.getByLabel('File', { exact: true }).setInputFiles({ ...archive('later.zip'), buffer: LATER })
    await page.getByRole('button', { name: 'Upload and check' }).click()
    const part = page.getByRole('region', { name: 'Channels whose names are taken' })
    await part.waitFor()
    t.equal(await part.getByRole('listitem').count(), 4)
    // A private channel never comes into a public one.
    const boats = part.getByLabel('Action for boats')
    t.same(await boats.locator('option').allTextContents(), ['Import as'])
    t.equal(await part.getByLabel('New name of boats').inputValue(), 'boats (Slack)')
    await part.getByLabel('Action for harbour').selectOption({ label: 'Merge into #harbour' })
    await part.getByText('Saved').waitFor()
    await part.getByLabel('New name of harbour').waitFor({ state: 'detached' })
    await part.getByLabel('New name of lobby').fill('boats (Slack)')
    await page.keyboard.press('Tab')
    await part.getByText('Two channels cannot become boats (Slack)').waitFor()
    await part.getByLabel('New name of lobby').fill('Hall')
    await page.keyboard.press('Tab')
    await page.getByRole('row', { name: 'lobby as Hall' }).waitFor()
    await page.getByText('1 person has an account here').click()
    await page.locator('.matched-people li', { hasText: 'Max' }).getByText('Ann').waitFor()
    t.same(await findFaults(page, 'imports-names'), [])
    await page.reload()
    await part.waitFor()
    t.equal(await part.getByLabel('Action for harbour').inputValue(), 'merge')
    t.equal(await part.getByLabel('New name of lobby').inputValue(), 'Hall')
    t.equal(await part.getByLabel('Action for general').inputValue(), 'name')
    await part.getByRole('button', { name: 'Merge' }).waitFor({ state: 'detached' })
    const other = await openAs(t, 'owner')
    await other.goto('/#organization/import')
    await other.getByLabel('New name of lobby').waitFor()
    await part.getByLabel('Action for general').selectOption('merge')
    // Another page of the owner follows.
    await other.getByLabel('New name of general').waitFor({ state: 'detached' })
  },
)

t.test('[IMPORTNAME11] the import brings the channels over as chosen', async (t) => {
  await confirm(page, 'Start import')
  await page.getByText('Finished').nth(1).waitFor()
  await page
    .getByRole('row', { name: /^lobby as Hall/ })
    .first()
    .waitFor()
  await page
    .getByRole('row', { name: /^harbour\b/ })
    .first()
    .waitFor()
  const { state } = server.node.services
  const channelId = state.findChannelByName('harbour')?.channel.id
  await page.goto(`/#narrow/channel/${channelId}-harbour`)
  await page.locator('article.message', { hasText: 'harbour of the later one' }).first().waitFor()
  t.equal(state.findChannelByName('harbour (Slack)'), undefined)
  t.equal(state.findChannelByName('boats (Slack)')?.channel.isPrivate, true)
  t.ok(state.findChannelByName('Hall'))
})

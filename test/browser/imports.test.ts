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

/** The first minutes of a team whose server sends no email: from `npm start` to a second person's first message. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startEntry } from '../start/run-entry.ts'
import { startTeam } from './team.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const PASSWORD = 'correct horse battery'
const SHOTS = process.env['PARLEY_SHOTS']
const shoot = async (page: Page, name: string) => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true })
}

t.test(
  '[MINUTES1] without a mail server the owner learns so at once, and a second person joins by the link on a phone',
  async (t) => {
    const entry = startEntry(t, 'server/start.ts', { DATA_DIR: t.testdir(), PORT: '0' }, ['--no-demo'])
    const [, setUp = ''] = await entry.whenSaid(/^ {4}(http:\S+\/setup\/[A-Za-z0-9]{32}\/)$/m)
    await entry.whenSaid(/^Parley is ready at/m)
    const browser = await startChromium(t)
    const { origin } = new URL(setUp)
    const openPhone = async () => {
      const context = await browser.newContext({ ...PHONE, baseURL: origin })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
      return context.newPage()
    }

    const owner = await openPhone()
    await owner.goto(setUp)
    await owner.getByLabel('Organization').fill('Harbour')
    await owner.getByLabel('Your name').fill('Ann Sailor')
    await owner.getByLabel('Email address', { exact: true }).fill('ann@example.com')
    await owner.getByLabel('Password').fill(PASSWORD)
    const choice = owner.getByLabel('Let people join by link without confirming their email address')
    t.ok(await choice.isChecked(), 'it is the way for a server without email')
    await shoot(owner, 'minutes-set-up')
    await owner.getByRole('button', { name: 'Create organization' }).click()
    await owner.getByText('This server sends no email yet.').waitFor()
    t.equal(await owner.getByRole('img', { name: 'QR code of the invitation link' }).count(), 1)
    await owner.getByRole('button', { name: 'Copy link' }).click()
    await owner.getByText('Link copied').waitFor()
    await shoot(owner, 'minutes-ready')
    const link = await owner.evaluate(() => navigator.clipboard.readText())
    await owner.getByRole('link', { name: 'Open Parley' }).click()
    await owner.getByText('This server sends no email.').waitFor()
    await shoot(owner, 'minutes-inbox')

    const second = await openPhone()
    await second.goto(link)
    await second.getByLabel('Your name').fill('Kim Reef')
    await second.getByLabel('Email address').fill('kim@example.com')
    await second.getByLabel('Password').fill(PASSWORD)
    await shoot(second, 'minutes-join')
    await second.getByRole('button', { name: 'Create account' }).click()
    await second.getByRole('heading', { name: 'Inbox' }).waitFor()
    const channelId = await second.evaluate(async () => {
      const reply = await fetch('/json/users/me/subscriptions')
      const { subscriptions } = await reply.json()
      return subscriptions.find((one: { name: string }) => one.name === 'general').stream_id
    })
    await second.goto(`/#narrow/channel/${channelId}-general/topic/hello`)
    await second.getByLabel('Message', { exact: true }).fill('I am in')
    await second.getByRole('button', { name: 'Send', exact: true }).click()
    await second.locator('[role=log] [data-id]').getByText('I am in').waitFor()
    await owner.goto(`/#narrow/channel/${channelId}-general/topic/hello`)
    await owner.locator('[role=log] [data-id]').getByText('I am in').waitFor()
    await pollUntil('the owner sees who wrote it', async () =>
      (await owner.getByRole('log').innerText()).includes('Kim Reef'),
    )
    entry.process.kill('SIGTERM')
    t.match(await entry.ended, { code: 0 })
  },
)

t.test(
  '[MINUTES2] an administrator is asked to try the mail until one has left the server, and can send it there',
  async (t) => {
    const mailServer = await startMailServer(t)
    const { server, openAs } = await startTeam(t, mailServer.env)
    await startMailWorkers(t, server)
    const { sql } = server.node.services
    await sql`update mail_results set sent_at = null, failed_at = null, problem = null`
    const page = await openAs(t, 'administrator', { path: '/#organization/invitations' })
    await page.getByText('No email has left this server yet.').waitFor()
    await page.getByRole('button', { name: 'Send me a test email' }).click()
    await pollUntil('the mail arrives', () => mailServer.to(server.as('administrator').email).length > 0)
    await pollUntil('it is noted', async () => {
      const { sent_at: sentAt } = await server.as('administrator').must('GET', '/server/mail')
      return sentAt !== null
    })
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('No email has left this server yet.').waitFor({ state: 'detached' })

    await sql`update mail_results set failed_at = now() + interval '1 second', problem = 'refused'`
    await page.reload()
    await page.getByText('Email fails').waitFor()
  },
)

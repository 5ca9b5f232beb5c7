/** The browser client without TLS, away from the machine of the server: browsers take parts of themselves away there. */

import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { textsOf, write } from './conversation.ts'
import { openPage, PASSWORD, storePasswords } from './team.ts'

const HOST = 'chat.example'
const server = await startTestServer(t)
const browser = await startChromium(t, [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`])
const url = server.node.url.replace('127.0.0.1', HOST)
await storePasswords(server.databaseUrl)
await server.as('member').subscribe(['plans'])

t.test(
  '[CLIENT8] over plain http from another machine a person logs in, writes, uploads a file and copies a link',
  async (t) => {
    const page = await openPage(t, browser, url, { permissions: [] })
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto('/')
    t.notOk(await page.evaluate(() => isSecureContext))
    await page.getByLabel('Email address').fill(emailOf('member'))
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('link', { name: 'plans', exact: true }).click()
    await page.getByLabel('Message', { exact: true }).click()
    await page.getByLabel('Topic', { exact: true }).fill('plain')
    await write(page, 'without TLS')
    await page.locator('[role=log] [data-id]').getByText('without TLS').waitFor()
    await page
      .locator('.composer input[type=file]')
      .setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('one, two') })
    const area = page.getByLabel('Message', { exact: true })
    await page.waitForFunction(() =>
      /\]\(\/user_uploads\//.test(
        document.querySelector<HTMLTextAreaElement>('.composer textarea')?.value ?? '',
      ),
    )
    await page.getByLabel('Topic', { exact: true }).fill('plain')
    await area.press('Enter')
    await page.locator('[role=log] [data-id]').getByRole('link', { name: 'list.txt' }).waitFor()
    t.same(await textsOf(page), ['without TLS', 'list.txt'])
    await page.getByRole('button', { name: 'Channel menu' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await page.getByText('Link copied').waitFor()
    await area.focus()
    await page.keyboard.press('ControlOrMeta+V')
    t.match(await area.inputValue(), new RegExp(`^${url}/#narrow/channel/\\d+-plans$`))
    await page.goto('/#settings/notifications')
    await page.getByText('Browsers show notifications only for secure pages').waitFor()
    t.equal(await page.getByRole('button', { name: 'Allow notifications' }).count(), 0)
    t.same(problems, [])
  },
)

/** A required second factor in the browser: asked for in time, then the only way on. */

import { TOTP } from 'otpauth'
import type { BrowserContext } from 'playwright-core'
import t from 'tap'
import { Browser } from '../harness/browser/browser.ts'
import { emailOf } from '../harness/servers/start-server.ts'
import { findFaults } from './find-faults.ts'
import { openPage, PASSWORD, startTeam } from './team.ts'

const { server, browser, openAs } = await startTeam(t)
const { url } = server.node
const label = 'Require an authenticator app'

/** Logs the owner in, and gives them an app; the session goes on in the context. */
async function logInOwner(context: BrowserContext): Promise<void> {
  const session = new Browser(url)
  await session.logIn(emailOf('owner'), PASSWORD)
  const { secret } = (await session.call('POST', '/json/users/me/two_factor/totp')).body
  const otp_token = new TOTP({ secret }).generate()
  const { status } = await session.call('POST', '/json/users/me/two_factor/totp/confirm', { otp_token })
  if (status !== 200) throw new Error(`the app was refused: ${status}`)
  await context.addCookies([...session.cookies].map(([name, value]) => ({ name, value, url })))
}

t.test(
  '[FACTOR50] people are asked for a second factor in time, then led to it, and go on with it',
  async (t) => {
    const other = await openAs(t, 'administrator')
    await other.goto('/#organization/joining')
    t.equal(await other.getByLabel(label).isDisabled(), true, 'only owners change it')
    const owner = await openPage(t, browser, url)
    await logInOwner(owner.context())
    await owner.goto('/#organization/joining')
    const member = await openAs(t, 'member')
    await owner.getByLabel(label).selectOption({ label: 'After 7 days' })
    await owner.locator('.setting', { hasText: label }).getByText('Saved').waitFor()
    t.same(await findFaults(owner, 'require-factor'), [])
    t.equal(await owner.getByText('Your organization will require').count(), 0, 'the owner has an app')

    await member.getByText('Your organization will require an authenticator app').waitFor()
    t.same(await findFaults(member, 'factor-note'), [])
    const note = await member.locator('.factor-note').boundingBox()
    const heading = await member.getByRole('heading', { level: 1 }).first().boundingBox()
    t.ok(note && heading && note.y === 0 && note.y + note.height <= heading.y, 'it covers nothing')
    await member.getByRole('button', { name: 'Later' }).click()
    await member.getByText('Your organization will require').waitFor({ state: 'detached' })

    await owner.getByLabel(label).selectOption({ label: 'Right away' })
    await owner.locator('.setting', { hasText: label }).getByText('Saved').waitFor()
    await member.goto('/#recent')
    await member.reload()
    await member.getByText('Set one up to continue.').waitFor()
    t.equal(new URL(member.url()).pathname, '/accounts/security')
    t.same(await findFaults(member, 'factor-required'), [])
    await member.getByRole('button', { name: 'Set up' }).click()
    const secret = (await member.locator('code').innerText()).replaceAll(' ', '')
    await member.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
    await member.getByRole('button', { name: 'Turn on' }).click()
    await member.getByRole('link', { name: 'Done' }).click()
    await member.getByRole('link', { name: 'Back to conversations' }).click()
    await member.getByRole('heading', { name: 'Inbox' }).waitFor()
  },
)

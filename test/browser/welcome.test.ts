/** The ways to log in at the address of the server. */

import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { FactorAccounts, PROOF, wrongCode } from '../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { PUBLIC_URL, startLoginProvider } from '../harness/sign-on/start-login-provider.ts'
import { startPath } from '../harness/sign-on/sign-on.ts'
import { startTestServer } from '../harness/servers/start-server.ts'

const provider = await startLoginProvider(t)
const clock = new ManualClock()
const server = await startTestServer(t, {
  clock,
  env: { PUBLIC_URL, OIDC_PROVIDERS: JSON.stringify([provider.settings]) },
})
const people = new FactorAccounts(server, clock)
const browser = await startChromium(t)

t.test(
  '[WELCOME1] an account with an authenticator app is asked for its code in the same place',
  async (t) => {
    const account = await people.addAccount()
    const context = await browser.newContext({ baseURL: server.node.url })
    const page = await context.newPage()
    await page.goto('/')
    const submit = page.getByRole('button', { name: 'Log in', exact: true })
    await page.getByLabel('Email address').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(PROOF.password)
    await submit.click()
    const code = page.getByLabel('Code')
    await page.locator('#code:focus').waitFor()
    t.notOk(await page.getByLabel('Password', { exact: true }).isVisible())
    await code.fill(wrongCode(account.sameCode()))
    await submit.click()
    t.equal(await page.getByRole('alert').textContent(), 'Wrong code, or already used.')
    await page.getByRole('button', { name: 'Log in with another account' }).click()
    t.equal(await page.getByLabel('Email address').inputValue(), account.email, 'nothing typed is lost')
    await submit.click()
    await code.fill(account.code())
    await submit.click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await context.close()
  },
)

t.test(
  '[WELCOME2] the providers of the organization have a button each, and go on to the client',
  async (t) => {
    const context = await browser.newContext({ baseURL: server.node.url })
    const page = await context.newPage()
    const foreign: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== server.node.url) foreign.push(request.url())
    })
    await page.goto('/')
    const link = page.getByRole('link', { name: /^Log in with / })
    await link.waitFor()
    t.equal(await link.getAttribute('href'), startPath(provider))
    t.equal(
      await page.getByRole('button', { name: 'Log in with a passkey' }).count(),
      0,
      'browsers have no passkeys for network addresses',
    )
    t.same(foreign, [], 'the page asks no other server')
    await context.close()
  },
)

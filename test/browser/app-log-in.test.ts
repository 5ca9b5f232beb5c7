/** Log-ins that lead through other places, in a real Chromium: out of the browser into an app, and back from another site. */

import { createServer } from 'node:http'
import t from 'tap'
import { Browser } from '../harness/browser/browser.ts'
import { startChromium } from '../harness/browser/chromium.ts'
import { FactorAccounts, PROOF } from '../harness/sign-on/factor-accounts.ts'
import { listenLocally } from '../harness/servers/listen-locally.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { answerXml, readSamlRequest, SAML_SETTINGS } from '../harness/sign-on/saml-provider.ts'
import { signOn } from '../harness/sign-on/sign-on.ts'
import { PUBLIC_URL, startLoginProvider } from '../harness/sign-on/start-login-provider.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { findFaults } from './find-faults.ts'

const OTP = '0123456789abcdef'.repeat(4)
const clock = new ManualClock()
const provider = await startLoginProvider(t)
let identified = ''
/** The page of an identity provider, at another site: browsers send no cookies with what it posts. */
const company = createServer((request, response) => {
  const asked = readSamlRequest(`http://localhost${request.url}`)
  const xml = answerXml(asked, { nameId: identified, attributes: { email: identified } })
  response.setHeader('content-type', 'text/html')
  response.end(`<form method="post" action="${server.node.url}/accounts/login/saml/company/answer">
<input name="SAMLResponse" value="${Buffer.from(xml).toString('base64')}">
<input name="RelayState" value="${asked.state}"><button>Continue to the chat</button></form>`)
})
const companyUrl = (await listenLocally(t, company)).replace('127.0.0.1', 'localhost')
const server = await startTestServer(t, {
  clock,
  env: {
    PUBLIC_URL,
    OIDC_PROVIDERS: JSON.stringify([provider.settings]),
    SAML_PROVIDERS: JSON.stringify([{ ...SAML_SETTINGS, url: `${companyUrl}/sso` }]),
  },
})
const { url } = server.node
const people = new FactorAccounts(server, clock)
const chromium = await startChromium(t)

t.test('[SSO30] a browser follows the answer to the code into the app', async (t) => {
  const account = await people.addAccount()
  provider.people.set('m', { email: account.email, email_verified: true })
  const first = new Browser(url)
  t.equal((await signOn(first, provider, 'm', { mobile_flow_otp: OTP })).status, 303)
  const context = await chromium.newContext({ baseURL: url })
  await context.addCookies([...first.cookies].map(([name, value]) => ({ name, value, url })))
  const page = await context.newPage()
  await page.goto('/accounts/login/code')
  await page.getByLabel('Code').fill(account.code())
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  const asked: string[] = []
  network.on('Network.requestWillBeSent', ({ request }) => void asked.push(request.url))
  const ended = new Promise<void>((resolve) => network.on('Network.loadingFailed', () => resolve()))
  await page.getByRole('button', { name: 'Log in' }).click()
  await ended // No program of this machine opens such addresses.
  t.match(asked.at(-1), /^zulip:\/\/login\?.*otp_encrypted_api_key=[0-9a-f]{64}$/)
})

t.test(
  '[SSO31] the page shows the token for the desktop app, copies it, and drops it from its address',
  async (t) => {
    const { email } = await people.addPerson()
    const context = await chromium.newContext({
      baseURL: url,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    await page.goto(`/accounts/login/?desktop_flow_otp=${OTP}`)
    await page.getByText('continue in the app').waitFor()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(PROOF.password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: 'Copy token' }).click()
    await page.getByText('Token copied. You can close this page.').waitFor()
    const token = await page.getByLabel('Token').inputValue()
    t.match(token, /^[0-9a-f]{142}$/)
    t.equal(await page.evaluate(() => navigator.clipboard.readText()), token)
    t.equal(new URL(page.url()).hash, '')
    t.same(await findFaults(page), [])
    await context.close()
  },
)

t.test('[SAML9] a browser that comes back from the page of an identity provider is logged in', async (t) => {
  const { email } = await people.addPerson()
  identified = email
  const context = await chromium.newContext({ baseURL: url })
  const page = await context.newPage()
  await page.goto('/accounts/login?next=%2Faccounts%2Fsecurity')
  await page.getByRole('link', { name: 'Log in with The company' }).click()
  await page.getByRole('button', { name: 'Continue to the chat' }).click()
  await page.waitForURL(`${url}/accounts/security`)
  t.match(await page.textContent('body'), email)
  await context.close()
})

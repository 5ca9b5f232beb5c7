/** The secrets of log-ins by a provider, which the server's log must not contain. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { Browser } from '../harness/browser/browser.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import { returnTo } from '../harness/sign-on/sign-on.ts'
import { PUBLIC_URL } from '../harness/sign-on/start-login-provider.ts'
import { NAME, startLyingProvider } from '../harness/sign-on/start-lying-provider.ts'

const OTP = '5c'.repeat(32)

t.test('[SSO80] the log, at its most detailed, has no code, token, state or pad', async (t) => {
  const provider = await startLyingProvider(t)
  const web = spawn(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      ...moduleSettings(),
      DATABASE_URL: await createDatabase(t, 'people'),
      PORT: '0',
      LOG_LEVEL: 'trace',
      PUBLIC_URL,
      OIDC_PROVIDERS: JSON.stringify([provider.settings]),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => web.kill('SIGKILL'))
  let log = ''
  const note = (chunk: Buffer) => {
    log += chunk.toString()
  }
  web.stderr.on('data', note)
  const url = await new Promise<string>((resolve, reject) => {
    web.stdout.on('data', (chunk: Buffer) => {
      note(chunk)
      const found = /"url":"([^"]+)"/.exec(log)?.[1]
      if (found !== undefined) resolve(found)
    })
    web.once('exit', () => reject(new Error(`the web process ended: ${log}`)))
  })
  const secrets = [OTP, 'a secret of the client', encodeURIComponent('a secret of the client')]
  const signOn = async (fields: Record<string, string>) => {
    const browser = new Browser(url)
    const started = await browser.send('GET', `/accounts/login/oidc/${NAME}`, { fields })
    const location = started.headers.get('location') ?? ''
    const { searchParams } = new URL(location)
    for (const name of ['state', 'nonce']) secrets.push(searchParams.get(name) ?? '')
    secrets.push(browser.cookies.get('providerstep') ?? '')
    const answer = await returnTo(browser, provider.agree(location))
    return { status: answer.status, location: answer.headers.get('location') ?? '' }
  }
  t.equal((await signOn({})).status, 303)
  const app = await signOn({ mobile_flow_otp: OTP })
  secrets.push(new URL(app.location).searchParams.get('otp_encrypted_api_key') ?? '')
  provider.lie = { claims: (right) => ({ ...right, aud: 'another client' }) }
  t.equal((await signOn({})).status, 502)
  provider.odd.set('/token', (response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: 'invalid_client', error_description: 'secretDescription' }))
  })
  t.equal((await signOn({})).status, 502)
  web.kill('SIGTERM')
  await once(web, 'close') // All of its log is read by then, unlike at its exit.
  t.match(log, '/accounts/login/oidc/lying/callback', 'requests are in the log')
  t.match(log, 'LoginProviderError', 'failures, too')
  for (const secret of [...secrets, ...provider.secrets, 'secretDescription']) {
    t.ok(secret.length > 10)
    t.notOk(log.includes(secret), secret)
  }
})

/** Tries other servers: for mails, for notifications of phones, and for log-ins. None of them sends anything to people. */

import { randomBytes } from 'node:crypto'
import { checkMailServer } from '../../workers/jobs/mail/mail-transport.ts'
import { askRelay } from '../../workers/jobs/push/push-relay.ts'
import { LoginProvider, LoginProviderError } from '../changes/sign-on/login-provider.ts'
import type { Config } from '../config.ts'
import type { LoginProviderSettings } from '../domain/accounts/login-providers.ts'
import { systemClock } from '../domain/clock.ts'
import { type Checked, CheckError } from './finding.ts'

/** Connects, begins TLS and logs in. */
export async function checkMail({ mailServer }: Config): Promise<Checked> {
  if (!mailServer) return { unused: 'MAIL_URL is not set: mails become files in DATA_DIR/mail' }
  const place = `${mailServer.host}:${mailServer.port}`
  const result = await checkMailServer(mailServer)
  if (result.kind === 'sent')
    return `${place} ${mailServer.credentials ? 'takes the password' : 'answers'}; no mail was sent`
  const status = result.status === undefined ? '' : `, status ${result.status}`
  const advice =
    result.code === 'EAUTH'
      ? 'look at the user and the password of MAIL_URL, with special characters escaped (%40)'
      : result.code === 'ETLS'
        ? 'it offers no TLS, which passwords need: take smtps:// or another port'
        : 'look at the host and the port of MAIL_URL, at firewalls, and at the certificate'
  throw new CheckError(`the mail server ${place} does not work (${result.code}${status}): ${advice}`)
}

/** Advice on an answer of the relay. */
const RELAY_ADVICE = {
  refused: 'refuses: look at PUSH_RELAY_ID and PUSH_RELAY_KEY',
  invalid: 'does not know the request: look at PUSH_RELAY_URL',
  unreachable: 'does not answer: look at PUSH_RELAY_URL and at firewalls',
  failed: 'fails, or is no push relay: look at PUSH_RELAY_URL, or wait',
} as const

/** Asks with the credentials, and sends nothing else. */
export async function checkRelay({ pushRelay, hasWebPush }: Config): Promise<Checked> {
  const browsers = hasWebPush ? 'browsers need none' : 'browsers get none either, as WEB_PUSH says'
  if (!pushRelay)
    return { unused: `PUSH_RELAY_URL is not set: phones of the API family get no notifications, ${browsers}` }
  const { kind } = await askRelay(pushRelay)
  if (kind !== 'done') throw new CheckError(`the push relay ${RELAY_ADVICE[kind]}`)
  return `${new URL(pushRelay.url).host} takes the key`
}

/** Reads the description of a provider, as a log-in does. */
export async function checkProvider(settings: LoginProviderSettings, config: Config): Promise<Checked> {
  const secret = () => randomBytes(16).toString('hex')
  const returnUrl = `${config.publicUrl ?? 'http://127.0.0.1'}/accounts/login/oidc/${settings.name}/callback`
  await new LoginProvider(settings, systemClock).authorizationUrl(
    { state: secret(), nonce: secret(), verifier: secret() },
    returnUrl,
  )
  return `${settings.issuer} describes itself; the client's secret shows at a log-in`
}

/** The reason of a failure; the text of an unknown one might hold secrets. */
export function explainProvider({ issuer }: LoginProviderSettings, error: unknown): string {
  const reason = error instanceof LoginProviderError ? error.message : 'it did not answer as it should'
  return `${issuer}: ${reason}; look at "issuer" in OIDC_PROVIDERS, and at firewalls`
}

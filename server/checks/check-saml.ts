/** Tries a provider of log-ins by SAML: its certificates, and the address of its log-ins. */

import { randomBytes, X509Certificate } from 'node:crypto'
import { boundedFetch } from '../changes/sign-on/bounded-fetch.ts'
import { SamlProvider } from '../changes/sign-on/saml-provider.ts'
import type { Config } from '../config.ts'
import type { SamlProviderSettings } from '../domain/accounts/saml-providers.ts'
import type { Clock } from '../domain/clock.ts'
import { type Checked, CheckError } from './finding.ts'

/** Sends the request of a log-in, as a browser does; the provider shows its page, or leads to it. */
export async function checkSaml(
  settings: SamlProviderSettings,
  config: Config,
  clock: Clock,
): Promise<Checked> {
  const endsMs = Math.max(...settings.certificates.map(readEnd))
  const base = `${config.publicUrl ?? 'http://127.0.0.1'}/accounts/login/saml/${settings.name}`
  const request = await new SamlProvider(settings).authorizationUrl(randomBytes(16).toString('hex'), {
    entityId: `${base}/metadata`,
    answerUrl: `${base}/answer`,
  })
  const { host } = new URL(settings.url)
  const { status } = await boundedFetch(request, { method: 'GET', headers: { accept: 'text/html' } }, clock)
  if (status >= 400)
    throw new CheckError(
      `${host} answers a log-in with ${status}: look at "url" in SAML_PROVIDERS, and whether the provider knows ${base}/metadata`,
    )
  // Providers sign with certificates that are over, too: the key counts.
  const day = new Date(endsMs).toISOString().slice(0, 10)
  const life = endsMs < clock.nowMs() ? `ended on ${day}: ask for a new one` : `lasts until ${day}`
  return `${host} answers a log-in; its certificate ${life}; signatures show at a log-in`
}

function readEnd(certificate: string): number {
  try {
    return Date.parse(new X509Certificate(certificate).validTo)
  } catch {
    throw new CheckError('a certificate in SAML_PROVIDERS cannot be read: copy the whole of it')
  }
}

/** The reason of a failure; that of the system names the host at most. */
export function explainSaml({ url }: SamlProviderSettings, error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } }
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : ''
  return `${new URL(url).host} does not answer${code}: look at "url" in SAML_PROVIDERS, at its certificate of TLS, and at firewalls`
}

/** Tries what people of a company come in by: a provider of log-ins by SAML, the directory, and SCIM. */

import { randomBytes, X509Certificate } from 'node:crypto'
import { boundedFetch } from '../changes/sign-on/bounded-fetch.ts'
import { SamlProvider } from '../changes/sign-on/saml-provider.ts'
import type { Config } from '../config.ts'
import type { SamlProviderSettings } from '../domain/accounts/saml-providers.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import { type Checked, CheckError } from './finding.ts'
import { DirectoryError } from '../changes/sign-on/directory/directory-error.ts'
import { Directory } from '../changes/sign-on/directory/directory.ts'
import type { DirectorySettings } from '../domain/accounts/directory-settings.ts'
import type { Sql } from '../../db/connection/connect.ts'
import { SCIM_PATH } from '../domain/scim/attributes.ts'
import { reasonOf } from '../run-process.ts'
import { withDatabase } from './with-database.ts'

const SECURITY = { tls: 'with TLS', starttls: 'with StartTLS', none: 'without TLS' } as const

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

/** Tries the directory: its encryption, the account that searches, and the filter, as a log-in searches. */
export async function checkDirectory(settings: DirectorySettings): Promise<Checked> {
  const { host, port, security, base } = settings
  const { hasPeople, missingGroups } = await new Directory(settings, systemClock).check()
  if (!hasPeople)
    throw new CheckError(`${host} has nobody under ${base}: look at LDAP_BASE, LDAP_FILTER and LDAP_BIND_DN`)
  if (missingGroups.length > 0)
    throw new CheckError(
      `${host} has no ${missingGroups.join('; ')}: look at LDAP_ROLES and LDAP_USER_GROUPS`,
    )
  return `${host}:${port} finds people, ${SECURITY[security]}`
}

/** The reason of a failure; those of the library might hold what was sent. */
export function explainDirectory({ host, port }: DirectorySettings, error: unknown): string {
  const { message } = error as Error
  const isOurs = error instanceof DirectoryError
  return `${host}:${port}: ${isOurs ? message : 'it did not answer as it should'}; look at LDAP_URL, LDAP_CA and at firewalls`
}

/** Providers send the token with each request, and take addresses with TLS alone. */
export async function checkScim({ databaseUrl, publicUrl }: Config): Promise<Checked> {
  if (databaseUrl === undefined)
    return { unused: 'DATABASE_URL is not set, and the token is in the database' }
  if (!(await withDatabase(databaseUrl, hasToken)))
    return { unused: 'there is no token: "admin -- scim token" makes one' }
  if (publicUrl === undefined || new URL(publicUrl).protocol !== 'https:')
    throw new CheckError(
      `there is a token, and providers take addresses with https:// alone: set PUBLIC_URL, or end it by "admin -- scim off"`,
    )
  return `on at ${publicUrl}${SCIM_PATH}; wrong tokens show in the audit log`
}

export function explainScim(error: unknown): string {
  return `whether there is a token is unknown: ${reasonOf(error)}`
}

/** A database before its schema, or of an earlier release, has none. */
async function hasToken(sql: Sql): Promise<boolean> {
  const [table] = await sql<
    { isThere: boolean }[]
  >`select to_regclass('scim_tokens') is not null as "isThere"`
  if (!table?.isThere) return false
  const [row] = await sql<{ isOn: boolean }[]>`select exists (select from scim_tokens) as "isOn"`
  return row?.isOn ?? false
}

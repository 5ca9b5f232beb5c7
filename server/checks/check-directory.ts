/** Tries the company's directory: its encryption, the account that searches, and the filter. */

import { DirectoryError } from '../changes/sign-on/directory/directory-error.ts'
import { Directory } from '../changes/sign-on/directory/directory.ts'
import type { DirectorySettings } from '../domain/accounts/directory-settings.ts'
import { systemClock } from '../domain/clock.ts'
import { type Checked, CheckError } from './finding.ts'

const SECURITY = { tls: 'with TLS', starttls: 'with StartTLS', none: 'without TLS' } as const

/** Searches as a log-in does, for anyone. */
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

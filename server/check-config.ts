/** Tries the settings and all that they name, prints a line for each part, and exits with 1 if one fails. */

import { checkConfig, describeFindings } from './checks/check-config.ts'
import type { Finding } from './checks/finding.ts'
import { exitWithReason, readSettings } from './run-process.ts'
import { SETTINGS } from './settings.ts'

try {
  const config = readSettings()
  const count = Object.keys(SETTINGS).filter((name) => (process.env[name] ?? '') !== '').length
  const address = config.publicUrl ?? 'PUBLIC_URL is not set, so links lead to this machine'
  const settings: Finding = { part: 'settings', state: 'ok', text: `${count} are set; ${address}` }
  const findings = [settings, ...(await checkConfig(config))]
  process.stdout.write(describeFindings(findings))
  // A check that hung may still hold a connection.
  process.exit(findings.some(({ state }) => state === 'fails') ? 1 : 0)
} catch (error) {
  exitWithReason(error)
}

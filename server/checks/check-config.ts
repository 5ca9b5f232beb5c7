/** Tries all that the settings name, each part by the code that the server uses for it. */

import type { Config } from '../config.ts'
import type { DirectorySettings } from '../domain/accounts/directory-settings.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import { reasonOf } from '../run-process.ts'
import { checkDatabase } from './check-database.ts'
import { checkFiles, explainFiles } from './check-files.ts'
import { checkDirectory, explainDirectory } from './check-directory.ts'
import { checkMail, checkProvider, checkRelay, explainProvider } from './check-partners.ts'
import { checkRedis, explainRedis } from './check-redis.ts'
import { find, type Finding } from './finding.ts'

/** Tries all parts at once; never rejects. */
export async function checkConfig(config: Config, clock: Clock = systemClock): Promise<Finding[]> {
  return Promise.all([
    find('database', clock, () => checkDatabase(config), reasonOf),
    find('redis', clock, () => checkRedis(config), explainRedis),
    find(
      'files',
      clock,
      () => checkFiles(config),
      (error) => explainFiles(config, error),
    ),
    find('mail', clock, () => checkMail(config), reasonOf),
    find('push relay', clock, () => checkRelay(config), reasonOf),
    ...(config.directory ? [findDirectory(config.directory, clock)] : []),
    ...(config.loginProviders.length === 0
      ? [
          find(
            'log-ins',
            clock,
            async () => ({ unused: 'OIDC_PROVIDERS is not set: people log in here' }),
            String,
          ),
        ]
      : config.loginProviders.map((settings) =>
          find(
            `log-ins by ${settings.name}`,
            clock,
            () => checkProvider(settings, config),
            (error) => explainProvider(settings, error),
          ),
        )),
  ])
}

function findDirectory(settings: DirectorySettings, clock: Clock): Promise<Finding> {
  return find(
    'directory',
    clock,
    () => checkDirectory(settings),
    (error) => explainDirectory(settings, error),
  )
}

/** A line for each part; states and names stand in columns. */
export function describeFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length))
  return findings
    .map(({ part, state, text }) => `${state.padEnd(6)}  ${part.padEnd(width)}  ${text}\n`)
    .join('')
}

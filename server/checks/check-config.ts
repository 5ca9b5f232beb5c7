/** Tries all that the settings name, each part by the code that the server uses for it. */

import type { Config } from '../config.ts'
import type { DirectorySettings } from '../domain/accounts/directory-settings.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import { reasonOf } from '../run-process.ts'
import { checkBigBlueButton, checkCallProvider, checkLiveKit, explainCalls } from './check-calls.ts'
import { checkDatabase, checkReplica, explainReplica } from './check-database.ts'
import { checkFiles, explainFiles } from './check-files.ts'
import { checkMail, checkProvider, checkRelay, explainProvider } from './check-partners.ts'
import { checkRedis, explainRedis } from './check-redis.ts'
import {
  checkDirectory,
  checkSaml,
  checkScim,
  explainDirectory,
  explainSaml,
  explainScim,
} from './check-sign-on.ts'
import { type Checked, find, type Finding } from './finding.ts'

/** Tries all parts at once; never rejects. */
export async function checkConfig(config: Config, clock: Clock = systemClock): Promise<Finding[]> {
  const { databaseUrl, databaseReplicaUrl: replicaUrl } = config
  return Promise.all([
    find('database', clock, () => checkDatabase(config), reasonOf),
    ...(replicaUrl === undefined
      ? []
      : [find('replica', clock, () => checkReplica(replicaUrl, databaseUrl), explainReplica)]),
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
    ...(config.loginProviders.length + config.samlProviders.length === 0
      ? [
          find(
            'log-ins',
            clock,
            async () => ({ unused: 'OIDC_PROVIDERS and SAML_PROVIDERS are not set: people log in here' }),
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
    ...config.samlProviders.map((settings) =>
      find(
        `log-ins by ${settings.name} (SAML)`,
        clock,
        () => checkSaml(settings, config, clock),
        (error) => explainSaml(settings, error),
      ),
    ),
    find('scim', clock, () => checkScim(config), explainScim),
    ...findCalls(config, clock),
  ])
}

function findCalls(config: Config, clock: Clock): Promise<Finding>[] {
  const { bigBlueButton, liveKit, callProvider, publicUrl = 'http://127.0.0.1' } = config
  const calls = (name: string, settings: string, check: () => Promise<Checked>) =>
    find(`calls by ${name}`, clock, check, (error) => explainCalls(settings, error))
  return [
    ...(bigBlueButton
      ? [calls('BigBlueButton', 'BIGBLUEBUTTON_URL and _SECRET', () => checkBigBlueButton(bigBlueButton))]
      : []),
    ...(liveKit
      ? [calls('LiveKit', 'LIVEKIT_URL, _API_KEY and _API_SECRET', () => checkLiveKit(liveKit, clock))]
      : []),
    ...(callProvider
      ? [
          calls('a provider', 'VIDEO_PROVIDER_URL, _CLIENT_ID and _CLIENT_SECRET', () =>
            checkCallProvider(callProvider, publicUrl),
          ),
        ]
      : []),
  ]
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

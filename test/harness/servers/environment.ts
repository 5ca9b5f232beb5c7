/** The services that `npm test` started: PostgreSQL with a migrated template, and Redis. */

import { join } from 'node:path'

function get(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run the tests by npm test [FILE...]`)
  return value
}

/** The URL of the maintenance database. */
export const adminDatabaseUrl = () => get('PARLEY_TEST_DATABASE_URL')
/** The socket or URL of Redis. */
export const redisUrl = () => get('PARLEY_TEST_REDIS_URL')
/** The folder for observations, which are checked after all tests. */
export const observedFolder = () => get('PARLEY_TEST_OBSERVED')
/**
 * The templates of test databases: one with the tables alone, one with the default people, and one with a busy
 * organization, which the first test that needs it makes.
 */
export const TEMPLATES = {
  empty: 'parley_template',
  people: 'parley_template_people',
  organization: 'parley_template_organization',
} as const

/** The transport of the whole run, if it is set. */
export const transportSetting = (): { TRANSPORT?: string } => {
  const { TRANSPORT } = process.env
  return TRANSPORT === undefined ? {} : { TRANSPORT }
}

/** For a process with an otherwise empty environment: the compiled modules of `npm test`, and the folder of files. */
export const moduleSettings = () => ({
  DATA_DIR: join(observedFolder(), '../data'),
  NODE_OPTIONS: get('NODE_OPTIONS'),
  PARLEY_TEST_CACHE: get('PARLEY_TEST_CACHE'),
  ...transportSetting(),
})

/** The URL of another database of the same server. */
export function databaseUrl(name: string): string {
  const url = new URL(adminDatabaseUrl())
  url.pathname = `/${name}`
  return url.href
}

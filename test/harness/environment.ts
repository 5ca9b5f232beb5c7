/** What `npm test` started for the tests: PostgreSQL with a migrated template, and Redis. */

function get(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run the tests by npm test [FILE...]`)
  return value
}

/** The URL of the maintenance database. */
export const adminDatabaseUrl = () => get('PARLEY_TEST_DATABASE_URL')
/** The socket or URL of Redis. */
export const redisUrl = () => get('PARLEY_TEST_REDIS_URL')
/** The folder in which tests note what they observed, for the check after all of them. */
export const observedFolder = () => get('PARLEY_TEST_OBSERVED')
/** The database that every test's own is cloned from. */
export const TEMPLATE_DATABASE = 'parley_template'

/** The URL of another database of the same server. */
export function databaseUrl(name: string): string {
  const url = new URL(adminDatabaseUrl())
  url.pathname = `/${name}`
  return url.href
}

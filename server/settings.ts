/** The names of all settings, to detect misspelt ones. */

import { TRACE_SETTINGS } from './measures/trace-settings.ts'

/** The settings that `config.ts` reads from the environment; the README describes each. */
export const SETTINGS = [
  'CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE',
  'CLIENT_ALIASES',
  'DATABASE_CONNECTIONS',
  'DATABASE_URL',
  'DATA_DIR',
  'DEVELOPMENT_LOGINS',
  'DRAIN_SECONDS',
  'FILES_IN',
  'FILES_REDIRECT',
  'FILES_URL',
  'GRAVATAR',
  'HOST',
  'INVITATION_LINK_VALIDITY_MINUTES',
  'LOG_LEVEL',
  'LONGPOLL_SECONDS',
  'MAIL_FROM',
  'MAIL_URL',
  'MAX_FILE_UPLOAD_SIZE',
  'METRICS_PORT',
  'METRICS_TOKEN',
  'OIDC_PROVIDERS',
  'PORT',
  'PUBLIC_URL',
  'PUSH_RELAY_ID',
  'PUSH_RELAY_KEY',
  'PUSH_RELAY_URL',
  'PUSH_TEST_SECONDS',
  'RATE_LIMIT_ADDRESS_PER_MINUTE',
  'RATE_LIMIT_LOGINS_PER_MINUTE',
  'RATE_LIMIT_OWN_NETWORKS',
  'RATE_LIMIT_USER_PER_MINUTE',
  'REDIS_PREFIX',
  'REDIS_URL',
  'RENDER_MS_MAX',
  'RENDER_THREADS',
  'RENDER_USER_MS_PER_MINUTE',
  'TRANSPORT',
  'TRUST_PROXY',
  'UPLOAD_QUOTA_MIB',
  'VIDEO_PROVIDER_API_URL',
  'VIDEO_PROVIDER_CLIENT_ID',
  'VIDEO_PROVIDER_CLIENT_SECRET',
  'VIDEO_PROVIDER_URL',
  'WEB_PUBLIC_STREAMS_ENABLED',
  ...TRACE_SETTINGS,
] as const
export type SettingName = (typeof SETTINGS)[number]

const NAMES: ReadonlySet<string> = new Set(SETTINGS)
/** Shorter names are close to common ones: HOME is two letters from HOST. */
const LENGTH_MIN = 8
/** Letters that are wrong, missing, added or swapped, by the minimum length of the name. */
const SLIPS_MAX = 1
const LONG_LENGTH_MIN = 10
const LONG_SLIPS_MAX = 2

/** A variable in the environment whose name is close to an unset setting. */
export interface Misspelling {
  readonly name: string
  readonly meant: SettingName
}

/** Finds misspelt settings, each with the closest name. */
export function findMisspellings(env: Readonly<Record<string, string | undefined>>): Misspelling[] {
  const unset = SETTINGS.filter((name) => name.length >= LENGTH_MIN && env[name] === undefined)
  return Object.keys(env).flatMap((name) => {
    if (NAMES.has(name)) return []
    const [nearest] = unset
      .map((meant) => ({ meant, slips: countSlips(name.toUpperCase(), meant) }))
      .filter(({ meant, slips }) => slips <= (meant.length >= LONG_LENGTH_MIN ? LONG_SLIPS_MAX : SLIPS_MAX))
      .sort((a, b) => a.slips - b.slips)
    return nearest ? [{ name, meant: nearest.meant }] : []
  })
}

/** The number of slips between two words; swapped letters count as one. Stops counting at distant words. */
function countSlips(word: string, other: string): number {
  if (Math.abs(word.length - other.length) > LONG_SLIPS_MAX) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= word.length; row++) {
    const now = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = word[row - 1] === other[column - 1]
      const isSwapped = word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1]
      now[column] = Math.min(
        (last[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = now
  }
  return last[other.length] ?? 0
}

/**
 * The names by which existing clients know things that this server names neutrally.
 *
 * This is the only place with the original spellings. Input may use either. Output always has the neutral name, and
 * adds the original one unless `CLIENT_ALIASES` is `off`.
 */

import { EXTRA_REACTION_TYPE, REACTION_TYPES, type ReactionType } from '../domain/entities.ts'

/** Keys of replies. */
const KEY_ALIASES: ReadonlyMap<string, string> = new Map([
  ['service_version', 'zulip_version'],
  ['service_merge_base', 'zulip_merge_base'],
  ['service_feature_level', 'zulip_feature_level'],
  ['has_provider_token', 'has_zoom_token'],
  ['realm_service_update_announcements_stream_id', 'realm_zulip_update_announcements_stream_id'],
  ['service_plan_is_not_limited', 'zulip_plan_is_not_limited'],
  // In the list of call providers.
  ['video_provider', 'zoom'],
])

/** Keys of notifications for apps that register no devices: the relay and the apps know these alone. */
export const OLDER_PUSH_KEYS = {
  container: 'zulip',
  messageId: 'zulip_message_id',
  messageIds: 'zulip_message_ids',
} as const

/** Event types in registrations, by their original spelling. */
const EVENT_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([['has_zoom_token', 'has_provider_token']])

/** Paths under the API's base, by their original spelling. */
export const PATH_ALIASES: ReadonlyMap<string, string> = new Map([
  ['/calls/zoom/create', '/calls/provider/create'],
  ['/calls/zoom/register', '/calls/provider/register'],
  ['/users/me/android_gcm_reg_id', '/users/me/android_push_reg_id'],
])

/** The base path that existing browser programs use for the API, with a session. */
const SESSION_API_BASE = '/json'

/** Reaction types, by their original spelling. */
const REACTION_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['zulip_extra_emoji', EXTRA_REACTION_TYPE],
])

/** The reaction types in output: the neutral ones, and the one that has an original spelling. */
export const SHOWN_REACTION_TYPES = [...REACTION_TYPES, 'zulip_extra_emoji'] as const

/**
 * The User-Agents of existing clients, which refuse an unknown reaction type: one would keep the mobile app from
 * registering. The Python library of the family sends the name of its HTTP library.
 */
const ORIGINAL_CLIENT = /zulip|^python-requests\//i

/** A reaction type in the spelling that a client reads. */
export function shownReactionType(
  type: ReactionType,
  isOriginal: boolean | undefined,
): (typeof SHOWN_REACTION_TYPES)[number] {
  return isOriginal === true && type === EXTRA_REACTION_TYPE ? 'zulip_extra_emoji' : type
}

/** The name of the one emoji that comes with the server. */
export const EXTRA_EMOJI_NAME = 'zulip'

/** The language of a playground, by its original spelling. */
export const LANGUAGE_ALIAS = 'pygments_language'

/** The address by which mobile apps take over a log-in that they began in a browser. */
export const APP_LOGIN_URL = 'zulip://login'
/** The realm of HTTP Basic that clients expect. */
export const BASIC_REALM = 'zulip'
/** The level of the API that clients branch on. */
export const FEATURE_LEVEL = 500
/** The release of the original server whose API this is. */
export const COMPATIBLE_VERSION = '12.1'

/** Programs for reading, by the start of their User-Agent in lower case: their users have read what they send. */
const READING_CLIENTS = [
  'website',
  'zulipmobile',
  'zulipelectron',
  'zulipflutter',
  'zulipterminal',
  'mozilla',
]

/** Whether a program is for reading. */
export function isReadingClient(client: string): boolean {
  return READING_CLIENTS.includes(client.toLowerCase())
}

/** The alias table, enabled or disabled. */
export interface Names {
  /** Adds the original spelling of each key to the fields. */
  addAliases<Fields extends Record<string, unknown>>(fields: Fields): Fields
  /** The neutral spelling of an event type. */
  readonly neutralEventType: (type: string) => string
  /** The aliases that a client requested, by neutral event type, unless it requested the neutral one too. */
  readonly askedAliases: (types: readonly string[] | null) => Readonly<Record<string, string>> | undefined
  /** The neutral spelling of a reaction type. */
  readonly neutralReactionType: (type: string) => string
  /** The values of an enumeration that this server sends. */
  readonly sentValues: (values: readonly unknown[]) => readonly unknown[]
  /** Whether a client, by its User-Agent, reads reaction types by their original spelling. */
  readonly readsOriginalTypes: (userAgent: string) => boolean
  /** Whether reactions have their user's name and address: some old clients read them, though the id is enough. */
  readonly namesReactors: boolean
  /** A second base path of the API, if there is one. */
  readonly sessionApiBase: string | undefined
  /** The original spelling of a playground's language, if output has it. */
  readonly languageAlias: string | undefined
}

/** The names of a server; `hasAliases` is the setting `CLIENT_ALIASES`. */
export function createNames(hasAliases: boolean): Names {
  return {
    addAliases(fields) {
      if (!hasAliases) return fields
      const result: Record<string, unknown> = { ...fields }
      for (const key of Object.keys(fields)) {
        const alias = KEY_ALIASES.get(key)
        if (alias !== undefined) result[alias] = fields[key]
      }
      return result as typeof fields
    },
    neutralEventType: (type) => EVENT_TYPE_ALIASES.get(type) ?? type,
    askedAliases(types) {
      const asked = [...EVENT_TYPE_ALIASES].filter(
        ([alias, type]) => types?.includes(alias) === true && !types.includes(type),
      )
      return hasAliases && asked.length > 0
        ? Object.fromEntries(asked.map(([alias, type]) => [type, alias]))
        : undefined
    },
    sentValues: (values) =>
      hasAliases ? values : values.filter((value) => !REACTION_TYPE_ALIASES.has(value as string)),
    readsOriginalTypes: (userAgent) => hasAliases && ORIGINAL_CLIENT.test(userAgent),
    namesReactors: hasAliases,
    sessionApiBase: hasAliases ? SESSION_API_BASE : undefined,
    languageAlias: hasAliases ? LANGUAGE_ALIAS : undefined,
    neutralReactionType: (type) => REACTION_TYPE_ALIASES.get(type) ?? type,
  }
}

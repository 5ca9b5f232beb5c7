/**
 * The names under which existing clients know what this server calls by neutral ones.
 *
 * The only place where the original spellings stand. On input both are taken; on output the neutral
 * name is always there, and the original is added beside it unless `CLIENT_ALIASES` is `off`.
 */

/** Keys of replies. */
const KEY_ALIASES: ReadonlyMap<string, string> = new Map([
  ['service_version', 'zulip_version'],
  ['service_merge_base', 'zulip_merge_base'],
  ['service_feature_level', 'zulip_feature_level'],
  ['has_provider_token', 'has_zoom_token'],
  ['realm_service_update_announcements_stream_id', 'realm_zulip_update_announcements_stream_id'],
  ['service_plan_is_not_limited', 'zulip_plan_is_not_limited'],
  // Of the services for calls.
  ['video_provider', 'zoom'],
])

/** Event types of registrations, by their original spelling. */
const EVENT_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([['has_zoom_token', 'has_provider_token']])

/** Paths under the API's base, by their original spelling. */
export const PATH_ALIASES: ReadonlyMap<string, string> = new Map([
  ['/calls/zoom/create', '/calls/provider/create'],
  ['/calls/zoom/register', '/calls/provider/register'],
  ['/users/me/android_gcm_reg_id', '/users/me/android_push_reg_id'],
])

/** Reaction types, by their original spelling. */
const REACTION_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['zulip_extra_emoji', 'service_extra_emoji'],
])

/** The name by which clients know the one emoji that comes with the server. */
export const EXTRA_EMOJI_NAME = 'zulip'

/** The language of a playground, by its original spelling. */
export const LANGUAGE_ALIAS = 'pygments_language'

/** The realm of HTTP Basic that clients look for. */
export const BASIC_REALM = 'zulip'
/** The level of the API that clients branch on. */
export const FEATURE_LEVEL = 500
/** The release of the original server whose API this is. */
export const COMPATIBLE_VERSION = '12.1'

/** Programs in which people read, by the start of their User-Agent in lower case: what one sends there one has read. */
const READING_CLIENTS = [
  'website',
  'zulipmobile',
  'zulipelectron',
  'zulipflutter',
  'zulipterminal',
  'mozilla',
]

/** Whether a program is one in which people read. */
export function isReadingClient(client: string): boolean {
  return READING_CLIENTS.includes(client.toLowerCase())
}

/** The alias table, switched on or off. */
export interface Names {
  /** The fields, with the original spelling of each key beside it. */
  addAliases<Fields extends Record<string, unknown>>(fields: Fields): Fields
  /** The neutral spelling of an event type. */
  readonly neutralEventType: (type: string) => string
  /** The original spellings among event types that a client asks for, by the neutral ones that it does not ask for. */
  readonly askedAliases: (types: readonly string[] | null) => Readonly<Record<string, string>> | undefined
  /** The neutral spelling of a reaction type. */
  readonly neutralReactionType: (type: string) => string
  /** Whether reactions tell their user's name and address: some clients of old read them, though the id is enough. */
  readonly namesReactors: boolean
  /** The original spelling of a playground's language, where it is told. */
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
    namesReactors: hasAliases,
    languageAlias: hasAliases ? LANGUAGE_ALIAS : undefined,
    neutralReactionType: (type) => REACTION_TYPE_ALIASES.get(type) ?? type,
  }
}

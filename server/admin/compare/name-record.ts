/** A record of an export with names in place of ids. */

import { type Fields, toFields, toList } from '../../changes/imports/fields.ts'
import type { ExportNames } from './names.ts'

type Naming = (names: ExportNames) => (value: unknown) => unknown

const user: Naming = (names) => names.user
const channel: Naming = (names) => names.channel
const message: Naming = (names) => names.message
const text: Naming = (names) => names.text
const listOf =
  (one: Naming): Naming =>
  (names) =>
  (value) =>
    Array.isArray(value) ? value.map(one(names)) : value
/** A list whose order means nothing. */
const setOf =
  (one: Naming): Naming =>
  (names) =>
  (value) =>
    (listOf(one)(names)(value) as unknown[]).map(String).sort()

/** The fields whose values are ids of one kind, or texts with ids in them. */
const FIELDS: Readonly<Record<string, Naming>> = {
  user_id: user,
  creator_id: user,
  author_id: user,
  owner_id: user,
  bot_owner_id: user,
  sender_id: user,
  user_ids: setOf(user),
  member_ids: setOf(user),
  subscriber_ids: setOf(user),
  direct_members: setOf(user),
  channel_id: channel,
  previous_channel_id: channel,
  announcements_channel_id: channel,
  moderation_channel_id: channel,
  sending_channel_id: channel,
  events_channel_id: channel,
  default_channel_ids: setOf(channel),
  channel_ids: setOf(channel),
  folder_id: (names) => names.folder,
  subgroup_ids: setOf((names) => names.group),
  direct_subgroups: setOf((names) => names.group),
  message_id: message,
  message_ids: listOf(message),
  path: (names) => names.file,
  content: text,
  previous_content: text,
  rendered_content: text,
  description: text,
  fragment: text,
  profile: (names) => names.profile,
  permissions: (names) => (value) => namePermissions(toFields(value), names),
  subscription_settings: (names) => (value) =>
    Object.fromEntries(
      Object.entries(toFields(value)).map(([id, settings]) => [String(names.user(id)), settings]),
    ),
  reactions: (names) => (value) =>
    toList(value)
      .map((one) => JSON.stringify(nameReaction(toFields(one), names)))
      .sort(),
}

/** A record, with everything in it named; the fields that are left out differ between servers. */
export function nameRecord(record: Fields, names: ExportNames, leftOut: ReadonlySet<string>): Fields {
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => !leftOut.has(name))
      .map(([name, value]) => [name, nameValue(name, value, names, leftOut)]),
  )
}

function nameValue(name: string, value: unknown, names: ExportNames, leftOut: ReadonlySet<string>): unknown {
  const naming = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (naming && value !== undefined) return naming(names)(value)
  if (Array.isArray(value)) return value.map((one) => nameValue('', one, names, leftOut))
  if (typeof value === 'object' && value !== null) return nameRecord(value as Fields, names, leftOut)
  return value
}

function namePermissions(given: Fields, names: ExportNames): Fields {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'number' ? names.group(value) : nameRecord(toFields(value), names, new Set()),
    ]),
  )
}

function nameReaction(reaction: Fields, names: ExportNames): Fields {
  const { emoji_code: code, reaction_type: type } = reaction
  return {
    ...reaction,
    user_id: names.user(reaction['user_id']),
    emoji_code: type === 'realm_emoji' ? names.emoji(code) : code,
  }
}

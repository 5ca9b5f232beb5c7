/** `check --export FILE --with FILE`: compares two exports field by field, and lists what differs. */

import { type Fields, toFields, toList } from '../../changes/imports/fields.ts'
import { compareMessages, type Named } from './compare-messages.ts'
import { Differences } from './differences.ts'
import { nameRecord } from './name-record.ts'
import { ExportNames } from './names.ts'
import { type OpenExport, openExport } from './open-export.ts'

/** The result of a comparison. */
export interface ComparisonResult {
  readonly ok: boolean
  /** Records that both have, by list. */
  readonly same_records: Readonly<Record<string, number>>
  readonly differences: readonly string[]
  /** All differences, also those that are not listed. */
  readonly difference_count: number
}

/** The identity of a record, and the fields that are none of its contents. */
interface ListRules {
  readonly keyOf: (record: Fields) => unknown
  readonly leftOut?: readonly string[]
  /** Whether a record counts. */
  readonly counts?: (record: Fields) => boolean
}

/** The same fields everywhere: ids, and the places of bytes in the archive. */
const LEFT_OUT = ['id', 'file', 'avatar'] as const
const LISTS: Readonly<Record<string, ListRules>> = {
  // People join a server at their first log-in, and some have no address.
  users: { keyOf: ({ name_here }) => name_here, leftOut: ['email', 'joined_at', 'name_here'] },
  // System groups are those of every server.
  groups: { keyOf: ({ name }) => name, counts: (record) => record['is_system_group'] !== true },
  folders: { keyOf: ({ name }) => name },
  // No import opens a channel to the world.
  channels: { keyOf: ({ name }) => name, leftOut: ['is_web_public'] },
  emoji: { keyOf: ({ name }) => name },
  // A file counts as uploaded when it came.
  files: { keyOf: ({ path, owner_id }) => [path, owner_id], leftOut: ['created_at'] },
  user_topics: { keyOf: ({ user_id, channel_id, topic }) => [user_id, channel_id, topic] },
  marks: { keyOf: ({ user_id, message_id }) => [user_id, message_id] },
  unread: { keyOf: ({ user_id, channel_id, user_ids }) => [user_id, channel_id, user_ids] },
  personal: {
    keyOf: ({ user_id, type, content, fragment, message_id }) => [
      user_id,
      type,
      content,
      fragment,
      message_id,
    ],
    // A consent is for the administrators of one server.
    leftOut: ['allow_private_data_export'],
  },
}

/** Compares two exports, the second of which may be of another server that imported the first. */
export async function compareExports(path: string, otherPath: string): Promise<ComparisonResult> {
  const one = await openExport(path)
  try {
    const other = await openExport(otherPath)
    try {
      return await compare(one, other)
    } finally {
      await other.close()
    }
  } finally {
    await one.close()
  }
}

async function compare(one: OpenExport, other: OpenExport): Promise<ComparisonResult> {
  const found = new Differences()
  const named = { from: one, names: await ExportNames.read(one) }
  const otherNamed = { from: other, names: await ExportNames.read(other) }
  const counts: Record<string, number> = {}
  // First: other lists name messages.
  counts['messages'] = await compareMessages(named, otherNamed, found)
  for (const [list, rules] of Object.entries(LISTS))
    counts[list] = await compareLists(list, rules, { named, otherNamed, found })
  found.compare('the archive', { contents: one.head['contents'] }, { contents: other.head['contents'] })
  found.compare('the organization', organizationOf(named), organizationOf(otherNamed))
  const { lines, count } = found
  return { ok: count === 0, same_records: counts, differences: lines, difference_count: count }
}

interface Comparing {
  readonly named: Named
  readonly otherNamed: Named
  readonly found: Differences
}

/** Several records of one identity are compared in their order. Returns how many both have. */
async function compareLists(
  list: string,
  rules: ListRules,
  { named, otherNamed, found }: Comparing,
): Promise<number> {
  const waiting = new Map<string, Fields[]>()
  for await (const { key, record } of readList(list, rules, named))
    waiting.set(key, [...(waiting.get(key) ?? []), record])
  let count = 0
  for await (const { key, record } of readList(list, rules, otherNamed)) {
    const like = waiting.get(key)?.shift()
    if (like) {
      found.compare(`${list} ${key}`, like, record)
      count++
    } else found.add(`${list} ${key}: only in the other`)
  }
  for (const [key, lone] of waiting) for (const _ of lone) found.add(`${list} ${key}: missing in the other`)
  return count
}

async function* readList(list: string, { keyOf, leftOut = [], counts }: ListRules, { from, names }: Named) {
  for await (const fields of from.list(list)) {
    if (counts?.(fields) === false) continue
    const pins = fields['pins'] === undefined ? {} : { pins: toList(fields['pins']).map(toFields) }
    const whole = {
      ...fields,
      ...pins,
      ...(list === 'users'
        ? { name_here: names.user(fields['id']), has_avatar: fields['avatar'] !== null }
        : {}),
    }
    const key = keyOf(nameRecord(whole, names, new Set()))
    yield { key: JSON.stringify(key), record: nameRecord(whole, names, new Set([...LEFT_OUT, ...leftOut])) }
  }
}

/** Fields of the organization that no import brings: an owner or the operator decides them anew. */
const OF_ONE_SERVER = [
  'created_at',
  'has_spectator_access',
  'default_picture_source',
  'second_factor_grace_days',
  'second_factor_required_at',
  'default_channel_groups',
]

function organizationOf({ from, names }: Named): Fields {
  return nameRecord(toFields(from.head['organization']), names, new Set([...LEFT_OUT, ...OF_ONE_SERVER]))
}

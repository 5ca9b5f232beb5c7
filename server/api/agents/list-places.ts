/** Tools that list channels, topics and people. */

import type { User } from '../../domain/entities.ts'
import { boolean, defaulted, integer, optional, text } from '../params.ts'
import { type AgentCaller, RefusedCall } from './agent-caller.ts'
import { CHANNEL_PARAM, findChannelId } from './places.ts'
import { tool } from './tool.ts'
import type { JsonObject } from './versions.ts'

/** Entries of a result. */
const ENTRIES_MAX = 200
const ENTRIES_DEFAULT = 50
const QUERY_LENGTH_MAX = 100
/** Characters of a description: it helps to choose a channel. */
const DESCRIPTION_LENGTH_MAX = 300

const LIST_PARAMS = {
  query: optional(
    text({ lengthMax: QUERY_LENGTH_MAX, trim: true, blank: false }),
    'Only entries whose name contains this text; upper and lower case are alike.',
  ),
  offset: defaulted(integer({ min: 0 }), 0, 'The number of entries to pass over.'),
  limit: defaulted(integer({ min: 1, max: ENTRIES_MAX }), ENTRIES_DEFAULT, 'The largest number of entries.'),
}

interface ListQuery {
  readonly query: string | undefined
  readonly offset: number
  readonly limit: number
}

/** A part of a list, and the number of all entries that match. */
function partOf<Entry>(
  entries: readonly Entry[],
  namesOf: (entry: Entry) => readonly string[],
  { query, offset, limit }: ListQuery,
) {
  const wanted = query?.toLowerCase()
  const matching =
    wanted === undefined
      ? entries
      : entries.filter((entry) => namesOf(entry).some((name) => name.toLowerCase().includes(wanted)))
  return { part: matching.slice(offset, offset + limit), total: matching.length }
}

interface WireChannel {
  readonly stream_id: number
  readonly name: string
  readonly description: string
  readonly invite_only: boolean
}

export const listChannels = tool({
  name: 'list_channels',
  title: 'List channels',
  description: 'Lists the channels that the person may see, with their ids.',
  operation: 'GET /streams/{stream_id}',
  effect: 'reads',
  params: {
    ...LIST_PARAMS,
    subscribed: defaulted(boolean(), false, 'Only the channels that the person follows.'),
  },
  async run(caller, { subscribed, ...query }) {
    const { part, total } = partOf(await readChannels(caller, subscribed), ({ name }) => [name], query)
    return {
      channels: part.map(({ stream_id: id, name, description, invite_only }) => ({
        id,
        name,
        description: description.slice(0, DESCRIPTION_LENGTH_MAX).toWellFormed(),
        is_private: invite_only,
      })),
      total,
    }
  },
})

async function readChannels(caller: AgentCaller, isSubscribed: boolean): Promise<readonly WireChannel[]> {
  const own = caller.key?.channelId ?? undefined
  if (own !== undefined) return [(await caller.call('GET', `/streams/${own}`)).stream as WireChannel]
  const reply = isSubscribed
    ? (await caller.call('GET', '/users/me/subscriptions')).subscriptions
    : (await caller.call('GET', '/streams')).streams
  return (reply as WireChannel[]).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export const listTopics = tool({
  name: 'list_topics',
  title: 'List topics',
  description: 'Lists the topics of a channel, the one with the newest message first.',
  operation: 'GET /users/me/{stream_id}/topics',
  effect: 'reads',
  params: { channel: CHANNEL_PARAM, ...LIST_PARAMS },
  async run(caller, { channel, ...query }) {
    const channelId = await findChannelId(caller, channel)
    if (channelId === undefined) throw new RefusedCall('Name a channel.')
    const reply = await caller.call('GET', `/users/me/${channelId}/topics`, { allow_empty_topic_name: true })
    const topics = reply.topics as readonly { readonly name: string; readonly max_id: number }[]
    const { part, total } = partOf(topics, ({ name }) => [name], query)
    return { topics: part.map(({ name, max_id }) => ({ topic: name, newest_message_id: max_id })), total }
  },
})

interface WireUser {
  readonly user_id: number
  readonly full_name: string
  readonly email: string
  readonly delivery_email: string | null
  readonly is_bot: boolean
  readonly is_guest: boolean
}

export const listPeople = tool({
  name: 'list_people',
  title: 'List people',
  description:
    'Lists the people and bots that the person knows, with their ids. Deactivated accounts are left out.',
  operation: 'GET /users',
  effect: 'reads',
  params: LIST_PARAMS,
  async run(caller, query) {
    const { part, total } = partOf(
      knownPeople(caller),
      (one) => [one.fullName, shownAddress(caller, one)],
      query,
    )
    // The operation is asked for the part alone: with 10,000 users the text of all takes longer than all else.
    const { members } = await caller.call('GET', '/users', { user_ids: part.map(({ id }) => id) })
    return { people: (members as readonly WireUser[]).map(viewPerson), total, you: caller.user.id }
  },
})

/** The active people and bots that the caller's user knows, by id. */
function knownPeople({ state, user: { id: viewerId } }: AgentCaller): readonly User[] {
  const known = state.userVisibility.of(viewerId)
  return [...state.users.values()].filter(
    ({ id, isSystem, isActive }) => isActive && !isSystem && (known?.has(id) ?? true),
  )
}

/** The address of a user as `viewPerson` shows it. */
function shownAddress({ state, user: viewer }: AgentCaller, user: User): string {
  return state.canSeeEmail(viewer, user) ? user.email : state.apiEmailOf(user)
}

function viewPerson({
  user_id: id,
  full_name,
  email,
  delivery_email,
  is_bot,
  is_guest,
}: WireUser): JsonObject {
  return {
    id,
    name: full_name,
    email: delivery_email ?? email,
    ...(is_bot ? { is_bot } : {}),
    ...(is_guest ? { is_guest } : {}),
  }
}

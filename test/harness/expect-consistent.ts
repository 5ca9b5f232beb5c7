/** State + events = state: for clients of different rights, and for the projection in memory. */

import { isDeepStrictEqual } from 'node:util'
import { loadState } from '../../server/state/load-state.ts'
import { describeState } from '../state/describe-state.ts'
import { applyWireEvent } from './apply-wire-event.ts'
import type { Client, Fields, Queue } from './client.ts'
import type { Person, TestServer } from './start-server.ts'

/** Who looks on: one of each kind of right. */
export const VIEWERS: readonly Person[] = ['owner', 'member', 'member2', 'guest']
/** What differs between two registrations of the same state. */
const VOLATILE = [
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'presence_last_update_id',
  'idle_queue_timeout_secs',
  'result',
  'msg',
]
/** What clients work out themselves from roles, groups and the organization's permissions. */
const DERIVED = [
  'can_create_streams',
  'can_create_public_streams',
  'can_create_private_streams',
  'can_create_web_public_streams',
  'can_subscribe_other_users',
  'can_invite_others_to_realm',
]
/** What users are called to those who do not know them. */
const UNKNOWN_NAME = 'Unknown user'
/** What may change who reads what. */
const RIGHTS_EVENTS = ['stream', 'subscription', 'user_group', 'realm_user']
/** Everything that can be told, in the present forms. */
export const REGISTRATION = {
  apply_markdown: true,
  include_subscribers: true,
  client_capabilities: {
    notification_settings_null: true,
    empty_topic_name: true,
    archived_channels: true,
    include_deactivated_groups: true,
    bulk_message_deletion: true,
    stream_typing_notifications: true,
  },
}

interface Viewer {
  readonly person: Person
  readonly client: Client
  readonly registration: Fields
  readonly queue: Queue
}

interface ConsistencyOptions {
  /**
   * Whether it does not matter what no event tells somebody who sees a channel again: that they once were subscribed
   * to it, which of its topics they have in the older list of muted ones, and which of their bots it is the default
   * of. Nor which starred messages come and
   * go from sight with rights, of which clients know the ids alone.
   */
  readonly forgetsFormer?: boolean
  /** How some of the viewers register otherwise than all do. */
  readonly registrations?: Readonly<Partial<Record<Person, Fields>>>
}

/** What the viewers were told, by person, in order. */
export type ViewerEvents = Record<string, any[]>

/**
 * Does something, and throws unless for every viewer the state before plus the events equals the
 * state fetched afresh, and the node's memory equals what its tables say. Answers what each viewer
 * was told, for `assert`s on who was told what.
 */
export async function expectConsistent(
  server: TestServer,
  act: () => Promise<unknown>,
  { forgetsFormer = false, registrations = {} }: ConsistencyOptions = {},
): Promise<ViewerEvents> {
  const prepare = (state: Record<string, any>) => normalize(forgetsFormer ? forgetFormer(state) : state)
  const viewers: Viewer[] = []
  for (const person of VIEWERS) {
    const client = server.as(person)
    const registration = registrations[person] ?? REGISTRATION
    viewers.push({ person, client, registration, queue: await client.register(registration) })
  }
  await act()
  const eventsByViewer: ViewerEvents = {}
  for (const { person, client, registration, queue } of viewers) {
    const events = await client.events(queue)
    eventsByViewer[person] = events
    const fresh = await client.register(registration)
    const expected = prepare(fresh.state)
    let state = structuredClone(queue.state)
    for (const event of events) state = applyWireEvent(state, structuredClone(event), client.userId)
    const deletions = events.filter(({ type }) => type === 'delete_message')
    const deletedIds = new Set<number>(
      deletions.flatMap(({ message_id, message_ids }) => message_ids ?? [message_id]),
    )
    const [folded, afresh] = withoutHidden(
      withoutAway(prepare(state), events),
      withoutAway(expected, events),
      deletedIds,
    )
    for (const one of forgetsFormer ? [folded, afresh] : []) {
      if (events.some(({ type, op }) => type === 'stream' && op !== 'update')) {
        delete one.muted_topics
        one.realm_bots = one.realm_bots.map(withoutChannels)
      }
      // Whoever is not told of archived channels is not told either whether they still see one whose name a bot has.
      if (!knowsArchived(registration)) one.realm_bots = one.realm_bots.map(withoutChannels)
      if (events.some(({ type }) => RIGHTS_EVENTS.includes(type))) {
        delete one.starred_messages
        if (!knowsArchived(registration)) delete one.muted_topics
      }
    }
    compare(`${person}: the state before and the events`, folded, afresh)
    await client.must('DELETE', '/events', { queue_id: queue.queueId })
    await client.must('DELETE', '/events', { queue_id: fresh.queueId })
  }
  const { state, sql } = server.node.services
  compare('the state in memory', describeState(state), describeState(await loadState(sql)))
  return eventsByViewer
}

function compare(what: string, actual: unknown, expected: unknown): void {
  const parts = new Set([...Object.keys(actual as object), ...Object.keys(expected as object)])
  for (const part of parts) {
    const [a, b] = [(actual as any)[part], (expected as any)[part]]
    if (isDeepStrictEqual(a, b)) continue
    throw new Error(
      `${what} differ from the state afresh in ${part}:\n${JSON.stringify(a)}\n${JSON.stringify(b)}`,
    )
  }
}

function knowsArchived({ client_capabilities: capabilities }: Fields): boolean {
  return (capabilities as Fields | undefined)?.archived_channels === true
}

function withoutChannels(bot: any): any {
  return { ...bot, default_sending_stream: undefined, default_events_register_stream: undefined }
}

function forgetFormer(state: Record<string, any>): Record<string, any> {
  const own = ['color', 'in_home_view', 'is_muted', 'pin_to_top']
  const isOwn = (name: string) =>
    own.includes(name) || name.endsWith('_notifications') || name.endsWith('_notify')
  const unsubscribed = state.unsubscribed.map((one: any) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !isOwn(name))),
  )
  return { ...state, unsubscribed: [], never_subscribed: [...state.never_subscribed, ...unsubscribed] }
}

/**
 * The events of a deletion name the messages that go and none that is left. So a client whose newest message goes
 * knows only that the newest is an older one, as long as it does not hold the messages: of a conversation, and of all
 * that it received. What is told afresh must be older then, and is not compared further.
 */
function withoutHidden(folded: any, afresh: any, deletedIds: ReadonlySet<number>): [any, any] {
  const results: [any, any] = [{ ...folded }, { ...afresh }]
  const isHidden = (id: number, afreshId: number | undefined) => {
    if (!deletedIds.has(id)) return false
    if (afreshId !== undefined && afreshId >= id)
      throw new Error(`message ${afreshId} is newer than ${id}, which was the newest`)
    return true
  }
  if (isHidden(folded.max_message_id, afresh.max_message_id)) {
    for (const one of results) delete one.max_message_id
  }
  const keyOf = (one: any) => one.user_ids.join(',')
  for (const { max_message_id: id, ...conversation } of folded.recent_private_conversations) {
    const key = keyOf(conversation)
    const left = afresh.recent_private_conversations.find((one: any) => keyOf(one) === key)
    if (!isHidden(id, left?.max_message_id)) continue
    for (const one of results) {
      one.recent_private_conversations = one.recent_private_conversations.filter(
        (other: any) => keyOf(other) !== key,
      )
    }
  }
  return results
}

/**
 * Who is deactivated is not there, and of who comes back it is not told when they were last there before. Of users
 * that somebody does not know it is told that they are there, not that they are deactivated.
 */
function withoutAway(state: any, events: readonly any[]): any {
  const returned = new Set(
    events.filter(({ person }) => person?.is_active).map(({ person }) => person.user_id),
  )
  const known = state.realm_users.filter(
    (one: any) => !returned.has(one.user_id) && one.full_name !== UNKNOWN_NAME,
  )
  const keys = new Set(known.flatMap((one: any) => [String(one.user_id), one.email]))
  const presences = Object.entries(state.presences).filter(([key]) => keys.has(key))
  return { ...state, presences: Object.fromEntries(presences) }
}

/** A registration's state with what has no order sorted, and what changes by itself left out. */
function normalize(state: Record<string, any>): Record<string, any> {
  const result: Record<string, any> = { ...state }
  for (const name of [...VOLATILE, ...DERIVED]) delete result[name]
  const channelLists = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed']
  for (const list of channelLists) {
    result[list] = sortBy(result[list], 'stream_id').map((channel: any) => {
      // Counts follow the lists of subscribers; clients are told of the lists.
      const { subscriber_count: _, first_message_id, ...rest } = channel
      // Who is not subscribed is told of no message, the first one included.
      return list === 'subscriptions' ? { ...rest, first_message_id } : rest
    })
  }
  for (const list of ['realm_users', 'realm_non_active_users']) {
    result[list] = sortBy(result[list], 'user_id')
  }
  result.realm_bots = sortBy(result.realm_bots, 'user_id')
  result.realm_user_groups = sortBy(result.realm_user_groups, 'id')
  result.unread_msgs = normalizeUnread(result.unread_msgs, result.subscriptions)
  return result
}

function normalizeUnread(unread: any, subscriptions: readonly any[]): any {
  // Of archived channels some clients are told no more, so nor that they were unsubscribed from one.
  const isKnown = (group: any) => subscriptions.some(({ stream_id }) => stream_id === group.stream_id)
  const unknownIds = new Set(
    unread.streams.filter((group: any) => !isKnown(group)).flatMap((group: any) => group.unread_message_ids),
  )
  const ascending = (ids: number[]) => [...ids].sort((a, b) => a - b)
  const withSortedIds = (group: any) => ({
    ...group,
    unread_message_ids: ascending(group.unread_message_ids),
    // Messages of one topic may spell it in several ways.
    ...(group.topic === undefined ? {} : { topic: group.topic.toLowerCase() }),
  })
  return {
    ...unread,
    count: unread.count - unknownIds.size,
    mentions: ascending(unread.mentions.filter((id: number) => !unknownIds.has(id))),
    streams: unread.streams
      .filter(isKnown)
      .map(withSortedIds)
      .sort((a: any, b: any) => a.stream_id - b.stream_id || compareText(a.topic, b.topic)),
    pms: sortBy(unread.pms.map(withSortedIds), 'other_user_id'),
    huddles: unread.huddles
      .map(withSortedIds)
      .sort((a: any, b: any) => compareText(a.user_ids_string, b.user_ids_string)),
  }
}

function sortBy(list: any[], key: string): any[] {
  return [...list].sort((a, b) => a[key] - b[key])
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

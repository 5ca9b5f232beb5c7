/** State + events = state: for clients of different rights, and for the projection in memory. */

import { isDeepStrictEqual } from 'node:util'
import { loadState } from '../../../server/state/load-state.ts'
import { describeState } from '../../state/describe-state.ts'
import { applyFrozen } from './apply-frozen.ts'
import type { Fields } from '../client/client.ts'
import { leftViewers, type Viewer } from './left-viewers.ts'
import type { Person, TestServer } from '../servers/start-server.ts'
import type { List, Named, WireEvent, WireState } from '../client/wire-types.ts'

/** The viewers: one of each kind of rights. */
export const VIEWERS = ['owner', 'member', 'member2', 'guest'] as const satisfies readonly Person[]
/** Fields that differ between two registrations of the same state. */
const VOLATILE = [
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'presence_last_update_id',
  'idle_queue_timeout_secs',
  'result',
  'msg',
]
/** Fields that clients compute from roles, groups and the permissions of the organization. */
const DERIVED = [
  'can_create_streams',
  'can_create_public_streams',
  'can_create_private_streams',
  'can_create_web_public_streams',
  'can_subscribe_other_users',
  'can_invite_others_to_realm',
]
/** The name of invisible users. */
const UNKNOWN_NAME = 'Unknown user'
/** Events that may change read access. */
const RIGHTS_EVENTS = ['stream', 'subscription', 'user_group', 'realm_user']
/** Events that take messages from a viewer: only a registration says which one is the newest then. */
const REMOVING_EVENTS = ['delete_message', 'stream delete']
/** Every capability and option, in the present forms. */
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

interface ConsistencyOptions {
  /**
   * Whether to ignore the parts that no event sends to a user who sees a channel again: their former
   * subscription, their topics in the older list of muted ones, and their bots with this default channel.
   * Also starred messages that appear or disappear with rights, since clients have only their ids.
   */
  readonly forgetsFormer?: boolean
  /** Other registrations of some of the viewers. */
  readonly registrations?: Readonly<Partial<Record<Person, Fields>>>
}

/** The received events by viewer, in order. */
export type ViewerEvents = Readonly<Record<(typeof VIEWERS)[number], List<WireEvent>>> &
  Readonly<Record<string, List<WireEvent>>>

/**
 * Runs an action. Throws unless for every viewer the state before plus the events equals the state fetched
 * afresh, and the memory of the node equals its tables. Returns the events of each viewer, for further
 * `assert`s.
 */
export async function expectConsistent(
  server: TestServer,
  act: () => Promise<unknown>,
  { forgetsFormer = false, registrations = {} }: ConsistencyOptions = {},
): Promise<ViewerEvents> {
  const prepare = (state: WireState) => normalize(forgetsFormer ? forgetFormer(state) : state)
  const viewers: Viewer[] = []
  for (const person of VIEWERS)
    viewers.push(await beginViewer(server, person, registrations[person] ?? REGISTRATION))
  await act()
  const eventsByViewer: Record<string, List<WireEvent>> = {}
  for (const { person, client, registration, queue } of viewers) {
    const events = await client.events(queue)
    eventsByViewer[person] = events
    const fresh = await registerViewer(server, person, registration)
    const expected = prepare(fresh.queue.state)
    const state = applyFrozen(queue.state, events)
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
        Reflect.deleteProperty(one, 'muted_topics')
        one.realm_bots = one.realm_bots.map(withoutChannels)
      }
      // Without archived channels, a viewer does not know if they still see the default channel of a bot.
      if (!knowsArchived(registration)) one.realm_bots = one.realm_bots.map(withoutChannels)
      if (events.some(({ type }) => RIGHTS_EVENTS.includes(type))) {
        Reflect.deleteProperty(one, 'starred_messages')
        if (!knowsArchived(registration)) Reflect.deleteProperty(one, 'muted_topics')
      }
    }
    compare(`${person}: the state before and the events`, folded, afresh)
    await client.must('DELETE', '/events', { queue_id: queue.queueId })
    leftViewers(server).set(person, fresh)
  }
  const { state, sql } = server.node.services
  compare('the state in memory', describeState(state), describeState(await loadState(sql)))
  return eventsByViewer as ViewerEvents
}

/**
 * Registering is most of the work of a comparison: the queues of the last one serve again, so that what the test did since
 * must add up, too.
 */
async function beginViewer(server: TestServer, person: Person, registration: Fields): Promise<Viewer> {
  const former = leftViewers(server).get(person)
  leftViewers(server).delete(person)
  const isSame = former?.generation === generationOf(server) // Not every new generation is sent to clients.
  if (former && isSame && isDeepStrictEqual(former.registration, registration)) {
    const { queueId, lastEventId, state } = former.queue
    const fields = { queue_id: queueId, last_event_id: lastEventId, dont_block: true }
    const client = server.as(person) // A test may have another one by now.
    const { status, body } = await client.request('GET', '/events', fields)
    const isRemoving = ({ type, op }: WireEvent) =>
      REMOVING_EVENTS.includes(type) || REMOVING_EVENTS.includes(`${type} ${op}`)
    if (status === 200 && !body.events.some(isRemoving)) {
      const queue = { queueId, lastEventId: body.events.at(-1)?.id ?? lastEventId }
      return { ...former, client, queue: { ...queue, state: applyFrozen(state, body.events) } }
    }
  }
  return registerViewer(server, person, registration)
}

async function registerViewer(server: TestServer, person: Person, registration: Fields): Promise<Viewer> {
  const client = server.as(person)
  const generation = generationOf(server)
  return { person, client, registration, generation, queue: await client.register(registration) }
}

const generationOf = ({ node }: TestServer) => node.services.state.generation?.number

function compare(what: string, actual: unknown, expected: unknown): void {
  const parts = new Set([...Object.keys(actual as object), ...Object.keys(expected as object)])
  for (const part of parts) {
    const [a, b] = [(actual as Named)[part], (expected as Named)[part]]
    if (isDeepStrictEqual(a, b)) continue
    throw new Error(
      `${what} differ from the state afresh in ${part}:\n${JSON.stringify(a)}\n${JSON.stringify(b)}`,
    )
  }
}

function knowsArchived({ client_capabilities: capabilities }: Fields): boolean {
  return (capabilities as Fields | undefined)?.archived_channels === true
}

function withoutChannels(bot: WireState['realm_bots'][0]): WireState['realm_bots'][0] {
  return { ...bot, default_sending_stream: null, default_events_register_stream: null }
}

function forgetFormer(state: WireState): WireState {
  const own = ['color', 'in_home_view', 'is_muted', 'pin_to_top']
  const isOwn = (name: string) =>
    own.includes(name) || name.endsWith('_notifications') || name.endsWith('_notify')
  const never = [...state.never_subscribed]
  for (const one of state.unsubscribed) {
    const channel = { ...one }
    for (const name of Object.keys(channel)) if (isOwn(name)) Reflect.deleteProperty(channel, name)
    never.push(channel)
  }
  const none = state.unsubscribed.filter(() => false)
  return { ...state, unsubscribed: none, never_subscribed: never as WireState['never_subscribed'] }
}

/**
 * The events of a deletion name only the deleted messages. So a client that lost its newest message knows
 * only that an older one is the newest: of a conversation, and of all received messages. The fresh value must
 * be older then, and is not compared further.
 */
function withoutHidden(
  folded: WireState,
  afresh: WireState,
  deletedIds: ReadonlySet<number>,
): [WireState, WireState] {
  const results: [WireState, WireState] = [{ ...folded }, { ...afresh }]
  const isHidden = (id: number, afreshId: number | undefined) => {
    if (!deletedIds.has(id)) return false
    if (afreshId !== undefined && afreshId >= id)
      throw new Error(`message ${afreshId} is newer than ${id}, which was the newest`)
    return true
  }
  if (isHidden(folded.max_message_id, afresh.max_message_id)) {
    for (const one of results) Reflect.deleteProperty(one, 'max_message_id')
  }
  const keyOf = (one: { user_ids: number[] }) => one.user_ids.join(',')
  for (const { max_message_id: id, ...conversation } of folded.recent_private_conversations) {
    const key = keyOf(conversation)
    const left = afresh.recent_private_conversations.find((one) => keyOf(one) === key)
    if (!isHidden(id, left?.max_message_id)) continue
    for (const one of results) {
      one.recent_private_conversations = one.recent_private_conversations.filter(
        (other) => keyOf(other) !== key,
      )
    }
  }
  return results
}

/**
 * Deactivated users have no presence, and the earlier presence of reactivated users is not sent. Invisible
 * users have presence but no deactivation.
 */
function withoutAway(state: WireState, events: readonly WireEvent[]): WireState {
  const returned = new Set(
    events.filter(({ person }) => person?.is_active).map(({ person }) => person.user_id),
  )
  const known = state.realm_users.filter(
    (one) => !returned.has(one.user_id) && one.full_name !== UNKNOWN_NAME,
  )
  const keys = new Set(known.flatMap((one) => [String(one.user_id), one.email]))
  const presences = Object.entries(state.presences).filter(([key]) => keys.has(key))
  return { ...state, presences: Object.fromEntries(presences) }
}

/** A registered state with unordered lists sorted and volatile fields removed. */
function normalize(state: WireState): WireState {
  const result = { ...state }
  for (const name of [...VOLATILE, ...DERIVED]) Reflect.deleteProperty(result, name)
  for (const name of ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const) {
    const channels = sortBy<object>(result[name] as List<{ stream_id: number }>, 'stream_id')
    for (const [index, one] of channels.entries()) {
      const channel = { ...one }
      // Counts follow from the lists of subscribers, which clients get.
      Reflect.deleteProperty(channel, 'subscriber_count')
      // Without a subscription a user gets no message, not even the first one.
      if (name !== 'subscriptions') Reflect.deleteProperty(channel, 'first_message_id')
      channels[index] = channel
    }
    Reflect.set(result, name, channels)
  }
  for (const list of ['realm_users', 'realm_non_active_users'] as const) {
    result[list] = sortBy(result[list], 'user_id')
  }
  result.realm_bots = sortBy(result.realm_bots, 'user_id')
  result.realm_user_groups = sortBy(result.realm_user_groups, 'id')
  result.unread_msgs = normalizeUnread(result.unread_msgs, result.subscriptions)
  return result
}

type Unread = WireState['unread_msgs']

function normalizeUnread(unread: Unread, subscriptions: WireState['subscriptions']): Unread {
  // Some clients get no events of archived channels, so not of unsubscriptions from them either.
  const isKnown = (group: { stream_id: number }) =>
    subscriptions.some(({ stream_id }) => stream_id === group.stream_id)
  const unknownIds = new Set(
    unread.streams.filter((group) => !isKnown(group)).flatMap((group) => group.unread_message_ids),
  )
  const ascending = (ids: List<number>) => [...ids].sort((a, b) => a - b) as List<number>
  const withSortedIds = <Group extends { unread_message_ids: List<number>; topic?: string }>(
    group: Group,
  ): Group => ({
    ...group,
    unread_message_ids: ascending(group.unread_message_ids),
    // Messages of one topic may differ in case.
    ...(group.topic === undefined ? {} : { topic: group.topic.toLowerCase() }),
  })
  return {
    ...unread,
    count: unread.count - unknownIds.size,
    mentions: ascending(unread.mentions.filter((id) => !unknownIds.has(id))),
    streams: unread.streams
      .filter(isKnown)
      .map(withSortedIds)
      .sort((a, b) => a.stream_id - b.stream_id || compareText(a.topic, b.topic)),
    pms: sortBy(unread.pms.map(withSortedIds), 'other_user_id'),
    huddles: unread.huddles
      .map(withSortedIds)
      .sort((a, b) => compareText(a.user_ids_string, b.user_ids_string)),
  }
}

function sortBy<One>(list: List<One>, key: string): List<One> {
  const numberOf = (one: One) => Number((one as Named)[key])
  return [...list].sort((a, b) => numberOf(a) - numberOf(b)) as List<One>
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The operations that named keys open. The door asks here alone, so an operation that is not listed is closed to all of
 * them.
 */

import type { FoundNamedKey, KeyScope } from '../../domain/accounts/named-keys.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { findOperator, type NarrowOperator } from '../../../packages/rules/narrows.ts'
import { findChannel } from '../narrow/find-channel.ts'
import type { NarrowTerm } from '../narrow/narrow-operands.ts'
import type { Policy } from './policies.ts'

/** The user who calls: names and ids of channels mean what they mean for them. */
interface Place {
  readonly user: User
  readonly state: OrganizationState
}

/** A channel that a call names; undefined for none, and for several. */
type ChannelOf = (params: Readonly<Record<string, unknown>>, place: Place) => ChannelId | undefined
/** For calls that are bound to the key's own channel by themselves, or tell nothing of any. */
const BOUND = 'bound'

/**
 * The operations of keys for one channel, and the channel that a call names. The queues of such a key have its channel
 * alone (`server/actors/session.ts`).
 */
const CHANNEL_OPERATIONS: ReadonlyMap<string, ChannelOf | typeof BOUND> = new Map<
  string,
  ChannelOf | typeof BOUND
>([
  ['POST /mcp', BOUND],
  ['GET /users/me', BOUND],
  ['POST /register', BOUND],
  ['GET /events', BOUND],
  ['DELETE /events', BOUND],
  ['GET /events/stream', BOUND],
  ['POST /messages', (params, { state }) => channelOfMessage(params, state)],
  ['GET /messages', channelOfNarrow],
  // They find their message first, and for such a key only in its channel (`operations/messages/reactions.ts`).
  ['POST /messages/{message_id}/reactions', BOUND],
  ['DELETE /messages/{message_id}/reactions', BOUND],
  // Nobody else has a file before a message links it.
  ['POST /user_uploads', BOUND],
  ['GET /streams/{stream_id}', ({ stream_id: id }) => id as ChannelId],
  ['GET /users/me/{stream_id}/topics', ({ stream_id: id }) => id as ChannelId],
])

/**
 * The operations of keys that only read. They leave out what opens more than it shows, such as links of invitations, keys
 * of bots, tickets and addresses for mails, and what only administrators read.
 */
const READ_OPERATIONS: ReadonlySet<string> = new Set([
  'POST /mcp', // An agent's request, of which each operation is asked for by itself.
  'POST /register',
  'GET /events',
  'DELETE /events',
  'GET /events/stream',
  'GET /messages',
  'GET /messages/{message_id}',
  'GET /messages/{message_id}/history',
  'GET /messages/{message_id}/read_receipts',
  'GET /messages/matches_narrow',
  'POST /messages/render',
  'GET /users',
  'GET /users/me',
  'GET /users/{user_id}',
  'GET /users/{user_id_or_email}',
  'GET /users/{user_id}/status',
  'GET /users/{user_id_or_email}/presence',
  'GET /users/{user_id}/subscriptions/{stream_id}',
  'GET /users/me/{stream_id}/topics',
  'GET /users/me/subscriptions',
  'GET /users/me/alert_words',
  'GET /avatar/{user_id_or_email}',
  'GET /avatar/{user_id_or_email}/medium',
  'GET /realm/presence',
  'GET /realm/profile_fields',
  'GET /realm/emoji',
  'GET /realm/linkifiers',
  'GET /realm/filters',
  'GET /realm/domains',
  'GET /streams',
  'GET /streams/{stream_id}',
  'GET /streams/{stream_id}/members',
  'GET /streams/{stream_id}/pins',
  'GET /get_stream_id',
  'GET /channel_folders',
  'GET /user_groups',
  'GET /user_groups/{user_group_id}/members',
  'GET /user_groups/{user_group_id}/members/{user_id}',
  'GET /user_groups/{user_group_id}/subgroups',
  'GET /drafts',
  'GET /scheduled_messages',
  'GET /reminders',
  'GET /saved_snippets',
  'GET /navigation_views',
  'GET /attachments',
  'GET /user_uploads',
  'GET /user_uploads/{realm_id_str}/{filename}',
  'GET /thumbnail/status/{realm_id_str}/{filename}',
])

/**
 * The operations of keys that also write messages: what is sent stays as its user could send it, and nothing that others
 * wrote, no setting and no right changes.
 */
const MESSAGE_OPERATIONS: ReadonlySet<string> = new Set([
  ...READ_OPERATIONS,
  'POST /messages',
  'POST /messages/{message_id}/reactions',
  'DELETE /messages/{message_id}/reactions',
  'POST /drafts',
  'PATCH /drafts/{draft_id}',
  'DELETE /drafts/{draft_id}',
])

const WEBHOOK_OPERATIONS: ReadonlySet<string> = new Set(['POST /external/{integration_name}'])

/** The operations of each scope, as methods and paths. */
export const KEY_OPERATIONS: Readonly<Record<KeyScope, Pick<ReadonlySet<string>, 'has' | 'keys'>>> = {
  read: READ_OPERATIONS,
  messages: MESSAGE_OPERATIONS,
  channel: CHANNEL_OPERATIONS,
  webhooks: WEBHOOK_OPERATIONS,
}

/** Whether a key may call an operation at all: the door asks before it reads the body. */
export function opens({ scope }: FoundNamedKey, { method, path }: Policy): boolean {
  return method !== undefined && path !== undefined && KEY_OPERATIONS[scope].has(`${method} ${path}`)
}

/** Whether a key may make this call of an operation that it opens. */
export function isWithin(
  key: FoundNamedKey,
  { method, path }: Policy,
  params: Readonly<Record<string, unknown>>,
  state: OrganizationState,
): boolean {
  if (key.scope !== 'channel') return true
  const channelOf = CHANNEL_OPERATIONS.get(`${method} ${path}`)
  if (channelOf === BOUND) return true
  const user = state.getUser(key.userId)
  return channelOf !== undefined && channelOf(params, { user, state }) === key.channelId
}

/** The channel of a new message, as `findNamedChannel` finds it. */
function channelOfMessage(
  { type, to }: Readonly<Record<string, unknown>>,
  state: OrganizationState,
): ChannelId | undefined {
  if ((type !== 'channel' && type !== 'stream') || !Array.isArray(to) || to.length > 1) return undefined
  const [target] = to as (string | number)[]
  if (target === undefined) return undefined
  if (typeof target === 'number') return target as ChannelId
  return state.findChannelByName(target.trim())?.channel.id
}

/**
 * Operators that leave a narrow in its channel. The others are refused: `with` and `near` lead to the place of any message.
 */
const OPERATORS_WITHIN: ReadonlySet<NarrowOperator | undefined> = new Set([
  'channel',
  'topic',
  'sender',
  'is',
  'in',
  'has',
  'search',
])

/** The channel to which a narrow is bound; undefined for a list of messages, which may be from anywhere. */
function channelOfNarrow(
  { narrow, message_ids: ids }: Readonly<Record<string, unknown>>,
  { user, state }: Place,
): ChannelId | undefined {
  if (ids !== undefined) return undefined
  const terms = narrow as readonly NarrowTerm[]
  if (terms.some(({ operator }) => !OPERATORS_WITHIN.has(findOperator(operator)))) return undefined
  const named = terms.filter(({ operator, negated }) => !negated && findOperator(operator) === 'channel')
  const [term] = named
  return term && named.length === 1 ? findChannel(term.operand, user, state)?.channel.id : undefined
}

/** The actions of the matrix, with their results by the documents. */

import type { Answer, Client } from '../harness/client/client.ts'
import { type BuiltCase, type BuiltChannel, type People, SAID } from './build-channels.ts'
import { isPlain } from './channel-cases.ts'
import { type Case, holds, RULES } from './channel-rules.ts'
import type { Read } from '../harness/client/wire-types.ts'
import type { ReplyOf } from '../../packages/client/src/index.ts'

/** An expected answer: a success with these details, an error, or the answer for an absent channel. */
export type Expected = { readonly success: unknown } | { readonly msg: string } | 'as if absent'

/** The fields of all replies of the matrix. */
type MatrixReply = Read<
  | ReplyOf<'GET /streams/{stream_id}'>
  | ReplyOf<'GET /get_stream_id'>
  | ReplyOf<'GET /streams/{stream_id}/members'>
  | ReplyOf<'GET /users/{user_id}/subscriptions/{stream_id}'>
  | ReplyOf<'GET /messages'>
  | ReplyOf<'GET /users/me/{stream_id}/topics'>
  | ReplyOf<'POST /messages'>
  | ReplyOf<'POST /users/me/subscriptions'>
  | ReplyOf<'DELETE /users/me/subscriptions'>
>

/** One action. */
export interface Action {
  readonly name: string
  /** The channel of the case on which it acts. */
  readonly channelOf: (built: BuiltCase) => BuiltChannel
  readonly ask: (client: Client, channel: BuiltChannel, cast: Cast, one: Case) => Promise<Answer>
  /** The compared details of a success. */
  readonly read: (body: MatrixReply, cast: Cast) => unknown
  readonly expect: (one: Case, channel: BuiltChannel) => Expected
  /** The answer for an absent channel; undefined if none is refused. */
  readonly absent?: Readonly<Record<string, unknown>>
  /** Its cases; all by default. */
  readonly isFor?: (one: Case) => boolean
}

/** Users with a part besides the actors. */
export interface Cast extends People {
  /** Subscribed to no channel until an actor subscribes them. */
  readonly recruit: number
}

/** A channel that does not exist. */
export const ABSENT: BuiltChannel = { id: 4_000_000, name: 'main 4000000', messageIds: [4_000_001] }

const INVALID_ID = { msg: 'Invalid channel ID', code: 'BAD_REQUEST' }
const NOT_ADMINISTRATOR: Expected = { msg: 'You do not have permission to administer this channel.' }
const NO_CONTENT: Expected = { msg: 'Channel content access is required.' }
const LACKING: Expected = { msg: 'Insufficient permission' }
const NAME_UNKNOWN = {
  msg: `Channel '${ABSENT.name}' does not exist`,
  code: 'STREAM_DOES_NOT_EXIST',
  stream: ABSENT.name,
}
const DONE: Expected = { success: undefined }

const NEWEST = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false }
const DRAFT = { type: 'channel', topic: 'history', content: 'a try' }

const main = ({ main }: BuiltCase) => main
const path = ({ id }: BuiltChannel, rest = '') => `/streams/${id}${rest}`
/** One answer for viewers of the channel, that for an absent one for others. */
const ifSeen = (one: Case, expected: Expected): Expected => (RULES.sees(one) ? expected : 'as if absent')
const ifAdministered = (one: Case, expected: Expected): Expected =>
  ifSeen(one, RULES.administers(one) ? expected : NOT_ADMINISTRATOR)

/** A PATCH of the channel by its administrators. */
function patching(
  name: string,
  channelOf: Action['channelOf'],
  fields: (one: Case, channel: BuiltChannel, cast: Cast) => Record<string, unknown>,
  allows: (one: Case) => Expected = () => DONE,
): Action {
  return {
    name,
    channelOf,
    ask: (client, channel, cast, one) => client.patch(path(channel), fields(one, channel, cast)),
    read: () => undefined,
    expect: (one) => ifAdministered(one, allows(one)),
    absent: INVALID_ID,
  }
}

/** Only users who read a channel may open it to others. */
const ifOpening = (one: Case): Expected => (RULES.opens(one) ? DONE : NO_CONTENT)

function changePrivacy({ kind }: Case): Record<string, unknown> {
  if (kind.privacy === 'web-public') return { is_web_public: false }
  return { is_private: kind.privacy === 'public' }
}

/** In order, so that none affects a later one. */
export const ACTIONS: readonly Action[] = [
  {
    name: 'look the channel up',
    channelOf: main,
    ask: (client, channel) => client.get(path(channel)),
    read: ({ stream }) => [stream.stream_id, stream.name],
    expect: (one, { id, name }) => ifSeen(one, { success: [id, name] }),
    absent: INVALID_ID,
  },
  {
    name: 'look its id up',
    isFor: isPlain,
    channelOf: main,
    ask: (client, { name }) => client.get('/get_stream_id', { stream: name }),
    read: ({ stream_id }) => stream_id,
    expect: (one, { id }) => ifSeen(one, { success: id }),
    absent: { msg: `Invalid channel name '${ABSENT.name}'`, code: 'BAD_REQUEST' },
  },
  {
    name: 'list its members',
    isFor: isPlain,
    channelOf: main,
    ask: (client, channel) => client.get(path(channel, '/members')),
    read: ({ subscribers }, { victim }) => [subscribers.includes(victim), subscribers.length],
    expect: (one) => ifSeen(one, { success: [true, one.standing === 'subscribed' ? 2 : 1] }),
    absent: INVALID_ID,
  },
  {
    name: 'ask for the subscription of another',
    isFor: isPlain,
    channelOf: main,
    ask: (client, { id }, { victim }) => client.get(`/users/${victim}/subscriptions/${id}`),
    read: ({ is_subscribed }) => is_subscribed,
    expect: (one) => ifSeen(one, { success: true }),
    absent: INVALID_ID,
  },
  {
    name: 'ask for their own subscription',
    isFor: isPlain,
    channelOf: main,
    ask: (client, { id }) => client.get(`/users/${client.userId}/subscriptions/${id}`),
    read: ({ is_subscribed }) => is_subscribed,
    expect: (one) => ifSeen(one, { success: one.standing === 'subscribed' }),
    absent: INVALID_ID,
  },
  ...(['id', 'name'] as const).map(
    (key): Action => ({
      name: `read its messages by ${key}`,
      isFor: (one) => key === 'id' || isPlain(one),
      channelOf: main,
      ask: (client, channel) =>
        client.get('/messages', {
          ...NEWEST,
          narrow: [{ operator: 'channel', operand: channel[key] }],
        }),
      read: ({ messages }) => contentsOf(messages),
      expect: (one) => (RULES.reads(one) ? { success: historyOf(one) } : 'as if absent'),
      absent: {
        msg: `Invalid narrow operator: unknown channel ${ABSENT[key]}`,
        code: 'BAD_NARROW',
        desc: `unknown channel ${ABSENT[key]}`,
      },
    }),
  ),
  {
    name: 'read its messages by their ids',
    isFor: isPlain,
    channelOf: main,
    ask: (client, { messageIds }) =>
      client.get('/messages', { message_ids: messageIds, apply_markdown: false }),
    read: ({ messages }) => contentsOf(messages),
    // Without a narrow these are among the received messages.
    expect: (one) => ({ success: RULES.reads(one) ? saidWhileSubscribed(one) : [] }),
  },
  {
    name: 'list its topics',
    isFor: isPlain,
    channelOf: main,
    ask: (client, { id }) => client.get(`/users/me/${id}/topics`),
    read: ({ topics }) => topics.map(({ name }: { name: string }) => name),
    expect: (one) =>
      RULES.reads(one) ? { success: historyOf(one).length > 0 ? ['history'] : [] } : 'as if absent',
    absent: INVALID_ID,
  },
  {
    name: 'follow a topic of it',
    isFor: isPlain,
    channelOf: main,
    ask: (client, { id }) =>
      client.post('/user_topics', { stream_id: id, topic: 'history', visibility_policy: 3 }),
    read: () => undefined,
    expect: (one) => (RULES.reads(one) ? DONE : 'as if absent'),
    absent: INVALID_ID,
  },
  {
    name: 'pin it',
    isFor: isPlain,
    channelOf: main,
    ask: (client, { id }) =>
      client.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: id, property: 'pin_to_top', value: true }],
      }),
    read: () => undefined,
    expect: (one) => (one.standing === 'subscribed' ? DONE : 'as if absent'),
    absent: { msg: `Not subscribed to channel id ${ABSENT.id}`, code: 'BAD_REQUEST' },
  },
  {
    name: 'send to its id',
    channelOf: main,
    ask: (client, { id }) => client.post('/messages', { ...DRAFT, to: id }),
    read: ({ id }) => typeof id,
    expect: expectSending,
    absent: {
      msg: `Channel with ID '${ABSENT.id}' does not exist`,
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: ABSENT.id,
    },
  },
  {
    name: 'send to its name',
    isFor: isPlain,
    channelOf: main,
    ask: (client, { name }) => client.post('/messages', { ...DRAFT, to: name }),
    read: ({ id }) => typeof id,
    expect: expectSending,
    absent: NAME_UNKNOWN,
  },
  {
    name: 'subscribe another',
    channelOf: main,
    ask: (client, { name }, { recruit }) =>
      client.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [recruit],
        send_new_subscription_messages: false,
      }),
    read: ({ subscribed }, { recruit }) => subscribed[recruit],
    expect: (one, { name }) => {
      if (RULES.adds(one)) return { success: [name] }
      if (RULES.joins(one)) return LACKING
      return refuseJoining(one, name)
    },
  },
  {
    name: 'unsubscribe another',
    channelOf: main,
    ask: (client, { name }, { victim }) =>
      client.delete('/users/me/subscriptions', { subscriptions: [name], principals: [victim] }),
    read: ({ removed }) => removed,
    expect: (one, { name }) => ifSeen(one, RULES.removes(one) ? { success: [name] } : LACKING),
    absent: NAME_UNKNOWN,
  },
  {
    // It is absent; the permission is still checked. Owners need no other right.
    name: "unsubscribe the member's bot",
    channelOf: main,
    ask: (client, { name }, { actors }) =>
      client.delete('/users/me/subscriptions', { subscriptions: [name], principals: [actors.bot] }),
    read: ({ removed, not_removed }) => [removed, not_removed],
    expect: (one, { name }) => {
      const isAllowed = one.actor === 'member' || RULES.removes(one)
      return ifSeen(one, isAllowed ? { success: [[], [name]] } : LACKING)
    },
    absent: NAME_UNKNOWN,
    isFor: (one) => isPlain(one) && one.actor !== 'bot', // For the bot, this is leaving.
  },
  {
    name: 'join',
    channelOf: main,
    ask: (client, { name }) => client.post('/users/me/subscriptions', { subscriptions: [{ name }] }),
    read: ({ subscribed, already_subscribed }) => Object.values({ ...subscribed, ...already_subscribed }),
    expect: (one, { name }) => (RULES.joins(one) ? { success: [[name]] } : refuseJoining(one, name)),
  },
  patching('describe it', main, () => ({ description: 'described anew' })),
  {
    name: 'leave',
    channelOf: main,
    ask: (client, { name }) => client.delete('/users/me/subscriptions', { subscriptions: [name] }),
    read: ({ removed, not_removed }) => [removed, not_removed],
    expect: (one, { name }) => {
      const isIn = RULES.joins(one) || one.standing === 'subscribed'
      return ifSeen(one, { success: isIn ? [[name], []] : [[], [name]] })
    },
    absent: NAME_UNKNOWN,
  },
  patching('change its privacy', ({ exposed }) => exposed, changePrivacy, ifOpening),
  {
    name: 'archive it',
    channelOf: ({ exposed }) => exposed,
    ask: (client, channel) => client.delete(path(channel)),
    read: () => undefined,
    expect: (one) => ifAdministered(one, DONE),
    absent: INVALID_ID,
    isFor: ({ kind }) => !kind.isArchived,
  },
  {
    ...patching(
      'bring it back',
      ({ exposed }) => exposed,
      () => ({ is_archived: false }),
    ),
    isFor: ({ kind }) => kind.isArchived,
  },
  patching(
    'rename it',
    ({ adjusted }) => adjusted,
    (_, { name }) => ({ new_name: `renamed ${name}` }),
  ),
  ...(['can_subscribe_group', 'can_add_subscribers_group'] as const).map((setting) =>
    patching(
      `set ${setting}`,
      ({ adjusted }) => adjusted,
      // The actor keeps their rights.
      ({ actor }, _, { actors }) => ({ [setting]: { new: explicitSet(1, actors[actor]) } }),
      ifOpening,
    ),
  ),
  patching(
    'set can_administer_channel_group',
    ({ adjusted }) => adjusted,
    () => ({ can_administer_channel_group: { new: explicitSet(1) } }),
  ),
]

const explicitSet = (...ids: number[]) => ({ direct_members: [...new Set(ids)], direct_subgroups: [] })

/** Readers get the reason that they may not send; for others the channel looks absent. */
function expectSending(one: Case, { name }: BuiltChannel): Expected {
  if (!RULES.reads(one)) return 'as if absent'
  if (one.kind.isArchived) return { msg: `Not authorized to send to channel '${name}'` }
  if (!RULES.sends(one)) return { msg: 'You do not have permission to post in this channel.' }
  return { success: 'number' }
}

/** Guests cannot join by themselves; a taken name cannot be created again. */
function refuseJoining({ actor }: Case, name: string): Expected {
  return holds(actor, 'members')
    ? { msg: `Unable to access channel (${name}).` }
    : { msg: 'Must be an organization member' }
}

/** All messages, or those sent during a subscription. */
function historyOf(one: Case): readonly string[] {
  return RULES.readsAllHistory(one) ? SAID : saidWhileSubscribed(one)
}

/** Messages that a user received, readable or not. */
export function saidWhileSubscribed({ standing }: Case): readonly string[] {
  const first = SAID.indexOf('meanwhile')
  if (standing === 'never subscribed') return []
  return standing === 'subscribed' ? SAID.slice(first) : SAID.slice(first, first + 1)
}

function contentsOf(messages: readonly { content: string }[]): string[] {
  return messages.map(({ content }) => content)
}

/** Message flags. */

import { MESSAGE_FLAGS, SETTABLE_FLAGS, type SettableFlag } from '../../domain/messages/message-flags.ts'
import type { Fail } from '../../errors/api-error.ts'
import { boolean, defaulted, id, integer, list, oneOf, required, text } from '../params.ts'
import { findUsersWhoRead } from '../../../db/unread/flag-holders.ts'
import type { ChannelId, MessageId } from '../../domain/ids.ts'
import { findMessage } from '../../changes/messages/find-message.ts'
import { operation } from '../operation.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull } from '../../domain/json-schema.ts'
import { FLAGGED_PER_CALL_MAX, TOPIC_LENGTH_MAX } from '../../domain/limits.ts'
import { MESSAGES_PER_PAGE_MAX } from '../../../packages/rules/limits.ts'
import {
  changeFlags,
  changeFlagsOfReadable,
  channelIdsOf,
  markChannelRead,
} from '../../changes/flags/change-flags.ts'
import { narrowType, resolveNarrow } from '../narrow/find-messages.ts'
import { readInTurn } from '../narrow/read-in-turn.ts'
import { readPage, resolveAnchor } from '../narrow/read-page.ts'
import { hasReceivedTopic, readFlaggedMessages } from '../../../db/unread/flagged-messages.ts'
import { checkReadable, decideAllRead } from '../../decisions/flags/change-flags.ts'
import { scopeOfCall } from '../call-scope.ts'
import { hasUnread } from '../../../db/unread/unread.ts'
import { change } from '../change-operation.ts'
import { parseTopic } from '../../domain/messages/topics.ts'

/** The parameters of a change of a flag. */
const FLAG_PARAMS = {
  op: required(oneOf('add', 'remove'), 'Whether to add or remove the flag.'),
  flag: required(text({ lengthMax: 100 }), 'The flag: `read`, `starred` or `collapsed`.'),
}

/** The errors of these parameters. */
const FLAG_ERRORS = ['FLAG_UNKNOWN', 'FLAG_NOT_EDITABLE'] as const

/** Flags that clients know, but that follow from messages or no longer exist. */
const OTHER_FLAGS: ReadonlySet<string> = new Set([
  ...Object.keys(MESSAGE_FLAGS),
  'wildcard_mentioned',
  'force_expand',
  'force_collapse',
  'has_attachment',
])

/** The flag with a name. */
function readFlag(name: string, fail: Fail<(typeof FLAG_ERRORS)[number]>): SettableFlag {
  const flag = SETTABLE_FLAGS.find((one) => one === name)
  if (flag) return flag
  throw OTHER_FLAGS.has(name)
    ? fail('FLAG_NOT_EDITABLE', { flag: name })
    : fail('FLAG_UNKNOWN', { flag: name })
}

/** `GET /messages/{message_id}/read_receipts`: the users who have read a message. */
export const getReadReceipts = operation({
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  summary: "Get a message's read receipts",
  description:
    'The recipients who have read the message, without its sender, users who do not share read receipts, ' +
    'deactivated users, and users who have muted the caller or whom the caller has muted.',
  access: 'user',
  params: { message_id: required(id<MessageId>(), 'The message.') },
  reply: { user_ids: { schema: arrayOf(INTEGER), description: 'The users, ascending.' } },
  errors: ['MESSAGE_UNKNOWN', 'READ_RECEIPTS_DISABLED'],
  events: [],
  async run({ params, user, services, fail }) {
    const { state, sql } = services
    if (!state.settings.hasReadReceipts) throw fail('READ_RECEIPTS_DISABLED')
    const found = await findMessage(params.message_id, user, services)
    if (!found) throw fail('MESSAGE_UNKNOWN')
    const ids = await findUsersWhoRead(sql, found.message.id)
    const isShared = (userId: (typeof ids)[number]) =>
      state.users.get(userId)?.isActive === true &&
      state.settingsOf(userId).sendsReadReceipts &&
      !state.mutes.mutersOf.get(userId)?.has(user.id) &&
      !state.mutes.mutersOf.get(user.id)?.has(userId)
    return { user_ids: ids.filter(isShared) }
  },
})

/** `POST /messages/flags/narrow`: adds or removes a flag of a page of messages. */
export const updateFlagsInNarrow = operation({
  method: 'POST',
  path: '/messages/flags/narrow',
  summary: 'Update personal message flags for a narrow',
  description:
    'Adds or removes a flag of a page of the messages that match a narrow, around an anchor. If there are more ' +
    'messages, a client calls again with the last processed one as the anchor.',
  access: 'user',
  params: {
    anchor: required(
      text({ lengthMax: 100, trim: true }),
      'A message id, or `newest`, `oldest` or `first_unread`.',
    ),
    include_anchor: defaulted(boolean(), true, 'Whether to include the message of the anchor.'),
    num_before: required(integer({ min: 0 }), 'The number of messages before the anchor.'),
    num_after: required(integer({ min: 0 }), 'The number of messages after the anchor.'),
    narrow: defaulted(narrowType, [], 'Terms of operators and operands, all of which must match.'),
    ...FLAG_PARAMS,
  },
  reply: {
    processed_count: { schema: INTEGER, description: 'The number of messages on the page.' },
    updated_count: { schema: INTEGER, description: 'The number of changed messages.' },
    first_processed_id: { schema: orNull(INTEGER), description: 'The oldest of them.' },
    last_processed_id: { schema: orNull(INTEGER), description: 'The newest of them.' },
    found_oldest: { schema: BOOLEAN, description: 'Whether there are no older ones.' },
    found_newest: { schema: BOOLEAN, description: 'Whether there are no newer ones.' },
    ignored_because_not_subscribed_channels: {
      schema: arrayOf(INTEGER),
      description: 'Channels whose messages were not changed.',
    },
  },
  errors: ['NARROW_INVALID', 'PAGE_TOO_LONG', 'ANCHOR_INVALID', ...FLAG_ERRORS],
  events: ['update_message_flags'],
  async run(call) {
    const { params, user, services, fail } = call
    const { state } = services
    const change = { op: params.op, flag: readFlag(params.flag, fail) }
    const { num_before: before, num_after: after, include_anchor: isAnchorIncluded } = params
    if (before + after > MESSAGES_PER_PAGE_MAX)
      throw fail('PAGE_TOO_LONG', { countMax: MESSAGES_PER_PAGE_MAX })
    const { query } = await resolveNarrow(services, { state, caller: user, fail }, params.narrow)
    const page = await readInTurn(call, query, async (source) => {
      const anchor = await resolveAnchor(params.anchor, undefined, source.sql, query)
      if (typeof anchor !== 'number') throw fail('ANCHOR_INVALID')
      return readPage(source, query, { anchor, before, after, isAnchorIncluded })
    })
    const { messages } = page
    const { changed, ignored } = await changeFlags(services, user.id, change, messages)
    return {
      processed_count: messages.length,
      updated_count: changed.length,
      first_processed_id: messages[0]?.id ?? null,
      last_processed_id: messages.at(-1)?.id ?? null,
      found_oldest: page.isOldestFound,
      found_newest: page.isNewestFound,
      ignored_because_not_subscribed_channels: channelIdsOf(ignored),
    }
  },
})

/** `POST /messages/flags`: adds or removes a flag of messages. */
export const updateFlags = operation({
  method: 'POST',
  path: '/messages/flags',
  summary: 'Update personal message flags',
  description:
    'Adds or removes a flag of messages that the user can read. Messages of channels without a subscription ' +
    'cannot become unread.',
  access: 'user',
  params: {
    messages: required(list(id<MessageId>(), { lengthMax: FLAGGED_PER_CALL_MAX }), 'The messages.'),
    ...FLAG_PARAMS,
  },
  reply: {
    messages: { schema: arrayOf(INTEGER), description: 'The messages that have the requested state now.' },
    ignored_because_not_subscribed_channels: {
      schema: arrayOf(INTEGER),
      description: 'Channels whose messages were not changed.',
    },
  },
  errors: ['MESSAGE_UNKNOWN', ...FLAG_ERRORS],
  events: ['update_message_flags'],
  async run(call) {
    const { params, user, services, fail } = call
    const change = { op: params.op, flag: readFlag(params.flag, fail) }
    const ids = [...new Set(params.messages)]
    const found = await readFlaggedMessages(services.sql, ids, user.id)
    if (found.length < ids.length) throw fail('MESSAGE_UNKNOWN')
    checkReadable(scopeOfCall(call), found)
    const { ignored } = await changeFlagsOfReadable(services, user.id, change, found)
    const ignoredIds = new Set(ignored.map((message) => message.id))
    return {
      messages: params.messages.filter((one) => !ignoredIds.has(one)),
      ignored_because_not_subscribed_channels: channelIdsOf(ignored),
    }
  },
})

/** `POST /mark_all_as_read`: marks all messages as read. */
export const markAllAsRead = change({
  method: 'POST',
  path: '/mark_all_as_read',
  summary: 'Mark all messages as read',
  description: 'Marks all messages that the user has received as read.',
  access: 'user',
  isDeprecated: true,
  params: {},
  reply: { complete: { schema: BOOLEAN, description: 'Whether all messages are read: always true.' } },
  errors: [],
  events: ['update_message_flags'],
  prepare: async ({ user, services: { sql, state } }) => ({
    hasUnread: await hasUnread(sql, user.id, state.appliedId),
  }),
  decide: decideAllRead,
  answer: () => ({ complete: true }),
})

/** `POST /mark_stream_as_read`: marks the messages of a channel as read. */
export const markChannelAsRead = operation({
  method: 'POST',
  path: '/mark_stream_as_read',
  summary: 'Mark messages in a channel as read',
  description: 'Marks the unread messages of a channel as read.',
  access: 'user',
  isDeprecated: true,
  params: { stream_id: required(id<ChannelId>(), 'The channel.') },
  reply: {},
  errors: ['CHANNEL_UNKNOWN'],
  events: ['update_message_flags'],
  async run({ params, user, services, fail }) {
    if (!services.state.findReadableChannel(user, params.stream_id)) throw fail('CHANNEL_UNKNOWN')
    await markChannelRead(services, user.id, params.stream_id)
    return {}
  },
})

/** `POST /mark_topic_as_read`: marks the messages of a topic as read. */
export const markTopicAsRead = operation({
  method: 'POST',
  path: '/mark_topic_as_read',
  summary: 'Mark messages in a topic as read',
  description:
    'Marks the unread messages of a topic as read. Without a topic, it marks those of the whole channel; the ' +
    'empty topic is `(no topic)` here.',
  access: 'user',
  isDeprecated: true,
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    topic_name: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic.'),
  },
  reply: {},
  errors: ['CHANNEL_UNKNOWN', 'TOPIC_UNKNOWN'],
  events: ['update_message_flags'],
  async run({ params, user, services, fail }) {
    const { state, sql } = services
    const { stream_id: channelId, topic_name: name } = params
    if (!state.findReadableChannel(user, channelId)) throw fail('CHANNEL_UNKNOWN')
    const topic = name === '' ? undefined : parseTopic(name)
    const reader = { userId: user.id, asOf: state.appliedId }
    if (topic !== undefined && !(await hasReceivedTopic(sql, reader, channelId, topic)))
      throw fail('TOPIC_UNKNOWN', { topic: name })
    await markChannelRead(services, user.id, channelId, topic)
    return {}
  },
})

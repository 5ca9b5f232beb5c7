/** Tools that find and read messages. */

import { boolean, defaulted, id, integer, oneOf, optional, text } from '../params.ts'
import { RefusedCall } from './agent-caller.ts'
import {
  CHANNEL_PARAM,
  checkPlace,
  findChannelId,
  findUserIds,
  nameOrId,
  PEOPLE_PARAM,
  TOPIC_PARAM,
} from './places.ts'
import { tool } from './tool.ts'
import { viewPage } from './view-message.ts'

/** Messages of a result: with more, the text of one fills the memory of a small model. */
const MESSAGES_MAX = 50
const MESSAGES_DEFAULT = 20
const QUERY_LENGTH_MAX = 500

const LIMIT_PARAM = defaulted(
  integer({ min: 1, max: MESSAGES_MAX }),
  MESSAGES_DEFAULT,
  'The largest number of messages.',
)

/** The kinds of messages that a search may be limited to, as operands of `is`. */
const ONLY = { unread: 'unread', mentions: 'mentioned', starred: 'starred', direct: 'dm' } as const

type Term = { readonly operator: string; readonly operand: unknown }

export const searchMessages = tool({
  name: 'search_messages',
  title: 'Search messages',
  description:
    'Finds messages by words and by where, by whom and of which kind they are; all conditions must match. The result has ' +
    'the newest matches, the oldest of them first. Ask again with before = the id of the first one for older matches.',
  operation: 'GET /messages',
  effect: 'reads',
  params: {
    query: optional(
      text({ lengthMax: QUERY_LENGTH_MAX, trim: true, blank: false }),
      'Words that the message or its topic must have; "quoted words" must follow each other.',
    ),
    channel: CHANNEL_PARAM,
    topic: TOPIC_PARAM,
    people: PEOPLE_PARAM,
    sender: optional(nameOrId, 'The id or the email address of the author.'),
    only: optional(oneOf('unread', 'mentions', 'starred', 'direct'), 'Only messages of this kind.'),
    everywhere: defaulted(
      boolean(),
      false,
      'Also in public channels that the person does not follow; without it only in messages that they received.',
    ),
    before: optional(id(), 'Only messages before the one with this id.'),
    limit: LIMIT_PARAM,
  },
  async run(caller, { query, channel, topic, people, sender, only, everywhere, before, limit }) {
    checkPlace({ channel, topic, people })
    const terms: Term[] = []
    const channelId = people ? undefined : await findChannelId(caller, channel)
    if (channelId !== undefined) terms.push(term('channel', channelId))
    if (topic !== undefined) terms.push(term('topic', topic))
    if (people) terms.push(term('dm', await findUserIds(caller, people)))
    if (sender !== undefined) terms.push(term('sender', sender))
    if (only !== undefined) terms.push(term('is', ONLY[only]))
    if (query !== undefined) terms.push(term('search', query))
    if (terms.length === 0) throw new RefusedCall('Name at least one condition.')
    if (everywhere && channelId === undefined && !people) terms.push(term('channels', 'public'))
    const reply = await caller.call('GET', '/messages', {
      narrow: terms,
      anchor: before === undefined ? 'newest' : String(before),
      include_anchor: before === undefined,
      num_before: limit,
      num_after: 0,
      apply_markdown: false,
      allow_empty_topic_name: true,
    })
    return viewPage(reply)
  },
})

export const readConversation = tool({
  name: 'read_conversation',
  title: 'Read a conversation',
  description:
    'Reads messages of a channel, of one topic, or of a direct conversation, the oldest first: the newest ones, or those ' +
    'before, after or around a message.',
  operation: 'GET /messages',
  effect: 'reads',
  params: {
    channel: CHANNEL_PARAM,
    topic: TOPIC_PARAM,
    people: PEOPLE_PARAM,
    before: optional(id(), 'Messages before the one with this id.'),
    after: optional(id(), 'Messages after the one with this id.'),
    around: optional(id(), 'The message with this id, and those around it.'),
    limit: LIMIT_PARAM,
  },
  async run(caller, { channel, topic, people, before, after, around, limit }) {
    checkPlace({ channel, topic, people })
    if ([before, after, around].filter((one) => one !== undefined).length > 1)
      throw new RefusedCall('Name only one of before, after and around.')
    const terms: Term[] = []
    if (people) terms.push(term('dm', await findUserIds(caller, people)))
    else {
      const channelId = await findChannelId(caller, channel)
      if (channelId === undefined) throw new RefusedCall('Name a channel or people.')
      terms.push(term('channel', channelId))
      if (topic !== undefined) terms.push(term('topic', topic))
    }
    const anchor = around ?? before ?? after
    const older = around === undefined ? (after === undefined ? limit : 0) : Math.floor((limit - 1) / 2)
    const newer = around === undefined ? (after === undefined ? 0 : limit) : limit - 1 - older
    const reply = await caller.call('GET', '/messages', {
      narrow: terms,
      anchor: anchor === undefined ? 'newest' : String(anchor),
      include_anchor: around !== undefined || anchor === undefined,
      num_before: older,
      num_after: newer,
      apply_markdown: false,
      allow_empty_topic_name: true,
    })
    return viewPage(reply)
  },
})

function term(operator: string, operand: unknown): Term {
  return { operator, operand }
}

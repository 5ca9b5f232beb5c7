/** `GET /messages`: a page of messages around an anchor. */

import { readMessagesById } from '../../../../db/message-pages.ts'
import type { Message } from '../../../domain/entities.ts'
import type { Reader } from '../../../actors/reader.ts'
import type { NewestMessage } from '../../../actors/recent-messages.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { MESSAGES_PER_PAGE_MAX } from '../../../domain/limits.ts'
import { flagNames } from '../../../domain/message-flags.ts'
import { ROLES } from '../../../domain/roles.ts'
import { encodeMatch } from '../../../views/match-view.ts'
import { encodeMessage } from '../../../views/message-view.ts'
import { narrowType, resolveNarrow } from '../../find-messages.ts'
import { EncodedReply, operation } from '../../operation.ts'
import { boolean, defaulted, id, integer, list, optional, text } from '../../params.ts'
import { NEWEST, readPage, resolveAnchor } from '../../read-page.ts'
import { arrayOf, BOOLEAN, INTEGER, MESSAGE } from '../../reply-schemas.ts'

export const getMessages = operation({
  method: 'GET',
  path: '/messages',
  summary: 'Get messages',
  description:
    'A page of the messages that match a narrow, around an anchor. Without a channel in the narrow, these are ' +
    'the messages that the user has received.',
  access: 'user',
  params: {
    anchor: optional(
      text({ lengthMax: 100, trim: true }),
      'A message id, or `newest`, `oldest`, `first_unread` or `date`.',
    ),
    anchor_date: optional(
      text({ lengthMax: 100, trim: true }),
      'With the anchor `date`: a time by ISO 8601.',
    ),
    use_first_unread_anchor: defaulted(boolean(), false, 'The anchor `first_unread` of old.', {
      isDeprecated: true,
    }),
    include_anchor: defaulted(boolean(), true, 'Whether the message of the anchor itself is included.'),
    num_before: defaulted(integer({ min: 0 }), 0, 'How many messages before the anchor.'),
    num_after: defaulted(integer({ min: 0 }), 0, 'How many messages after the anchor.'),
    narrow: defaulted(
      narrowType,
      [],
      'Which messages: terms of an operator and an operand, all of which must match.',
    ),
    client_gravatar: defaulted(
      boolean(),
      true,
      'Whether gravatar addresses may be left to the client, as null.',
    ),
    apply_markdown: defaulted(boolean(), true, 'Whether content is HTML rather than Markdown.'),
    message_ids: optional(
      list(id<MessageId>(), { lengthMax: MESSAGES_PER_PAGE_MAX }),
      'These messages, as far as the user may read them, instead of a page.',
    ),
    allow_empty_topic_name: defaulted(boolean(), false, 'Whether the empty topic is told as such.'),
  },
  reply: {
    messages: { schema: arrayOf(MESSAGE), description: 'The messages, oldest first.' },
    anchor: { schema: INTEGER, description: 'The anchor as a number.', isOptional: true },
    found_anchor: {
      schema: BOOLEAN,
      description: 'Whether the anchor is among the messages.',
      isOptional: true,
    },
    found_oldest: { schema: BOOLEAN, description: 'Whether there are no older ones.', isOptional: true },
    found_newest: { schema: BOOLEAN, description: 'Whether there are no newer ones.', isOptional: true },
    history_limited: {
      schema: BOOLEAN,
      description: 'Whether a plan hides older ones: never.',
      isOptional: true,
    },
  },
  errors: ['NARROW_INVALID', 'PAGE_TOO_LONG', 'ANCHOR_INVALID', 'ANCHOR_UNEXPECTED'],
  events: [],
  async run({ params, user, services, fail }) {
    const { state, sql } = services
    const options = {
      applyMarkdown: params.apply_markdown,
      clientGravatar: params.client_gravatar,
      allowEmptyTopic: params.allow_empty_topic_name,
      isGuest: user.role === ROLES.guest,
    }
    const { query, inMemory, words } = await resolveNarrow(params.narrow, user, state, services, fail)
    const reader = await services.readers.get(user.id)
    const encode = (message: Message) =>
      encodeMessage(message, state, options) +
      (words === undefined ? '' : encodeMatch(message, words, options.allowEmptyTopic))
    if (params.message_ids) {
      if (params.anchor !== undefined) throw fail('ANCHOR_UNEXPECTED')
      const messages = await readMessagesById(sql, query, params.message_ids)
      if (!messages) throw fail('PAGE_TOO_LONG', { countMax: params.message_ids.length - 1 })
      return encodePage(
        messages.map((message) => ({ message, encoded: encode(message) })),
        reader,
        {},
      )
    }
    const { num_before: before, num_after: after, include_anchor: isAnchorIncluded } = params
    if (before + after > MESSAGES_PER_PAGE_MAX)
      throw fail('PAGE_TOO_LONG', { countMax: MESSAGES_PER_PAGE_MAX })
    const wanted = params.use_first_unread_anchor ? 'first_unread' : params.anchor
    if (wanted === undefined) throw fail('PARAMETER_MISSING', { name: 'anchor' })
    const anchor = await resolveAnchor(wanted, params.anchor_date, sql, query)
    if (anchor === undefined) throw fail('ANCHOR_INVALID')
    if (anchor === 'no_date') throw fail('PARAMETER_MISSING', { name: 'anchor_date' })
    if (anchor === NEWEST && inMemory && before > 0) {
      const recent = await services.channels.recentOf(inMemory.channelId)
      const { asOf } = query.reader
      const flagsOf = (message: Message) => reader.flagsOf(message)
      const page = { asOf, count: before, topic: inMemory.topic, options, flagsOf }
      const bytes = recent.newestPage(page, state, encodeNewest)
      if (bytes) return new EncodedReply(bytes)
    }
    const page = await readPage(services, query, { anchor, before, after, isAnchorIncluded })
    return encodePage(
      page.messages.map((message) => ({ message, encoded: encode(message) })),
      reader,
      describePage(
        anchor,
        page.messages.map((message) => ({ message })),
        page.isOldestFound,
        page.isNewestFound,
      ),
    )
  },
})

function describePage(
  anchor: number,
  messages: readonly { message: Message }[],
  isOldestFound: boolean,
  isNewestFound: boolean,
) {
  return {
    anchor,
    found_anchor: messages.some(({ message }) => message.id === anchor),
    found_oldest: isOldestFound,
    found_newest: isNewestFound,
    history_limited: false,
  }
}

/** A message encoded without its flags and the closing brace. */
interface EncodedMessage {
  readonly message: Message
  readonly encoded: string
}

const PAGE_START = '{"result":"success","msg":"","messages":['
const ENDS: string[] = []

/** What follows an encoded message: its flags, and the closing brace. */
export function encodeEnd(flags: number): string {
  const end = ENDS[flags] ?? `,"flags":${JSON.stringify(flagNames(flags))}}`
  ENDS[flags] = end
  return end
}

function encodePage(
  messages: readonly EncodedMessage[],
  reader: Reader,
  rest: Record<string, unknown>,
): EncodedReply {
  const pieces = messages.map(({ message, encoded }) => encoded + encodeEnd(reader.flagsOf(message)))
  return new EncodedReply(`${PAGE_START}${pieces.join(',')}${encodePageEnd(rest)}`)
}

/** A page from memory: of bytes, since a hundred messages would be encoded in UTF-8 again at each reply. */
function encodeNewest(messages: readonly NewestMessage[], isOldestFound: boolean): Buffer {
  const rest = describePage(NEWEST, [], isOldestFound, true)
  const pieces: Buffer[] = [Buffer.from(PAGE_START)]
  for (const [index, { encoded, flags }] of messages.entries()) {
    pieces.push(
      encoded,
      Buffer.from(index === messages.length - 1 ? encodeEnd(flags) : `${encodeEnd(flags)},`),
    )
  }
  return Buffer.concat([...pieces, Buffer.from(encodePageEnd(rest))])
}

function encodePageEnd(rest: Record<string, unknown>): string {
  const fields = JSON.stringify(rest).slice(1, -1)
  return `]${fields === '' ? '' : `,${fields}`}}`
}

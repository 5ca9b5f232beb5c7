/** `GET /messages`: a page of messages around an anchor. */

import type { Sql } from '../../../../db/connection/connect.ts'
import { readMessagesById } from '../../../../db/messages/message-pages.ts'
import type { Message } from '../../../domain/entities.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { MESSAGES_PER_PAGE_MAX } from '../../../../packages/rules/limits.ts'
import { FITTING_MESSAGES_MAX, RANKED_MATCHES_MAX } from '../../../domain/limits.ts'
import { NEWEST, type PageBounds } from '../../../domain/messages/page-bounds.ts'
import { ROLES } from '../../../../packages/rules/roles.ts'
import { isVisitor } from '../../../../packages/rules/organization.ts'
import type { SearchWord } from '../../../domain/search/search-query.ts'
import { encodeMatch } from '../../../views/match-view.ts'
import { encodeFitting, encodePage, type PageView } from '../../../views/message-page.ts'
import type { MessageViewOptions } from '../../../views/message-view.ts'
import { type Flagging, flagsFor } from '../../narrow/flags-for.ts'
import { checkVisitorNarrow } from '../../narrow/visitor-narrow.ts'
import { findOpenPlace, narrowType, resolveNarrow } from '../../narrow/find-messages.ts'
import { type Call, EncodedReply, operation } from '../../operation.ts'
import { boolean, defaulted, id, integer, list, oneOf, optional, text } from '../../params.ts'
import { hasWords, rankByFit, readMatches } from '../../narrow/read-fitting.ts'
import { readInTurn } from '../../narrow/read-in-turn.ts'
import { readOld } from '../../narrow/read-old.ts'
import { type PageSource, parseAnchor, readPage, resolveAnchor, spanOf } from '../../narrow/read-page.ts'
import { arrayOf, BOOLEAN, INTEGER } from '../../../domain/json-schema.ts'
import { MESSAGE } from '../../../views/message-view.ts'

const params = {
  anchor: optional(
    text({ lengthMax: 100, trim: true }),
    'A message id, or `newest`, `oldest`, `first_unread` or `date`.',
  ),
  anchor_date: optional(text({ lengthMax: 100, trim: true }), 'With the anchor `date`: a time by ISO 8601.'),
  use_first_unread_anchor: defaulted(boolean(), false, 'Older form of the anchor `first_unread`.', {
    isDeprecated: true,
  }),
  include_anchor: defaulted(boolean(), true, 'Whether to include the message of the anchor.'),
  num_before: defaulted(integer({ min: 0 }), 0, 'The number of messages before the anchor.'),
  num_after: defaulted(integer({ min: 0 }), 0, 'The number of messages after the anchor.'),
  narrow: defaulted(narrowType, [], 'Terms of operators and operands, all of which must match.'),
  client_gravatar: defaulted(
    boolean(),
    true,
    'Whether gravatar addresses may be null, for clients that compute them.',
  ),
  apply_markdown: defaulted(boolean(), true, 'Whether content is HTML rather than Markdown.'),
  message_ids: optional(
    list(id<MessageId>(), { lengthMax: MESSAGES_PER_PAGE_MAX }),
    'These messages instead of a page, without those that the user cannot read.',
  ),
  allow_empty_topic_name: defaulted(boolean(), false, 'Whether the empty topic is sent as empty.'),
  sort: defaulted(
    oneOf('time', 'fit'),
    'time',
    `With \`fit\`, the ${RANKED_MATCHES_MAX} newest matches of a search are compared, and up to \`num_before\` of them ` +
      `(at most ${FITTING_MESSAGES_MAX}) are returned, the best one first. The anchor is \`newest\`, or left out.`,
  ),
}

export const getMessages = operation({
  method: 'GET',
  path: '/messages',
  summary: 'Get messages',
  description:
    'A page of the messages that match a narrow, around an anchor. Without a channel in the narrow, only ' +
    'messages that the user has received match. Visitors read the messages of web-public channels: their narrow ' +
    'needs the term `channels:web-public` or one of these channels.',
  access: 'visitor',
  params,
  reply: {
    messages: {
      schema: arrayOf(MESSAGE),
      description: 'The messages, oldest first; sorted by fit, the best one first.',
    },
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
      description: 'Whether a plan hides older messages: always false.',
      isOptional: true,
    },
    ranked_count: {
      schema: INTEGER,
      description: 'Sorted by fit: how many matches were compared.',
      isOptional: true,
    },
    found_all: {
      schema: BOOLEAN,
      description: 'Sorted by fit: whether these were all matches, and not only the newest ones.',
      isOptional: true,
    },
  },
  errors: ['NARROW_INVALID', 'PAGE_TOO_LONG', 'ANCHOR_INVALID', 'ANCHOR_UNEXPECTED', 'SORT_UNAVAILABLE'],
  events: [],
  run(call) {
    const { params, fail } = call
    const { message_ids: ids, num_before: before, num_after: after } = params
    const anchor = anchorOf(call)
    checkVisitorNarrow(params.narrow, call.user, call.services.state, fail)
    if (params.sort === 'fit') return readByFit(call)
    if (ids) {
      if (params.anchor !== undefined) throw fail('ANCHOR_UNEXPECTED')
      return readGiven(call, ids)
    }
    if (before + after > MESSAGES_PER_PAGE_MAX)
      throw fail('PAGE_TOO_LONG', { countMax: MESSAGES_PER_PAGE_MAX })
    if (anchor === undefined) throw fail('PARAMETER_MISSING', { name: 'anchor' })
    const known = parseAnchor(anchor)
    return (known === undefined ? undefined : readHeld(call, known)) ?? readAround(call, anchor)
  },
})

type GetMessages = Call<
  typeof params,
  'NARROW_INVALID' | 'PAGE_TOO_LONG' | 'ANCHOR_INVALID' | 'SORT_UNAVAILABLE'
>

/** Visitors have no unread messages: they begin at the newest. */
function anchorOf({ params, user }: GetMessages): string | undefined {
  const anchor = params.use_first_unread_anchor ? 'first_unread' : params.anchor
  return anchor === 'first_unread' && isVisitor(user) ? 'newest' : anchor
}

function viewOptionsOf({ params, user, userAgent, services }: GetMessages): MessageViewOptions {
  return {
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_gravatar && !isVisitor(user),
    allowEmptyTopic: params.allow_empty_topic_name,
    isGuest: user.role === ROLES.guest,
    viewerId: user.id,
    // Visitors get no list of users.
    namesReactors: services.names.namesReactors || isVisitor(user),
    readsOriginalTypes: services.names.readsOriginalTypes(userAgent),
  }
}

function pageViewOf(call: GetMessages, reader: Flagging, words: readonly SearchWord[] | undefined): PageView {
  const options = viewOptionsOf(call)
  return {
    options,
    flagsOf: (message) => reader.flagsOf(message),
    encodeMatch: words && ((message) => encodeMatch(message, words, options.allowEmptyTopic)),
  }
}

function boundsOf({ params }: GetMessages, anchor: number): PageBounds {
  const { num_before: before, num_after: after, include_anchor: isAnchorIncluded } = params
  return { anchor, before, after, isAnchorIncluded }
}

/** A page of an open channel from memory, in this turn, if all of it is there. */
function readHeld(call: GetMessages, anchor: number): EncodedReply | undefined {
  const { params, user, services } = call
  const { state } = services
  const place = findOpenPlace(params.narrow, user, state)
  if (!place) return undefined
  const reader = flagsFor(user, services)
  if (reader instanceof Promise) return undefined
  const query = {
    ...boundsOf(call, anchor),
    asOf: state.appliedId,
    topic: place.topic,
    options: viewOptionsOf(call),
    flagsOf: (message: Message) => reader.flagsOf(message),
  }
  const page = services.channels.readPage(place.channelId, query)
  return page && new EncodedReply(page)
}

async function readGiven(call: GetMessages, ids: readonly MessageId[]): Promise<EncodedReply> {
  const { params, user, services, fail } = call
  const { query, words } = await resolveNarrow(
    services,
    { state: services.state, caller: user, fail },
    params.narrow,
  )
  const reader = await flagsFor(user, services)
  const messages = await readInTurn(call, query, ({ sql }) => readMessagesById(sql, query, ids))
  if (!messages) throw fail('PAGE_TOO_LONG', { countMax: ids.length - 1 })
  return new EncodedReply(encodePage(messages, services.state, pageViewOf(call, reader, words)))
}

async function readByFit(call: GetMessages): Promise<EncodedReply> {
  const { params, user, services, fail } = call
  const { anchor = 'newest', num_before: count, num_after: after, message_ids: ids } = params
  const isOfNewest = anchor === 'newest' && !params.use_first_unread_anchor
  if (ids || after > 0 || !isOfNewest) throw fail('SORT_UNAVAILABLE')
  if (count > FITTING_MESSAGES_MAX) throw fail('PAGE_TOO_LONG', { countMax: FITTING_MESSAGES_MAX })
  const { query, words } = await resolveNarrow(
    services,
    { state: services.state, caller: user, fail },
    params.narrow,
  )
  if (!hasWords(query)) throw fail('SORT_UNAVAILABLE')
  const reader = await flagsFor(user, services)
  const matches = await readInTurn(call, query, (source) =>
    readOld(call, source, ({ sql }) => readMatches(sql, query)),
  )
  const found = await rankByFit(matches, query, count)
  return new EncodedReply(encodeFitting(found, services.state, pageViewOf(call, reader, words)))
}

async function readAround(call: GetMessages, anchorText: string): Promise<EncodedReply> {
  const { params, user, services, fail } = call
  const { state, channels } = services
  const { query, words } = await resolveNarrow(services, { state, caller: user, fail }, params.narrow)
  const reader = await flagsFor(user, services)
  const readAnchor = async (sql: Sql) => {
    const anchor = await resolveAnchor(anchorText, params.anchor_date, sql, query)
    if (anchor === undefined) throw fail('ANCHOR_INVALID')
    if (anchor === 'no_date') throw fail('PARAMETER_MISSING', { name: 'anchor_date' })
    return anchor
  }
  if (words) {
    const search = async (source: PageSource) => {
      const anchor = await readAnchor(source.sql)
      return { anchor, ...(await readPage(source, query, boundsOf(call, anchor))) }
    }
    const found = await readInTurn(call, query, (source) => readOld(call, source, search))
    return new EncodedReply(encodePage(found.messages, state, pageViewOf(call, reader, words), found))
  }
  const anchor = await readAnchor(services.sql)
  const place = findOpenPlace(params.narrow, user, state)
  if (place) {
    if (anchor === NEWEST) await channels.messagesOf(place.channelId)
    const held = readHeld(call, anchor)
    if (held) return held
  }
  const bounds = boundsOf(call, anchor)
  // Names and rights may have changed since the query: messages that it omits, or finds in another channel, are not
  // cached.
  const isAsAsked =
    place?.channelId === query.filter.channelId && place?.channelId === query.reader.openChannelId
  const hold =
    place && isAsAsked && place.topic === undefined ? channels.expectPage(place.channelId) : undefined
  const read = (source: PageSource) => readPage(source, query, bounds)
  const page = await (anchor === NEWEST ? read(services) : readOld(call, services, read))
  const span = hold && spanOf(bounds, page, query.reader.asOf)
  if (span) hold?.(...span, page.messages)
  return new EncodedReply(
    encodePage(page.messages, state, pageViewOf(call, reader, words), { anchor, ...page }),
  )
}

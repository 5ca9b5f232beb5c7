/** The operators `with` and `near`: the conversation of a message, even after a move. */

import type { Sql } from '../../../db/connection/connect.ts'
import { NO_FILTER } from '../../../db/messages/message-filter.ts'
import { readMessagesById } from '../../../db/messages/message-pages.ts'
import { findMessageChannel } from '../../../db/messages/messages.ts'
import { readableHistory } from '../../../packages/rules/channels.ts'
import type { Destination } from '../../domain/entities.ts'
import type { MessageId } from '../../domain/ids.ts'
import { findOperator, type NarrowOperator } from '../../../packages/rules/narrows.ts'
import { readerOf } from '../../decisions/messages/message-access.ts'
import type { Scope } from '../../decisions/scope.ts'
import { topicKey } from '../../../packages/rules/topics.ts'
import { parseTopic } from '../../domain/messages/topics.ts'
import { findChannel } from './find-channel.ts'
import { type NarrowTerm, parseMessageId } from './narrow-operands.ts'

/** Operators that name a place; a `with` that names a message does it instead. */
const PLACE_OPERATORS: ReadonlySet<NarrowOperator | undefined> = new Set(['channel', 'topic', 'dm'])

/** The reader of a narrow, and its errors. */
export type NarrowScope = Pick<Scope<'NARROW_INVALID'>, 'state' | 'caller' | 'fail'>

/**
 * The narrow with the place of the message that `with` names instead of its own place. If the user cannot read the
 * message, or it does not exist, the narrow's own place stays.
 */
export async function placeOfMessage(
  sql: Sql,
  scope: NarrowScope,
  terms: readonly NarrowTerm[],
): Promise<readonly NarrowTerm[]> {
  const { fail } = scope
  const named = terms.filter(({ operator }) => findOperator(operator) === 'with')
  const [term] = named
  if (!term) return placeNear(sql, scope, terms)
  if (named.length > 1) throw fail('NARROW_INVALID', { reason: "more than one 'with'" })
  if (term.negated) throw fail('NARROW_INVALID', { reason: "'with' cannot be negated" })
  const id = parseMessageId(term.operand)
  const destination = id === undefined ? undefined : await findDestination(sql, scope, id as MessageId)
  if (destination) return withPlace(terms, destination)
  const operators = new Set(
    terms.filter(({ negated }) => !negated).map(({ operator }) => findOperator(operator)),
  )
  const isPlaceNamed = operators.has('dm') || (operators.has('channel') && operators.has('topic'))
  if (id === undefined || !isPlaceNamed)
    throw fail('NARROW_INVALID', { reason: `unknown message ${JSON.stringify(term.operand)}` })
  return terms
}

/**
 * A link to a message has the topic of the day when it was copied. If the message has left that topic, `near` leads to its
 * present conversation; in other narrows it only positions a client's view.
 */
async function placeNear(
  sql: Sql,
  scope: NarrowScope,
  terms: readonly NarrowTerm[],
): Promise<readonly NarrowTerm[]> {
  const find = (name: NarrowOperator) =>
    terms.find(({ operator, negated }) => !negated && findOperator(operator) === name)
  const [near, channel, topic] = [find('near'), find('channel'), find('topic')]
  const id = near && parseMessageId(near.operand)
  if (id === undefined || !channel || !topic) return terms
  const destination = await findDestination(sql, scope, id as MessageId)
  if (destination?.kind !== 'channel') return terms
  const isThere =
    findChannel(channel.operand, scope.caller, scope.state)?.channel.id === destination.channelId &&
    topicKey(parseTopic(String(topic.operand))) === topicKey(destination.topic)
  return isThere ? terms : withPlace(terms, destination)
}

function withPlace(terms: readonly NarrowTerm[], destination: Destination): readonly NarrowTerm[] {
  const others = terms.filter(
    ({ operator, negated }) => negated || !PLACE_OPERATORS.has(findOperator(operator)),
  )
  return [...others, ...termsOf(destination)]
}

async function findDestination(
  sql: Sql,
  scope: NarrowScope,
  id: MessageId,
): Promise<Destination | undefined> {
  const { state, caller } = scope
  const channelId = await findMessageChannel(sql, id)
  const channel = channelId === undefined ? undefined : state.findReadableChannel(caller, channelId)
  const isOpen = channel !== undefined && readableHistory(caller, channel, state.rights) === 'all'
  const reader = { ...readerOf(scope), openChannelId: isOpen ? channelId : undefined }
  const found = await readMessagesById(sql, { reader, filter: NO_FILTER }, [id])
  return found?.[0]?.destination
}

function termsOf(destination: Destination): NarrowTerm[] {
  const term = (operator: string, operand: NarrowTerm['operand']) => ({ operator, operand, negated: false })
  return destination.kind === 'channel'
    ? [term('channel', destination.channelId), term('topic', destination.topic)]
    : [term('dm', destination.userIds)]
}

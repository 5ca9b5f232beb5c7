/** Resolves narrows into the conditions and rights of a query. */

import { readableHistory } from '../../../packages/rules/channels.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import {
  combineConditions,
  type MessageCondition,
  type MessageFilter,
} from '../../../db/messages/message-filter.ts'
import type { MessageQuery } from '../../../db/messages/message-query.ts'
import type { Conversations } from '../../actors/conversation.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { findOperator } from '../../../packages/rules/narrows.ts'
import type { NarrowTerm } from './narrow-operands.ts'
import { parseSearch, SEARCH_WORDS_MAX, type SearchWord } from '../../domain/search/search-query.ts'
import { parseTopic } from '../../domain/messages/topics.ts'

import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'
import { readerOf } from '../../decisions/messages/message-access.ts'
import { anyOf, boolean, defaulted, integer, list, object, required, type Type, text } from '../params.ts'
import { findChannel } from './find-channel.ts'
import { openChannelIds } from './narrow-operands.ts'
import { type NarrowScope, placeOfMessage } from './narrow-with.ts'
import { resolveTerm, unknownOperand } from './resolve-term.ts'

const NARROW_TERMS_MAX = 50 // Clients send a handful; each is one condition of the query.
const OPERAND_LENGTH_MAX = 1_000

const operand = anyOf(
  text({ lengthMax: OPERAND_LENGTH_MAX }),
  integer(),
  list(anyOf(text({ lengthMax: OPERAND_LENGTH_MAX }), integer()), { lengthMax: 100 }),
)
const termObject = object({
  operator: required(text({ lengthMax: 100 }), 'What is compared.'),
  operand: required(operand, 'With what.'),
  negated: defaulted(boolean(), false, 'Whether it must not match.'),
})

/** A narrow: objects, or pairs of operator and operand. */
export const narrowType: Type<readonly NarrowTerm[]> = list(
  {
    isText: false,
    schema: { anyOf: [termObject.schema, { type: 'array', minItems: 2, maxItems: 2 }] },
    check(value, name) {
      if (!Array.isArray(value)) return termObject.check(value, name)
      const [operator, second] = list(operand, { lengthMax: 2 }).check(value, name)
      return termObject.check({ operator, operand: second }, name)
    },
  },
  { lengthMax: NARROW_TERMS_MAX },
)

/** A resolved narrow. */
export interface ResolvedNarrow {
  readonly query: MessageQuery
  /** The searched words, to highlight in results; undefined without a search. */
  readonly words: readonly SearchWord[] | undefined
}

/** Resolves the names in a narrow, limited to those that the reader may know. */
export async function resolveNarrow(
  { conversations, sql }: { readonly conversations: Conversations; readonly sql: Sql },
  scope: NarrowScope,
  terms: readonly NarrowTerm[],
): Promise<ResolvedNarrow> {
  const { state, caller: user } = scope
  const conditions: MessageCondition[] = [...searchConditions(terms, scope.fail)]
  for (const term of await placeOfMessage(sql, scope, terms)) {
    const condition = await resolveTerm({ conversations, sql, scope }, term)
    if (condition) conditions.push(condition)
  }
  const filter = combineConditions(conditions)
  // Rights and names are read after the last await, so that all are of the same moment.
  const open = filter.channelId === undefined ? undefined : state.findReadableChannel(user, filter.channelId)
  const isOpen = open !== undefined && readableHistory(user, open, state.rights) === 'all'
  const reader = {
    ...readerOf({ state, caller: user }),
    openChannelId: isOpen ? open.channel.id : undefined,
    openChannelIds: openChannelIds(terms, user, state),
  }
  return {
    query: { reader, filter },
    words: filter.searches.length > 0 ? wordsOf(filter) : undefined,
  }
}

/** The channel or topic that is all of a narrow, if the reader may read its whole history. */
export function findOpenPlace(
  terms: readonly NarrowTerm[],
  user: User,
  state: OrganizationState,
): { readonly channelId: ChannelId; readonly topic: string | undefined } | undefined {
  let open: ChannelState | undefined
  let topic: string | undefined
  for (const { operator, operand, negated } of terms) {
    const name = negated ? undefined : findOperator(operator)
    if (name === 'channel' && !open) {
      open = findChannel(operand, user, state)
      if (!open) return undefined // Another term may name an existing channel; this one is refused all the same.
    } else if (name === 'topic' && topic === undefined) topic = parseTopic(String(operand))
    else return undefined
  }
  if (!open || readableHistory(user, open, state.rights) !== 'all') return undefined
  return { channelId: open.channel.id, topic }
}

/** The conditions of all searches, which share a limit. */
function searchConditions(
  terms: readonly NarrowTerm[],
  fail: Fail<'NARROW_INVALID'>,
): readonly MessageCondition[] {
  const conditions = terms
    .filter(({ operator }) => findOperator(operator) === 'search')
    .map((term) => {
      if (typeof term.operand !== 'string') throw fail('NARROW_INVALID', { reason: unknownOperand(term) })
      return { kind: 'search' as const, value: parseSearch(term.operand), isNegated: term.negated }
    })
  const count = conditions.reduce((sum, { value }) => sum + value.length, 0)
  if (count > SEARCH_WORDS_MAX)
    throw fail('NARROW_INVALID', { reason: `too many words to search for (maximum ${SEARCH_WORDS_MAX})` })
  // An empty search excludes nothing, like an empty field of a client.
  return conditions.filter(({ value }) => value.length > 0)
}

function wordsOf({ searches }: MessageFilter): SearchWord[] {
  return searches.filter(({ isNegated }) => !isNegated).flatMap(({ words }) => words)
}

/** The narrows that visitors may ask for: only web-public channels, and only by what is public about their messages. */

import { isVisitor } from '../../domain/users/visitor.ts'
import { findOperator, type NarrowOperator } from '../../domain/messages/narrow.ts'
import type { NarrowTerm } from '../../domain/messages/narrow.ts'
import type { User } from '../../domain/entities.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'
import { findChannel } from './find-channel.ts'

/** The others ask about the reader: their conversations, their marks, their topics. */
const OPERATORS: ReadonlySet<NarrowOperator | undefined> = new Set([
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
])

/**
 * Refuses a visitor's narrow, as a request without credentials, unless it names web-public channels or one of them. The
 * rights of the query decide all the same: this check only gives the answer that clients know.
 */
export function checkVisitorNarrow(
  terms: readonly NarrowTerm[],
  caller: User,
  state: OrganizationState,
  fail: Fail<'AUTHORIZATION_MISSING'>,
): void {
  if (!isVisitor(caller)) return
  const isAllowed = terms.every(({ operator }) => OPERATORS.has(findOperator(operator)))
  const isPublic = terms.some(({ operator, operand, negated }) => {
    if (negated) return false
    const name = findOperator(operator)
    if (name === 'channels') return operand === 'web-public'
    return name === 'channel' && findChannel(operand, caller, state) !== undefined
  })
  if (!isAllowed || !isPublic) throw fail('AUTHORIZATION_MISSING')
}

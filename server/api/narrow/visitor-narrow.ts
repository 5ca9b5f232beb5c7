/** The narrows that visitors may ask for: only web-public channels, and only by what is public about their messages. */

import { isVisitor } from '../../../packages/rules/organization.ts'
import { findOperator, isForVisitors } from '../../../packages/rules/narrows.ts'
import type { NarrowTerm } from './narrow-operands.ts'
import type { User } from '../../domain/entities.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'
import { findChannel } from './find-channel.ts'

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
  const isAllowed = terms.every(({ operator }) => isForVisitors(findOperator(operator)))
  const isPublic = terms.some(({ operator, operand, negated }) => {
    if (negated) return false
    const name = findOperator(operator)
    if (name === 'channels') return operand === 'web-public'
    return name === 'channel' && findChannel(operand, caller, state) !== undefined
  })
  if (!isAllowed || !isPublic) throw fail('AUTHORIZATION_MISSING')
}

/** Searches as people type them: words, and operators such as `channel:plans`. */

import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import { nameOf } from '../derived/users.ts'
import type { Narrow, Term } from '../narrows/narrow.ts'

/** The text of a search, as it would be typed. */
export function writeSearch(state: State, narrow: Narrow): string {
  return narrow.map((one) => (one.isNegated ? '-' : '') + writeTerm(state, one)).join(' ')
}

/** An operator with a name in quotes where the name needs them. */
export function withOperand(operator: string, name: string): string {
  return `${operator}:${/\s/.test(name) ? `"${name}"` : name}`
}

function writeTerm(state: State, { operator, operand }: Term): string {
  switch (operator) {
    case 'search':
      return operand
    case 'channel': {
      const name = typeof operand === 'number' ? channelsById(state).get(operand)?.channel.name : operand
      return withOperand('channel', name ?? String(operand))
    }
    case 'sender':
      return withOperand('sender', typeof operand === 'number' ? nameOf(state, operand) : operand)
    case 'dm':
    case 'dm-including':
      return withOperand(operator, operand.map((id) => nameOf(state, id)).join(','))
    default:
      return withOperand(operator, String(operand))
  }
}

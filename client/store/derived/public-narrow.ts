/** The narrows that visitors may read. */

import { isForVisitors } from '../../../packages/rules/narrows.ts'
import type { State } from '../apply.ts'
import { type Narrow, term } from '../narrows/narrow.ts'
import { channelsById } from './channels.ts'

/** Whether a visitor may read a narrow, as far as the state shows. */
export function isPublic(state: State, narrow: Narrow): boolean {
  const channels = channelsById(state)
  return narrow.every(({ operator, operand }) => {
    if (!isForVisitors(operator)) return false
    if (operator !== 'channel') return true
    return typeof operand === 'number'
      ? channels.has(operand)
      : [...channels.values()].some(({ channel }) => channel.name === operand)
  })
}

/** The narrow as the server answers it: a visitor's has to say that it is about public channels. */
export function toPublic(narrow: Narrow): Narrow {
  const isNamed = narrow.some(({ operator, isNegated }) => operator === 'channel' && !isNegated)
  return isNamed ? narrow : [...narrow, term('channels', 'web-public')]
}

/** Whether a narrow is a search: its messages lie apart from each other, so that each shows its place. */

import type { Narrow } from './narrow.ts'

const PLACES: ReadonlySet<string> = new Set(['channel', 'topic', 'dm', 'near', 'with'])

export function isSearch(narrow: Narrow): boolean {
  const others = narrow.filter(({ operator, isNegated }) => isNegated || !PLACES.has(operator))
  const [first] = others
  const isView = others.length === 1 && narrow.length <= 2 && first?.operator === 'is' && !first.isNegated
  return others.length > 0 && !(isView && ['mentioned', 'starred', 'dm'].includes(first.operand))
}

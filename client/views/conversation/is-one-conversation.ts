/** Whether all messages of a narrow are of one topic, or of one group of people. */

import type { Narrow } from '../../store/narrows/narrow.ts'

export function isOneConversation(narrow: Narrow): boolean {
  const operators = narrow.map(({ operator, isNegated }) => (isNegated ? '' : operator))
  return operators.includes('dm') || (operators.includes('channel') && operators.includes('topic'))
}

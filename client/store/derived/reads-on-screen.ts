/** Whether messages count as read once they were on the screen, by the setting of the user. */

import type { State } from '../apply.ts'
import type { Narrow } from '../narrows/narrow.ts'

/** Values of `web_mark_read_on_scroll_policy`; the third is never. */
const ALWAYS = 1
const IN_CONVERSATIONS = 2

export function readsOnScreen(state: State, narrow: Narrow): boolean {
  const policy = state.user_settings?.web_mark_read_on_scroll_policy ?? ALWAYS
  return policy === ALWAYS || (policy === IN_CONVERSATIONS && isOneConversation(narrow))
}

/** Whether all messages of a narrow are of one topic, or of one group of people. */
export function isOneConversation(narrow: Narrow): boolean {
  const operators = narrow.map(({ operator, isNegated }) => (isNegated ? '' : operator))
  return operators.includes('dm') || (operators.includes('channel') && operators.includes('topic'))
}

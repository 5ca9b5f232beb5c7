/** Whether an event may bring messages into a narrow that were outside before. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { Event } from '../../../packages/client/src/wire-types.ts'
import type { Narrow } from '../narrows/narrow.ts'
import { FLAG_OF } from './match-narrow.ts'

/** May be true too often: then the window is loaded anew. */
export function mayEnter(narrow: Narrow, event: Event): boolean {
  if (event.type === 'update_message_flags') {
    const isFlag = (name: string) => FLAG_OF.get(name)?.includes(event.flag) === true
    return event.op === 'add' && narrow.some(({ operator, operand }) => operator === 'is' && isFlag(operand))
  }
  if (event.type !== 'update_message') return false
  const { subject, new_stream_id: movedTo, flags } = event
  if (subject === undefined && movedTo === undefined) {
    const isFlagged = (name: string) => flags.some((flag) => FLAG_OF.get(name)?.includes(flag))
    return narrow.some(({ operator, operand }) => operator === 'is' && isFlagged(operand))
  }
  const isOfPlace = narrow.some(({ operator }) => operator === 'channel' || operator === 'topic')
  return (
    isOfPlace &&
    narrow.every(({ operator, operand, isNegated }) => {
      if (isNegated) return true
      if (operator === 'channel')
        return typeof operand !== 'number' || operand === (movedTo ?? event.stream_id)
      if (operator === 'topic') return subject === undefined || topicKey(operand) === topicKey(subject)
      return operator !== 'dm' && operator !== 'dm-including'
    })
  )
}

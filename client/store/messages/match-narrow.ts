/** Whether a message belongs to a narrow, as far as a client can decide it. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { Narrow, Term } from '../narrows/narrow.ts'

/** Undefined if only the server can decide, as for a search. */
export function matchNarrow(narrow: Narrow, message: Message, ownId: number): boolean | undefined {
  let isUndecided = false
  for (const term of narrow) {
    const matches = matchTerm(term, message, ownId)
    if (matches === undefined) isUndecided = true
    else if (matches === term.isNegated) return false
  }
  return isUndecided ? undefined : true
}

/** The flags of messages, by the operand of `is`. */
export const FLAG_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['starred', ['starred']],
  ['mentioned', ['mentioned', 'wildcard_mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']],
  ['alerted', ['has_alert_word']],
])

function matchTerm({ operator, operand }: Term, message: Message, ownId: number): boolean | undefined {
  switch (operator) {
    case 'channel':
      return typeof operand === 'number' ? message.stream_id === operand : undefined
    case 'topic':
      return message.type === 'stream' && topicKey(message.subject) === topicKey(operand)
    case 'sender':
      return typeof operand === 'number' ? message.sender_id === operand : undefined
    case 'dm': {
      const wanted = operand.filter((id) => id !== ownId)
      const others = otherIdsOf(message, ownId)
      return others?.length === wanted.length && wanted.every((id) => others.includes(id))
    }
    case 'dm-including': {
      const others = otherIdsOf(message, ownId)
      return others !== undefined && operand.every((id) => id === ownId || others.includes(id))
    }
    case 'id':
      return message.id === operand
    case 'is': {
      if (operand === 'dm') return message.type === 'private'
      const flags = FLAG_OF.get(operand)
      return flags && message.flags.some((flag) => flags.includes(flag))
    }
    default:
      return undefined
  }
}

/** The other people of a direct message; undefined in a channel. */
export function otherIdsOf(
  { display_recipient: recipient }: Pick<Message, 'display_recipient'>,
  ownId: number,
): readonly number[] | undefined {
  if (typeof recipient === 'string') return undefined
  return recipient.map(({ id }) => id).filter((id) => id !== ownId)
}

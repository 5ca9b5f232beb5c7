/** Narrows of event queues: which messages a queue receives. */

import type { MessageSent } from '../events/messages.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import { parseTopic } from './topics.ts'
import { isResolved, topicKey } from '../../../packages/rules/topics.ts'

/** An operator with its operand, as registered. */
export type EventNarrowTerm = readonly [operator: string, operand: string]

/** Names that the terms of a narrow are compared with. */
export interface NarrowNames {
  channelName(message: MessageSent): string | undefined
  senderEmail(message: MessageSent): string
  /** Whether the recipient has muted the message's topic or channel. */
  isMuted(message: MessageSent): boolean
}

const OPERATORS = ['channel', 'stream', 'topic', 'sender', 'is']
/** Operands of `is` that clients know from other narrows, and queues do not have; unknown ones match nothing. */
const REFUSED_OPERANDS = ['followed']

/** The first operator that event queues do not support, or operand of `is`; undefined if there is none. */
export function findUnsupported(
  terms: readonly EventNarrowTerm[],
): { readonly operator: string } | { readonly operand: string } | undefined {
  for (const [operator, operand] of terms) {
    if (!OPERATORS.includes(operator)) return { operator }
    if (operator === 'is' && REFUSED_OPERANDS.includes(operand)) return { operand }
  }
  return undefined
}

/** Whether a message with the recipient's flags matches every term. */
export function matchesEventNarrow(
  terms: readonly EventNarrowTerm[],
  message: MessageSent,
  flags: readonly string[],
  names: NarrowNames,
): boolean {
  return terms.every(([operator, operand]) => {
    switch (operator) {
      case 'channel':
      case 'stream':
        return (
          message.channelId !== null &&
          (String(message.channelId) === operand ||
            foldCase(names.channelName(message) ?? '') === foldCase(operand))
        )
      case 'topic':
        return message.channelId !== null && topicKey(message.topic) === topicKey(parseTopic(operand))
      case 'sender':
        return (
          String(message.senderId) === operand || foldCase(names.senderEmail(message)) === foldCase(operand)
        )
      default:
        return hasProperty(operand, message, flags, names)
    }
  })
}

function hasProperty(
  operand: string,
  message: MessageSent,
  flags: readonly string[],
  names: NarrowNames,
): boolean {
  switch (operand) {
    case 'dm':
    case 'private':
      return message.channelId === null
    case 'unread':
      return !flags.includes('read')
    case 'starred':
      return flags.includes('starred')
    case 'mentioned':
      return flags.includes('mentioned')
    case 'alerted':
      return flags.includes('has_alert_word')
    case 'muted':
      return names.isMuted(message)
    case 'resolved':
      return message.channelId !== null && isResolved(message.topic)
    default:
      return false
  }
}

/** Narrows: the messages that a view shows, as terms that all must hold. */

import type { NarrowOperator } from '../../../packages/rules/narrows.ts'
import { topicKey } from '../../../packages/rules/topics.ts'

/** The operand of each operator. Ids are numbers; in old links a channel or sender may be a name. */
interface Operands extends Readonly<Record<NarrowOperator, unknown>> {
  readonly channel: number | string
  readonly channels: string
  readonly topic: string
  readonly sender: number | string
  readonly dm: readonly number[]
  readonly 'dm-including': readonly number[]
  readonly id: number
  readonly near: number
  readonly with: number
  readonly is: string
  readonly in: string
  readonly has: string
  readonly search: string
}

/** The operator of a term. */
export type Operator = keyof Operands

/** One condition. */
export type Term = {
  [Name in Operator]: {
    readonly operator: Name
    readonly operand: Operands[Name]
    readonly isNegated: boolean
  }
}[Operator]

/** An empty narrow is the feed of all messages. */
export type Narrow = readonly Term[]

/** A term without negation. */
export function term<Name extends Operator>(operator: Name, operand: Operands[Name]): Term {
  return { operator, operand, isNegated: false } as Term
}

export const ofChannel = (channelId: number): Narrow => [term('channel', channelId)]
export const ofTopic = (channelId: number, topic: string): Narrow => [
  term('channel', channelId),
  term('topic', topic),
]
export const ofDirect = (otherIds: readonly number[]): Narrow => [term('dm', ascending(otherIds))]
export const MENTIONS: Narrow = [term('is', 'mentioned')]
export const STARRED: Narrow = [term('is', 'starred')]

/** A narrow as an address has it, in parts. */
interface SplitNarrow {
  /** The narrow without the terms of a link. */
  readonly narrow: Narrow
  /** The message to open it at. */
  readonly nearId: number | undefined
  /** The message whose conversation the link means, whatever that is called by now. */
  readonly linkedId: number | undefined
}

/** Takes `near` out, and `with` where the narrow says by itself which conversation was meant. */
export function splitNear(narrow: Narrow): SplitNarrow {
  const near = narrow.find(({ operator }) => operator === 'near')
  const linked = narrow.find(({ operator }) => operator === 'with')
  const nearId = near?.operator === 'near' ? near.operand : undefined
  const linkedId = linked?.operator === 'with' ? linked.operand : nearId
  const left = narrow.filter((one) => one !== near && one !== linked)
  if (!linked || left.some(({ operator }) => operator === 'topic' || operator === 'dm'))
    return { narrow: near || linked ? left : narrow, nearId, linkedId }
  return { narrow: near ? narrow.filter((one) => one !== near) : narrow, nearId, linkedId }
}

/** Two narrows with the same key show the same messages. */
export function keyOf(narrow: Narrow): string {
  const parts = narrow.map(({ operator, operand, isNegated }) => {
    const value = operator === 'topic' ? topicKey(operand) : operand
    return JSON.stringify([isNegated ? `-${operator}` : operator, value])
  })
  return parts.sort().join()
}

/** The terms in the form of the API. */
export function toApi(narrow: Narrow) {
  return narrow.map(({ operator, operand, isNegated }) => ({ operator, operand, negated: isNegated }))
}

export function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Narrows: which messages a reader asks for. */

/** One term as a client sends it, in either of its two forms. */
export interface NarrowTerm {
  readonly operator: string
  readonly operand: string | number | readonly (string | number)[]
  readonly negated: boolean
}

/** Operators in their present spelling, by every spelling. */
const OPERATORS: ReadonlyMap<string, NarrowOperator> = new Map([
  ['channel', 'channel'],
  ['stream', 'channel'],
  ['topic', 'topic'],
  ['subject', 'topic'],
  ['sender', 'sender'],
  ['from', 'sender'],
  ['dm', 'dm'],
  ['pm-with', 'dm'],
  ['is', 'is'],
])

export type NarrowOperator = 'channel' | 'topic' | 'sender' | 'dm' | 'is'

/** The operator that a spelling stands for, or undefined for one that is not known. */
export function findOperator(spelling: string): NarrowOperator | undefined {
  return OPERATORS.get(spelling)
}

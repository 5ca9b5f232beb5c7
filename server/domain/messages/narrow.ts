/** Narrows: the messages that a reader asks for. */

/** One term as a client sends it, in either of its two forms. */
export interface NarrowTerm {
  readonly operator: string
  readonly operand: string | number | readonly (string | number)[]
  readonly negated: boolean
}

/** Current names of operators, by every spelling. */
const OPERATORS: ReadonlyMap<string, NarrowOperator> = new Map([
  ['channel', 'channel'],
  ['stream', 'channel'],
  ['channels', 'channels'],
  ['streams', 'channels'],
  ['topic', 'topic'],
  ['subject', 'topic'],
  ['sender', 'sender'],
  ['from', 'sender'],
  ['dm', 'dm'],
  ['pm-with', 'dm'],
  ['dm-including', 'dm-including'],
  ['group-pm-with', 'dm-including'],
  ['id', 'id'],
  ['near', 'near'],
  ['with', 'with'],
  ['is', 'is'],
  ['in', 'in'],
  ['has', 'has'],
  ['search', 'search'],
])

export type NarrowOperator =
  | 'channel'
  | 'channels'
  | 'topic'
  | 'sender'
  | 'dm'
  | 'dm-including'
  | 'id'
  | 'near'
  | 'with'
  | 'is'
  | 'in'
  | 'has'
  | 'search'

/** Operators that name a place; a `with` that names a message does it instead. */
export const PLACE_OPERATORS: ReadonlySet<NarrowOperator | undefined> = new Set(['channel', 'topic', 'dm'])

/** The operator of a spelling, or undefined. */
export function findOperator(spelling: string): NarrowOperator | undefined {
  return OPERATORS.get(spelling)
}

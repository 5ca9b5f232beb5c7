/** The operators of narrows, which say the messages that a reader asks for. */

const OPERATORS = [
  'channel',
  'channels',
  'topic',
  'sender',
  'dm',
  'dm-including',
  'id',
  'near',
  'with',
  'is',
  'in',
  'has',
  'search',
] as const
export type NarrowOperator = (typeof OPERATORS)[number]

const BY_SPELLING: ReadonlyMap<string, NarrowOperator> = new Map<string, NarrowOperator>([
  ...OPERATORS.map((name) => [name, name] as const),
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['subject', 'topic'],
  ['from', 'sender'],
  ['pm-with', 'dm'],
  ['group-pm-with', 'dm-including'],
])

/** The operator of a spelling, also of an older one, or undefined. */
export function findOperator(spelling: string): NarrowOperator | undefined {
  return BY_SPELLING.get(spelling)
}

/** Operators that ask about the reader: their conversations, their marks, their topics. Visitors have none of these. */
const PERSONAL: readonly (NarrowOperator | undefined)[] = ['dm', 'dm-including', 'is', 'in']

/** Whether visitors may ask for an operator. */
export function isForVisitors(operator: NarrowOperator | undefined): boolean {
  return operator !== undefined && !PERSONAL.includes(operator)
}

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

const OLDER_SPELLINGS: ReadonlyMap<string, NarrowOperator> = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['subject', 'topic'],
  ['from', 'sender'],
  ['pm-with', 'dm'],
  ['group-pm-with', 'dm-including'],
])

/** The present spelling of an operator; other texts stay as they are. */
export function currentSpelling(spelling: string): string {
  return OLDER_SPELLINGS.get(spelling) ?? spelling
}

/** The operator of a spelling, also of an older one, or undefined. */
export function findOperator(spelling: string): NarrowOperator | undefined {
  const current = currentSpelling(spelling)
  return OPERATORS.find((name) => name === current)
}

/**
 * Operators that ask about the reader: their conversations, their marks, their topics. Visitors have none of these, and no
 * unknown ones.
 */
const PERSONAL: readonly (NarrowOperator | undefined)[] = ['dm', 'dm-including', 'is', 'in', undefined]

/** Whether visitors may ask for an operator. */
export function isForVisitors(operator: NarrowOperator | undefined): boolean {
  return !PERSONAL.includes(operator)
}

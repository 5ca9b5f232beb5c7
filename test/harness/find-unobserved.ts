/** Holds the table of operations against what the tests saw happen. */

import { operationsOf } from '../../server/api/table.ts'

const OPERATIONS = operationsOf(true)

/** Declared successes, errors and events that no test observed, one line each. */
export function findUnobserved(observed: ReadonlySet<string>): string[] {
  const expected = OPERATIONS.flatMap(({ method, path, errors, events, isUnavailable }) => [
    ...(isUnavailable ? [] : [`${method} ${path} success`]),
    ...errors.map((name) => `${method} ${path} ${name}`),
    ...events.map((type) => `event ${type}`),
  ])
  return [...new Set(expected)].filter((line) => !observed.has(line))
}

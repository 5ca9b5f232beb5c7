/** Compares the table of operations with the observations of the tests. */

import { operationsOf } from '../../server/api/table.ts'
import { COMMON_ERRORS } from '../../server/errors/api-error.ts'

const OPERATIONS = operationsOf(true)

/** Declared successes, errors and events that no test observed, one line each. */
export function findUnobserved(observed: ReadonlySet<string>): string[] {
  const expected = OPERATIONS.flatMap(({ method, path, errors, events }) => [
    `${method} ${path} success`,
    ...errors.map((name) => `${method} ${path} ${name}`),
    ...events.map((type) => `event ${type}`),
  ])
  return [...new Set(expected)].filter((line) => !observed.has(line))
}

/** Observed failures that neither the operation nor every operation declares. */
export function findUndeclared(observed: ReadonlySet<string>): string[] {
  const declared = new Set(
    OPERATIONS.flatMap(({ method, path, errors }) =>
      ['success', ...errors, ...COMMON_ERRORS].map((outcome) => `${method} ${path} ${outcome}`),
    ),
  )
  return [...observed].filter((line) => /^[A-Z]+ \//.test(line) && !declared.has(line))
}

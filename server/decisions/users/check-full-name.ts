/** Checks names of people and bots. */

import { findNameFault } from '../../domain/users/full-names.ts'
import type { ErrorName } from '../../errors/api-error.ts'
import type { Scope } from '../scope.ts'

const FAULTS = {
  too_long: 'NAME_TOO_LONG',
  too_short: 'NAME_TOO_SHORT',
  character: 'NAME_CHARACTER',
  format: 'NAME_FORMAT',
} as const satisfies Record<string, ErrorName>

/** How a name can be invalid. */
export const FULL_NAME_ERRORS = Object.values(FAULTS)

/** Throws if a name is not valid for any user. */
export function checkFullName(
  { fail }: Pick<Scope<(typeof FULL_NAME_ERRORS)[number]>, 'fail'>,
  name: string,
): void {
  const fault = findNameFault(name)
  if (fault) throw fail(FAULTS[fault])
}

/** What people and bots are called, as a parameter. */

import { findNameFault } from '../../../domain/full-names.ts'
import type { ErrorName, Fail } from '../../../errors/api-error.ts'
import { text } from '../../params.ts'

/** Characters that are looked at before the name's own limit: what is longer is refused as any text. */
const TEXT_LENGTH_MAX = 10_000

const FAULTS = {
  too_long: 'NAME_TOO_LONG',
  too_short: 'NAME_TOO_SHORT',
  character: 'NAME_CHARACTER',
  format: 'NAME_FORMAT',
} as const satisfies Record<string, ErrorName>

/** What can be wrong with a name. */
export const FULL_NAME_ERRORS = Object.values(FAULTS)
/** What the reference says of it. */
export const FULL_NAME_MEANING = 'The name, of 2 to 100 characters.'
/** A name as it comes; `checkFullName` says whether it may be one. */
export const fullNameType = text({ lengthMax: TEXT_LENGTH_MAX, trim: true, takesNull: true })

/** Throws where nobody may be called that. */
export function checkFullName(name: string, fail: Fail<(typeof FULL_NAME_ERRORS)[number]>): void {
  const fault = findNameFault(name)
  if (fault) throw fail(FAULTS[fault])
}

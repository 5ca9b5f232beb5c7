/** Checks of the names of people and bots. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import { findNameFault } from '../../domain/users/full-names.ts'
import type { ErrorName } from '../../errors/api-error.ts'
import type { Scope } from '../scope.ts'
import type { UserId } from '../../domain/ids.ts'

/** Checks names of people and bots. */
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

/**
 * Throws if another user than the one of the id has the name. Deactivated users count, since they may come
 * back. Names that differ only by case, or by how their characters are encoded, are the same.
 */
export function checkUniqueName(
  { state, fail }: Pick<Scope<'FULL_NAME_TAKEN'>, 'state' | 'fail'>,
  fullName: string,
  ownId?: UserId,
): void {
  if (isNameTaken({ state }, fullName, ownId)) throw fail('FULL_NAME_TAKEN')
}

/** Whether names must be unique, and another user than the one of the id has the name. */
export function isNameTaken(
  { state: { settings, users } }: Pick<Scope, 'state'>,
  fullName: string,
  ownId?: UserId,
): boolean {
  if (!settings.requireUniqueNames) return false
  const name = fold(fullName)
  return [...users.values()].some(
    (user) => user.id !== ownId && !user.isSystem && fold(user.fullName) === name,
  )
}

function fold(name: string): string {
  return foldCase(name.normalize('NFKC'))
}

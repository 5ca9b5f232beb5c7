/** Checks that a name is unique, if the organization requires it. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Scope } from '../scope.ts'

/**
 * Throws if another user than the one of the id has the name. Deactivated users count, since they may come
 * back. Names that differ only by case, or by how their characters are encoded, are the same.
 */
export function checkUniqueName(
  { state: { settings, users }, fail }: Pick<Scope<'FULL_NAME_TAKEN'>, 'state' | 'fail'>,
  fullName: string,
  ownId?: UserId,
): void {
  if (!settings.requireUniqueNames) return
  const name = fold(fullName)
  for (const user of users.values()) {
    if (user.id !== ownId && !user.isSystem && fold(user.fullName) === name) throw fail('FULL_NAME_TAKEN')
  }
}

function fold(name: string): string {
  return foldCase(name.normalize('NFKC'))
}

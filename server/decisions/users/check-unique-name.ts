/** Names that must be nobody else's, where the organization wants that. */

import { foldCase } from '../../domain/fold-case.ts'
import type { UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'

/**
 * Throws where somebody else has a name already, deactivated people and bots included, who may come back. Names are
 * the same that differ by case or only in how their characters are encoded.
 */
export function checkUniqueName(
  fullName: string,
  ownId: UserId | undefined,
  { settings, users }: OrganizationState,
  fail: Fail<'FULL_NAME_TAKEN'>,
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

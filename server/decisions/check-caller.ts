/** Gates on who the caller is. */

import { isAdministrator } from '../../packages/rules/roles.ts'
import { ROLES } from '../domain/entities.ts'
import type { ErrorName } from '../errors/api-error.ts'
import type { Scope } from './scope.ts'

type CallerScope<Names extends ErrorName> = Pick<Scope<Names>, 'caller' | 'fail'>

/** Throws unless the caller is an administrator or an owner. */
export function checkAdministrator({ caller, fail }: CallerScope<'ROLE_REQUIRED'>): void {
  if (!isAdministrator(caller)) throw fail('ROLE_REQUIRED', { role: 'administrator' })
}

/** Throws unless the caller is an owner. */
export function checkOwner({ caller, fail }: CallerScope<'ROLE_REQUIRED'>): void {
  if (caller.role !== ROLES.owner) throw fail('ROLE_REQUIRED', { role: 'owner' })
}

/** Throws if the caller is a bot. */
export function checkPerson({ caller, fail }: CallerScope<'BOT_REFUSED'>): void {
  if (caller.botType !== null) throw fail('BOT_REFUSED')
}

/** Throws unless the caller is a bot. */
export function checkBot({ caller, fail }: CallerScope<'BOT_REQUIRED'>): void {
  if (caller.botType === null) throw fail('BOT_REQUIRED')
}

/** Permissions of the current user on bots and emoji, by the rules of the server, which decides. */

import { canAddEmoji, canCreateBots } from '../../../packages/rules/accounts.ts'
import type { State } from '../apply.ts'
import { organizationOf, selfOf } from './judged.ts'

export function mayAddEmoji(state: State): boolean {
  return canAddEmoji(selfOf(state), organizationOf(state))
}

/** Whether the user may create bots, or at least bots that only write. */
export function mayCreateBots(state: State, kind: { readonly isWriteOnly: boolean }): boolean {
  return canCreateBots(selfOf(state), organizationOf(state), kind)
}

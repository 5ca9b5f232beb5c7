/** Names of roles. */

import type { User } from '../../../packages/client/src/wire-types.ts'

const NAMES: Readonly<Record<User['role'], string>> = {
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
}

export function roleName({ role, is_bot }: User): string {
  return is_bot ? 'Bot' : NAMES[role]
}

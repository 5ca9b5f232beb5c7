/** Whether a user's password here counts beside the company's directory. */

import { isLinkedTo } from '../../../db/accounts/login-links.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { ROLES } from '../../../packages/rules/roles.ts'
import type { User } from '../../domain/entities.ts'

interface OwnPasswordServices {
  readonly sql: Sql
  /** Undefined without a directory. */
  readonly directory: { readonly issuer: string } | undefined
}

/**
 * The directory decides about people who have logged in by it: one whom it locks out must not come in by an older
 * password. Owners keep a way in for the day on which it is away.
 */
export async function hasOwnPassword(
  { sql, directory }: OwnPasswordServices,
  { id, role }: Pick<User, 'id' | 'role'>,
): Promise<boolean> {
  return !directory || role === ROLES.owner || !(await isLinkedTo(sql, id, directory.issuer))
}

/** Reads a new password from the standard input, where no list of processes shows it. */

import { createInterface } from 'node:readline'
import { checkNewPassword, passwordOwner } from '../changes/users/check-new-password.ts'
import type { User } from '../domain/entities.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import { ChangeRefused } from '../errors/change-refused.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { checkLength } from './parse-command.ts'

/** The password of a user, on the first line. Throws a `UsageError` or a `ChangeRefused` if it is too weak. */
export async function readPassword(
  state: OrganizationState,
  names: Pick<User, 'email' | 'fullName'>,
): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password: ')
  const password = checkLength(await readFirstLine())
  try {
    await checkNewPassword(password, passwordOwner(state, names), fail)
  } catch (error) {
    throw error instanceof ApiError ? new ChangeRefused(error.message) : error
  }
  return password
}

async function readFirstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line
  return ''
}

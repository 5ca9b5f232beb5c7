/** Reads a new password from the standard input, where no list of processes shows it. */

import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { checkNewPassword, passwordOwner } from '../changes/users/check-new-password.ts'
import type { User } from '../domain/entities.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import { ChangeRefused } from '../errors/change-refused.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { checkLength } from './parse-command.ts'

/** The standard input, and where it is asked for. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stderr: Writable
}

/** The password of a user, on the first line. Throws a `UsageError` or a `ChangeRefused` if it is too weak. */
export async function readPassword(
  state: OrganizationState,
  names: Pick<User, 'email' | 'fullName'>,
  { stdin, stderr }: Terminal,
): Promise<string> {
  if (stdin.isTTY) stderr.write('Password: ')
  const password = checkLength(await readFirstLine(stdin))
  try {
    await checkNewPassword(password, passwordOwner(state, names), fail)
  } catch (error) {
    throw error instanceof ApiError ? new ChangeRefused(error.message) : error
  }
  return password
}

async function readFirstLine(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) return line
  return ''
}

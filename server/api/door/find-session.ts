/** Finds the log-in session of a token. */

import { timingSafeEqual } from 'node:crypto'
import { hashSessionToken } from '../../changes/users/login-sessions.ts'
import type { UserId } from '../../domain/ids.ts'
import { type FoundSession, isYoungSession } from '../../domain/accounts/login-sessions.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

const TOKEN = /^([1-9][0-9]{0,9})\.[A-Za-z0-9_-]{43}$/

/**
 * The session of a token; undefined if it is unknown, has ended or is too old. The state is all that it asks, so a
 * session ends in a process with the event that ends it.
 */
export function findSession(
  token: string,
  state: OrganizationState,
  nowSeconds: number,
): FoundSession | undefined {
  const userId = Number(TOKEN.exec(token)?.[1]) as UserId
  const user = state.users.get(userId)
  if (!user?.isActive) return undefined
  const given = Buffer.from(hashSessionToken(token))
  const found = state.loginSessions
    .get(userId)
    ?.find(({ tokenHash }) => timingSafeEqual(given, Buffer.from(tokenHash)))
  return found && isYoungSession(found, nowSeconds) ? { ...found, userId } : undefined
}

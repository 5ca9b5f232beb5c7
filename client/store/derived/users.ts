/** Users, their names and their presence. */

import type { Presence, User } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { derive } from './derive.ts'
import { t } from '../../texts/texts.ts'

/** All users and bots that the state has, by id. */
export const usersById = derive(
  (state) => [state.realm_users, state.realm_non_active_users, state.cross_realm_bots],
  (lists): ReadonlyMap<number, User> =>
    new Map(lists.flatMap((list) => (list ?? []).map((user) => [user.user_id, user] as const))),
)

const UNKNOWN_NAME = t('Unknown user')

/** The name of a user, also of one whom the current user does not know. */
export function nameOf(state: State, userId: number): string {
  return usersById(state).get(userId)?.full_name ?? UNKNOWN_NAME
}

export type PresenceStatus = 'active' | 'idle' | 'offline'

/** The server's default, if the registration lacks it. */
const OFFLINE_SECONDS = 200
/** A user stays active for this time though another of their devices is idle. */
const ACTIVE_SECONDS = 70

/** Whether a user is here; the registration must have `slim_presence`. */
export function presenceOf(state: State, userId: number, nowSeconds: number): PresenceStatus {
  const presence = (state.presences as Readonly<Record<string, Presence>> | undefined)?.[userId]
  if (!presence) return 'offline'
  const { active_timestamp: activeAt, idle_timestamp: idleAt } = presence
  const limit = state.server_presence_offline_threshold_seconds ?? OFFLINE_SECONDS
  const newestAt = Math.max(activeAt, idleAt)
  if (nowSeconds - newestAt > limit) return 'offline'
  return activeAt + ACTIVE_SECONDS >= idleAt ? 'active' : 'idle'
}

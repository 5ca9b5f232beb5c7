/** The members of channels. */

import type { User } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { usersById } from './users.ts'

/** The ids of the members whom the user may see. */
export function memberIdsOf(state: State, channelId: number): readonly number[] {
  const lists = [state.subscriptions, state.unsubscribed, state.never_subscribed]
  for (const list of lists) {
    const found = list?.find((one) => one.stream_id === channelId)
    if (found) return found.subscribers ?? []
  }
  return []
}

/** Active members by name. */
export function membersOf(state: State, channelId: number): readonly User[] {
  const users = usersById(state)
  return memberIdsOf(state, channelId)
    .flatMap((id) => users.get(id) ?? [])
    .filter(({ is_active }) => is_active)
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
}

/** The channels that both the current user and another one are in, by name. */
export function commonChannels(state: State, userId: number) {
  return (state.subscriptions ?? [])
    .filter((one) => !one.is_archived && (one.subscribers ?? []).includes(userId))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

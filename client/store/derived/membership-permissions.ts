/** Permissions of the current user on the members of a channel, and on its settings. */

import {
  canAddSubscribers,
  canAdministerChannel,
  canJoinChannel,
  canRemoveSubscriber,
} from '../../../packages/rules/memberships.ts'
import type { User } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { accessTo, accountOf, organizationOf, selfOf } from './judged.ts'
import { inChannel } from './permissions.ts'

/** Whether the user may subscribe themselves. */
export const mayJoin = inChannel((user, access, { rights }) => canJoinChannel(user, access, rights))

/** Whether the user may change the settings of a channel. */
export const mayAdministerChannel = inChannel((user, access, { rights }) =>
  canAdministerChannel(user, access, rights),
)

/** Whether the user may add other people to a channel. */
export const mayAddPeople = inChannel((user, access, { rights, permissions }) =>
  canAddSubscribers(user, access, rights, permissions.canAddSubscribers),
)

/** Whether the user may remove somebody from a channel. */
export function mayRemove(state: State, channelId: number, removed: User): boolean {
  const access = accessTo(state, channelId)
  const { rights } = organizationOf(state)
  return access !== undefined && canRemoveSubscriber(selfOf(state), accountOf(removed), access, rights)
}

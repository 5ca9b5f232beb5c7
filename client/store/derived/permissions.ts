/** Permissions of the current user, by the same rules as on the server, which decides. */

import type { Channel, GroupSetting } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { channelsById } from './channels.ts'
import { derive } from './derive.ts'

/** The groups that the current user belongs to, by themselves or by a subgroup. */
export const ownGroupIds = derive(
  (state) => [state.realm_user_groups, state.user_id] as const,
  ([groups = [], ownId]): ReadonlySet<number> => {
    const ids = new Set<number>()
    let waiting = groups.filter(({ members }) => ownId !== undefined && members.includes(ownId))
    while (waiting.length > 0) {
      for (const { id } of waiting) ids.add(id)
      waiting = groups.filter(
        ({ id, direct_subgroup_ids }) => !ids.has(id) && direct_subgroup_ids.some((one) => ids.has(one)),
      )
    }
    return ids
  },
)

/** Whether the current user holds a permission. */
export function holds(state: State, setting: GroupSetting | undefined): boolean {
  if (setting === undefined) return false
  const groups = ownGroupIds(state)
  if (typeof setting === 'number') return groups.has(setting)
  const { direct_members, direct_subgroups } = setting
  return (
    (state.user_id !== undefined && direct_members.includes(state.user_id)) ||
    direct_subgroups.some((id) => groups.has(id))
  )
}

/** Whether the user may read the messages of a channel. */
export function mayRead(state: State, channelId: number): boolean {
  const seen = channelsById(state).get(channelId)
  if (!seen) return false
  const { channel, subscription } = seen
  if (subscription || channel.is_web_public) return true
  if (state.is_guest) return false
  return (
    !channel.invite_only ||
    holds(state, channel.can_add_subscribers_group) ||
    holds(state, channel.can_subscribe_group)
  )
}

/** Whether the user may post to a channel; a new topic may need `mayCreateTopic`, too. */
export function mayPost(state: State, channelId: number): boolean {
  const channel = findChannel(state, channelId)
  if (!channel || channel.is_archived || !mayRead(state, channelId)) return false
  return holds(state, channel.can_send_message_group)
}

export function mayCreateTopic(state: State, channelId: number): boolean {
  return mayPost(state, channelId) && holds(state, findChannel(state, channelId)?.can_create_topic_group)
}

/** Whether the user may subscribe themselves. */
export function mayJoin(state: State, channelId: number): boolean {
  return state.is_guest !== true && mayRead(state, channelId)
}

/** Whether the user may change the settings of a channel. */
export function mayAdministerChannel(state: State, channelId: number): boolean {
  const channel = findChannel(state, channelId)
  if (!channel || state.is_guest) return false
  return state.is_admin === true || holds(state, channel.can_administer_channel_group)
}

function findChannel(state: State, id: number): Channel | undefined {
  return channelsById(state).get(id)?.channel
}

/** Whether the user may mark the topic of a channel as resolved, and as open again. */
export function mayResolve(state: State, channelId: number, topic: string): boolean {
  const channel = findChannel(state, channelId)
  if (!channel || channel.is_archived || topic === '') return false
  return holds(state, state.realm_can_resolve_topics_group) || holds(state, channel.can_resolve_topics_group)
}

/** Whether the user may add other people to a channel. */
export function mayAddPeople(state: State, channelId: number): boolean {
  const channel = findChannel(state, channelId)
  if (!channel || channel.is_archived || state.is_guest) return false
  if (holds(state, channel.can_add_subscribers_group) || mayAdministerChannel(state, channelId)) return true
  return mayRead(state, channelId) && holds(state, state.realm_can_add_subscribers_group)
}

/** Whether the user may remove other people from a channel. */
export function mayRemovePeople(state: State, channelId: number): boolean {
  const channel = findChannel(state, channelId)
  if (!channel || state.is_guest) return false
  return holds(state, channel.can_remove_subscribers_group) || mayAdministerChannel(state, channelId)
}

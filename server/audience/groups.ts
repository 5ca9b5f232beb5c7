/** Recipients of the facts of user groups, and the notices that follow. */

import type { NewEvent } from '../domain/events.ts'
import type { GroupFact } from '../domain/events/groups.ts'
import { NOBODY, type Notifier, toUsers } from './notifier.ts'

type Memberships = Extract<GroupFact, { type: 'user_group/add_members' | 'user_group/remove_members' }>

/** Clients do not see deactivated members, so nobody is notified of them. */
export const notifyMemberships: Notifier<Memberships> = (facts, { before, after }) => {
  const { activeUsers } = after.rights
  return facts.flatMap((fact) => {
    const shown = fact.userIds.filter((id) => activeUsers.has(id))
    const hidden = fact.userIds.filter((id) => !activeUsers.has(id))
    const entries: NewEvent[] = []
    if (shown.length > 0)
      entries.push({ event: { ...fact, userIds: shown }, audience: toUsers(before.rights.activeUsers) })
    if (hidden.length > 0) entries.push({ event: { ...fact, userIds: hidden }, audience: NOBODY })
    return entries
  })
}

/** Only clients that know deactivated groups get the update; others see a group disappear and return. */
export const notifyGroupUpdates: Notifier<Extract<GroupFact, { type: 'user_group/update' }>> = (
  facts,
  { before },
) => {
  const audience = toUsers(before.rights.activeUsers)
  return facts.flatMap((fact) => {
    const { groupId, changes } = fact
    const { group, directMembers, directSubgroups } = before.groups.get(groupId)
    const { isDeactivated = group.isDeactivated } = changes
    const isKnownToAll = !group.isDeactivated && !isDeactivated
    const clients = isKnownToAll ? {} : ({ clients: 'with_deactivated_groups' } as const)
    const entries: NewEvent[] = [{ event: { ...fact, ...clients }, audience }]
    if (isDeactivated === group.isDeactivated) return entries
    const notice: NewEvent['event'] = isDeactivated
      ? { type: 'user_group/remove', groupId, clients: 'without_deactivated_groups' }
      : {
          type: 'user_group/reveal',
          group: { ...group, ...changes, permissions: { ...group.permissions, ...changes.permissions } },
          memberIds: directMembers.toArray(),
          subgroupIds: directSubgroups,
          clients: 'without_deactivated_groups',
        }
    return [...entries, { event: notice, audience }]
  })
}

/** Many users at once, for tests of large numbers. */

import { ROLES } from '../../../server/domain/entities.ts'
import type { LogEvent } from '../../../server/domain/events.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { commitEvents } from './commit-events.ts'
import type { TestServer } from '../servers/start-server.ts'

/** Adds members without keys and without events; returns their ids, ascending. */
export async function addCrowd(server: TestServer, count: number, joinedAt: number): Promise<UserId[]> {
  const firstId = server.node.services.state.nextUserId
  const userIds = Array.from({ length: count }, (_, index) => (firstId + index) as UserId)
  const added = userIds.map((id): LogEvent => {
    const user = {
      id,
      email: `user${id}@example.com`,
      fullName: `User ${id}`,
      role: ROLES.member,
      isActive: true,
      botType: null,
      botOwnerId: null,
      timezone: '',
      joinedAt,
      avatarVersion: 1,
      isSystem: false,
    }
    return { type: 'realm_user/add', user }
  })
  const groups = [SYSTEM_GROUPS.fullMembers, SYSTEM_GROUPS.members]
  await commitEvents(server, [
    ...added,
    ...groups.map((groupId): LogEvent => ({ type: 'user_group/add_members', groupId, userIds })),
  ])
  return userIds
}

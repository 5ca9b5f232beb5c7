/** Reads the organization into memory, as of one number of the log. */

import { loadChannels } from '../../db/channels.ts'
import type { Sql } from '../../db/connect.ts'
import { readLastEventId } from '../../db/event-log.ts'
import { findOrganization } from '../../db/organization.ts'
import { loadSubscribers } from '../../db/subscriptions.ts'
import { loadUsers } from '../../db/users.ts'
import { UserSet } from '../domain/user-set.ts'
import { OrganizationState } from './organization-state.ts'

/** The state as the tables have it, from one snapshot, so that it equals the log up to its `appliedId`. */
export async function loadState(sql: Sql): Promise<OrganizationState> {
  const state = new OrganizationState()
  await sql.begin('isolation level repeatable read read only', async (tx) => {
    state.appliedId = await readLastEventId(tx)
    state.organization = await findOrganization(tx)
    for (const { apiKeyHashes, ...user } of await loadUsers(tx)) {
      state.placeUser(user)
      state.apiKeyHashes.set(user.id, apiKeyHashes)
    }
    const subscribers = new Map(
      (await loadSubscribers(tx)).map(({ channelId, userIds }) => [channelId, UserSet.of(userIds)]),
    )
    for (const { firstMessageId, lastMessageAt, ...channel } of await loadChannels(tx)) {
      const members = subscribers.get(channel.id) ?? UserSet.empty
      state.placeChannel({ channel, firstMessageId, lastMessageAt, subscribers: members })
    }
  })
  return state
}

/** The large organization of several benchmarks. */

import type { Sql } from '../../db/connection/connect.ts'
import type { Person } from './create-people.ts'
import { OWNER_ID, seedOrganization } from './seed-organization.ts'
import { sized } from '../measure/sizes.ts'

export const USERS = sized(10_000, 500)
export const CHANNELS = sized(1_000, 110)
/**
 * All users are in the first channels, every second user in the next, and a fraction of users in the rest: 100 channels
 * per user.
 */
const EVERYBODYS = 20
const EVERY_OTHERS = 100
const REST_CYCLE = 45
const REST_SHARE = 2
/** A user who is in all channels. */
export const BUSIEST_ID = 2

/** Whether a user is subscribed to a channel; ids start at 1. */
export function isSubscribed(userId: number, channelId: number): boolean {
  if (userId === BUSIEST_ID || channelId <= EVERYBODYS) return true
  const place = userId + channelId
  return channelId <= EVERY_OTHERS ? place % 2 === 0 : place % REST_CYCLE < REST_SHARE
}

/** Whether a user was seen in the last 14 days: one in five. */
export function isSeen(userId: number): boolean {
  return userId % 5 === 0
}

/** Writes it; returns the owner, with an average number of subscriptions, and the user with the most. */
export async function seedLargeOrganization(
  databaseUrl: string,
): Promise<{ owner: Person; busiest: Person; subscriptions: number }> {
  const subscribe = async (sql: Sql) => {
    const { count } = await sql`insert into subscription_spans (channel_id, user_id, from_id)
      select c, u, (select last_id from event_counter)
      from generate_series(1, ${CHANNELS}::int) c, generate_series(1, ${USERS}::int) u
      where u = ${BUSIEST_ID} or c <= ${EVERYBODYS}
        or case when c <= ${EVERY_OTHERS} then (u + c) % 2 = 0 else (u + c) % ${REST_CYCLE}::int < ${REST_SHARE} end`
    return count
  }
  const organization = { users: USERS, channels: CHANNELS, subscribe }
  const { people, subscriptions } = await seedOrganization(databaseUrl, organization, [OWNER_ID, BUSIEST_ID])
  const [owner, busiest] = people as [Person, Person]
  return { owner, busiest, subscriptions }
}

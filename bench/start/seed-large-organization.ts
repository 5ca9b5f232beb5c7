/** Writes a large organization for a benchmark directly into the tables; a server that starts later loads it. */

import { connect } from '../../db/connect.ts'
import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { submitForServer } from '../../server/changes/submit.ts'
import { decideNewOrganization } from '../../server/decisions/organization/create-organization.ts'
import { createApiKey, hashApiKey } from '../../server/changes/passwords.ts'
import { ROLES } from '../../server/domain/entities.ts'
import { SYSTEM_GROUPS } from '../../server/domain/system-groups.ts'
import type { Person } from './create-people.ts'

export const USERS = 10_000
export const CHANNELS = 1_000
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
/** The owner, with an average number of subscriptions. */
const OWNER_ID = 1
const CREATED_AT = 1_700_000_000
const DAY_SECONDS = 24 * 3600

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

/** Writes it; returns the owner and the user with the most subscriptions. */
export async function seedLargeOrganization(
  databaseUrl: string,
): Promise<{ owner: Person; busiest: Person; subscriptions: number }> {
  const writer = await openLocalWriter(databaseUrl)
  const texts = { name: 'Large', description: '', renderedDescription: '', createdAt: CREATED_AT }
  const settings = { sendsChannelEvents: false }
  await submitForServer(writer, (scope) => decideNewOrganization(scope, { ...texts, settings }))
  await writer.close()
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    await sql`insert into users (id, email, full_name, role, is_active, timezone, joined_at, avatar_version, seen_day)
      select u, 'person' || u || '@example.com', 'Person ' || u,
        case u when ${OWNER_ID} then ${ROLES.owner}::smallint else ${ROLES.member}::smallint end,
        true, '', ${CREATED_AT}, 1,
        case when u % 5 = 0 then ${Math.floor(Date.now() / 1000 / DAY_SECONDS)}::int - 1 end
      from generate_series(1, ${USERS}::int) u`
    await sql`insert into user_group_members (group_id, user_id)
      select ${SYSTEM_GROUPS.owners}::int, ${OWNER_ID}::int
      union all select g, u from generate_series(1, ${USERS}::int) u,
        unnest(${[SYSTEM_GROUPS.members, SYSTEM_GROUPS.fullMembers]}::int[]) g where u <> ${OWNER_ID}`
    await sql`insert into channels (id, name, description, rendered_description, created_at, creator_id, is_private,
        is_history_public, permissions)
      select c, 'channel ' || c, 'What it is for', '<p>What it is for</p>', ${CREATED_AT}, ${OWNER_ID}, false, true,
        '{"canAdministerChannel":{"directMembers":[1],"directSubgroups":[]}}'
      from generate_series(1, ${CHANNELS}::int) c`
    const { count } = await sql`insert into subscription_spans (channel_id, user_id, from_id)
      select c, u, (select last_id from event_counter)
      from generate_series(1, ${CHANNELS}::int) c, generate_series(1, ${USERS}::int) u
      where u = ${BUSIEST_ID} or c <= ${EVERYBODYS}
        or case when c <= ${EVERY_OTHERS} then (u + c) % 2 = 0 else (u + c) % ${REST_CYCLE}::int < ${REST_SHARE} end`
    await sql`analyze`
    const person = async (id: number): Promise<Person> => {
      const key = createApiKey()
      await sql`update users set api_key_hashes = array[${hashApiKey(key)}] where id = ${id}`
      const credentials = Buffer.from(`person${id}@example.com:${key}`).toString('base64')
      return { id: id as Person['id'], authorization: `Basic ${credentials}` }
    }
    return { owner: await person(OWNER_ID), busiest: await person(BUSIEST_ID), subscriptions: count }
  } finally {
    await sql.end()
  }
}

/** Writes an organization of any size for a benchmark directly into the tables; a server that starts later loads it. */

import { connect, type Sql } from '../../db/connection/connect.ts'
import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { createApiKey, hashApiKey } from '../../server/changes/passwords.ts'
import { submitForServer } from '../../server/changes/submit.ts'
import { decideNewOrganization } from '../../server/decisions/organization/create-organization.ts'
import { ROLES } from '../../server/domain/entities.ts'
import { SYSTEM_GROUPS } from '../../server/domain/groups/system-groups.ts'
import type { Person } from './create-people.ts'

/** The user with this id is the owner. */
export const OWNER_ID = 1
const CREATED_AT = 1_700_000_000
const DAY_SECONDS = 24 * 3600

export interface SeededOrganization {
  readonly users: number
  readonly channels: number
  /** Inserts the subscriptions of users to channels; returns their number. */
  readonly subscribe: (sql: Sql) => Promise<number>
}

/** Writes users and public channels with ids from 1; returns users with credentials, and the subscriptions. */
export async function seedOrganization(
  databaseUrl: string,
  { users, channels, subscribe }: SeededOrganization,
  withKeys: readonly number[],
): Promise<{ people: Person[]; subscriptions: number }> {
  const writer = await openLocalWriter(databaseUrl)
  const texts = { name: 'Large', description: '', renderedDescription: '', createdAt: CREATED_AT }
  const settings = { sendsChannelEvents: false }
  await submitForServer(writer, (scope) => decideNewOrganization(scope, { ...texts, settings }))
  await writer.close()
  const sql = connect(databaseUrl, 1, 'bench', { work: 'administration' })
  try {
    await sql`insert into users (id, email, full_name, role, is_active, timezone, joined_at, avatar_version, seen_day)
      select u, 'person' || u || '@example.com', 'Person ' || u,
        case u when ${OWNER_ID} then ${ROLES.owner}::smallint else ${ROLES.member}::smallint end,
        true, '', ${CREATED_AT}, 1,
        case when u % 5 = 0 then ${Math.floor(Date.now() / 1000 / DAY_SECONDS)}::int - 1 end
      from generate_series(1, ${users}::int) u`
    await sql`insert into user_group_members (group_id, user_id)
      select ${SYSTEM_GROUPS.owners}::int, ${OWNER_ID}::int
      union all select g, u from generate_series(1, ${users}::int) u,
        unnest(${[SYSTEM_GROUPS.members, SYSTEM_GROUPS.fullMembers]}::int[]) g where u <> ${OWNER_ID}`
    await sql`insert into channels (id, name, description, rendered_description, created_at, creator_id, is_private,
        is_history_public, permissions)
      select c, 'channel ' || c, 'What it is for', '<p>What it is for</p>', ${CREATED_AT}, ${OWNER_ID}, false, true,
        '{"canAdministerChannel":{"directMembers":[1],"directSubgroups":[]}}'
      from generate_series(1, ${channels}::int) c`
    const subscriptions = await subscribe(sql)
    await sql`analyze`
    const people: Person[] = []
    for (const id of withKeys) {
      const key = createApiKey()
      await sql`update users set api_key_hashes = array[${hashApiKey(key)}] where id = ${id}`
      const credentials = Buffer.from(`person${id}@example.com:${key}`).toString('base64')
      people.push({ id: id as Person['id'], authorization: `Basic ${credentials}` })
    }
    return { people, subscriptions }
  } finally {
    await sql.end()
  }
}

/** Lists of administrators and owners. */

import type { EmailDomainId } from '../../server/domain/ids.ts'
import type {
  ChannelGroup,
  EmailDomain,
  Linkifier,
  NumberedList,
  Playground,
} from '../../server/domain/organization/organization-lists.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The lists that are stored as a whole. */
export interface WholeLists {
  readonly linkifiers: NumberedList<Linkifier>
  readonly playgrounds: NumberedList<Playground>
  readonly channelGroups: NumberedList<ChannelGroup>
}

const EMPTY: WholeLists = {
  linkifiers: { entries: [], lastId: 0 },
  playgrounds: { entries: [], lastId: 0 },
  channelGroups: { entries: [], lastId: 0 },
}

/** Replaces the entries of a list. */
export function storeList<Name extends keyof WholeLists>(
  writes: WriteBatch,
  name: Name,
  entries: WholeLists[Name]['entries'],
): void {
  const lastId = Math.max(0, ...entries.map(({ id }) => id))
  writes.add(writes.sql`
    insert into organization_lists (name, entries, last_id)
    values (${name}, ${writes.sql.json(entries as never)}, ${lastId})
    on conflict (name) do update set entries = excluded.entries,
      last_id = greatest(organization_lists.last_id, excluded.last_id)`)
}

export async function loadLists(sql: Sql | Transaction): Promise<WholeLists> {
  const rows = await sql<{ name: keyof WholeLists; entries: never; lastId: number }[]>`
    select name, entries, last_id as "lastId" from organization_lists`
  const stored = rows.map(({ name, ...list }) => [name, list] as const)
  return { ...EMPTY, ...(Object.fromEntries(stored) as Partial<WholeLists>) }
}

/** Adds or changes a domain. */
export function storeEmailDomain(writes: WriteBatch, { id, domain, allowsSubdomains }: EmailDomain): void {
  writes.add(writes.sql`
    insert into email_domains (id, domain, allows_subdomains) values (${id}, ${domain}, ${allowsSubdomains})
    on conflict (id) do update set allows_subdomains = excluded.allows_subdomains`)
}

export function removeEmailDomain(writes: WriteBatch, id: EmailDomainId): void {
  writes.add(writes.sql`delete from email_domains where id = ${id}`)
}

/** In the order of creation. */
export async function loadEmailDomains(sql: Sql | Transaction): Promise<EmailDomain[]> {
  const rows = await sql<EmailDomain[]>`
    select id, domain, allows_subdomains as "allowsSubdomains" from email_domains order by id`
  return [...rows] // Only the rows, without the driver's result metadata.
}

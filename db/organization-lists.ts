/** The lists that administrators and owners keep. */

import type { EmailDomainId } from '../server/domain/ids.ts'
import type { EmailDomain, Linkifier, NumberedList, Playground } from '../server/domain/organization-lists.ts'
import type { Sql, Transaction } from './connect.ts'

/** The lists that are kept as a whole. */
export interface WholeLists {
  readonly linkifiers: NumberedList<Linkifier>
  readonly playgrounds: NumberedList<Playground>
}

const EMPTY: WholeLists = {
  linkifiers: { entries: [], lastId: 0 },
  playgrounds: { entries: [], lastId: 0 },
}

/** Puts these entries in the place of what a list was. */
export async function storeList<Name extends keyof WholeLists>(
  tx: Transaction,
  name: Name,
  entries: WholeLists[Name]['entries'],
): Promise<void> {
  const lastId = Math.max(0, ...entries.map(({ id }) => id))
  await tx`
    insert into organization_lists (name, entries, last_id)
    values (${name}, ${tx.json(entries as never)}, ${lastId})
    on conflict (name) do update set entries = excluded.entries,
      last_id = greatest(organization_lists.last_id, excluded.last_id)`
}

export async function loadLists(sql: Sql | Transaction): Promise<WholeLists> {
  const rows = await sql<{ name: keyof WholeLists; entries: never; lastId: number }[]>`
    select name, entries, last_id as "lastId" from organization_lists`
  const stored = rows.map(({ name, ...list }) => [name, list] as const)
  return { ...EMPTY, ...(Object.fromEntries(stored) as Partial<WholeLists>) }
}

/** Adds a domain, or changes what is said of it. */
export async function storeEmailDomain(
  tx: Transaction,
  { id, domain, allowsSubdomains }: EmailDomain,
): Promise<void> {
  await tx`
    insert into email_domains (id, domain, allows_subdomains) values (${id}, ${domain}, ${allowsSubdomains})
    on conflict (id) do update set allows_subdomains = excluded.allows_subdomains`
}

export async function removeEmailDomain(tx: Transaction, id: EmailDomainId): Promise<void> {
  await tx`delete from email_domains where id = ${id}`
}

/** In the order in which they were added. */
export async function loadEmailDomains(sql: Sql | Transaction): Promise<EmailDomain[]> {
  const rows = await sql<EmailDomain[]>`
    select id, domain, allows_subdomains as "allowsSubdomains" from email_domains order by id`
  return [...rows] // The rows alone, without what the driver says of its query.
}

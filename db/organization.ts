/** The one row of the organization. */

import type { Organization } from '../server/domain/entities.ts'
import type { Sql, Transaction } from './connect.ts'

export async function storeOrganization(tx: Transaction, organization: Organization): Promise<void> {
  await tx`insert into organization (name, description, rendered_description, created_at)
    values (${organization.name}, ${organization.description}, ${organization.renderedDescription},
      ${organization.createdAt})`
}

/** The organization, or undefined where none was created yet. */
export async function findOrganization(sql: Sql | Transaction): Promise<Organization | undefined> {
  const [row] = await sql<Organization[]>`
    select name, description, rendered_description as "renderedDescription", created_at as "createdAt"
    from organization`
  return row
}

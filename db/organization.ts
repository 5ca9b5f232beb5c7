/** The one row of the organization. */

import type { Organization } from '../server/domain/entities.ts'
import type { OrganizationChange } from '../server/domain/events.ts'
import type { Sql, Transaction } from './connect.ts'

/** The organization as stored: only what differs from the defaults, where it was not written at its creation. */
export interface StoredOrganization extends Omit<Organization, 'settings' | 'permissions'> {
  readonly settings: Partial<Organization['settings']>
  readonly permissions: Partial<Organization['permissions']>
}

export async function storeOrganization(tx: Transaction, organization: Organization): Promise<void> {
  await tx`insert into organization (name, description, rendered_description, created_at, settings, permissions)
    values (${organization.name}, ${organization.description}, ${organization.renderedDescription},
      ${organization.createdAt}, ${tx.json(organization.settings as never)},
      ${tx.json(organization.permissions as never)})`
}

export async function storeOrganizationChange(tx: Transaction, changes: OrganizationChange): Promise<void> {
  await tx`update organization set
    name = coalesce(${changes.name ?? null}, name),
    description = coalesce(${changes.description ?? null}, description),
    rendered_description = coalesce(${changes.renderedDescription ?? null}, rendered_description),
    settings = (settings::jsonb || ${tx.json((changes.settings ?? {}) as never)}::jsonb)::json,
    permissions = (permissions::jsonb || ${tx.json((changes.permissions ?? {}) as never)}::jsonb)::json`
}

/** The organization, or undefined where none was created yet. */
export async function findOrganization(sql: Sql | Transaction): Promise<StoredOrganization | undefined> {
  const [row] = await sql<StoredOrganization[]>`
    select name, description, rendered_description as "renderedDescription", created_at as "createdAt",
      settings, permissions
    from organization`
  return row
}

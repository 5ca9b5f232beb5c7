/** The one row of the organization. */

import type { Organization } from '../server/domain/entities.ts'
import type { OrganizationChange } from '../server/domain/events/organization.ts'
import type { Generation } from '../server/domain/generation.ts'
import type { UserSettingChange, UserSettings } from '../server/domain/user-settings.ts'
import type { Sql, Transaction } from './connect.ts'

/** The organization as stored: only what differs from the defaults, where it was not written at its creation. */
export interface StoredOrganization extends Omit<Organization, 'settings' | 'permissions'> {
  /** What newcomers start with otherwise than is usual. */
  readonly newcomersSettings: Partial<UserSettings>
  /** The run of the server that clients were last told of. */
  readonly generation: Generation | null
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

/** Keeps what newcomers start with; a time zone is each one's own. */
export async function storeNewcomersSetting(
  tx: Transaction,
  { name, value }: UserSettingChange,
): Promise<void> {
  await tx`update organization set
    newcomers_settings = (newcomers_settings::jsonb || ${tx.json({ [name]: value })}::jsonb)::json`
}

/** Keeps which run of the server clients were last told of. */
export async function storeGeneration(tx: Transaction, generation: Generation): Promise<void> {
  await tx`update organization set generation = ${tx.json(generation as never)}`
}

/** The organization, or undefined where none was created yet. */
export async function findOrganization(sql: Sql | Transaction): Promise<StoredOrganization | undefined> {
  const [row] = await sql<StoredOrganization[]>`
    select name, description, rendered_description as "renderedDescription", created_at as "createdAt",
      settings, permissions, newcomers_settings as "newcomersSettings", generation
    from organization`
  return row
}

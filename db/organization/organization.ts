/** The single row of the organization. */

import type { Organization } from '../../server/domain/entities.ts'
import type { OrganizationChange } from '../../server/domain/events/organization.ts'
import type { Generation } from '../../server/domain/generation.ts'
import type {
  OrganizationPicture,
  OrganizationPictures,
} from '../../server/domain/organization/organization-pictures.ts'
import type { PictureId } from '../../server/domain/files/pictures.ts'
import type { UserSettingChange, UserSettings } from '../../server/domain/users/user-settings.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The organization as stored: for values that were not written at its creation, only differences from the defaults. */
export interface StoredOrganization extends Omit<Organization, 'settings' | 'permissions'> {
  /** New users' settings that differ from the defaults. */
  readonly newUserSettings: Partial<UserSettings>
  readonly pictures: OrganizationPictures
  /** Whether the push relay serves it, by its last answer. */
  readonly reachesPhones: boolean
  /** Null while SCIM is off. */
  readonly scimTokenHash: string | null
  /** The generation of the server that clients last got. */
  readonly generation: Generation | null
  readonly settings: Partial<Organization['settings']>
  readonly permissions: Partial<Organization['permissions']>
}

export function storeOrganization(writes: WriteBatch, organization: Organization): void {
  writes.add(writes.sql`insert into organization (name, description, rendered_description, created_at, settings, permissions)
    values (${organization.name}, ${organization.description}, ${organization.renderedDescription},
      ${organization.createdAt}, ${writes.sql.json(organization.settings as never)},
      ${writes.sql.json(organization.permissions as never)})`)
}

export function storeOrganizationChange(writes: WriteBatch, changes: OrganizationChange): void {
  writes.add(writes.sql`update organization set
    name = coalesce(${changes.name ?? null}, name),
    description = coalesce(${changes.description ?? null}, description),
    rendered_description = coalesce(${changes.renderedDescription ?? null}, rendered_description),
    settings = (settings::jsonb || ${writes.sql.json((changes.settings ?? {}) as never)}::jsonb)::json,
    permissions = (permissions::jsonb || ${writes.sql.json((changes.permissions ?? {}) as never)}::jsonb)::json`)
}

/** Stores a setting of new users; time zones are personal. */
export function storeNewUserSetting(writes: WriteBatch, { name, value }: UserSettingChange): void {
  writes.add(writes.sql`update organization set
    newcomers_settings = (newcomers_settings::jsonb || ${writes.sql.json({ [name]: value })}::jsonb)::json`)
}

const PICTURE_COLUMNS = { icon: 'icon_id', logo: 'logo_id', nightLogo: 'night_logo_id' } as const

/** Stores another picture, and removes the one before. */
export function storeOrganizationPicture(
  writes: WriteBatch,
  which: OrganizationPicture,
  pictureId: PictureId | null,
): void {
  const column = writes.sql(PICTURE_COLUMNS[which])
  writes.add(writes.sql`
    with former as (delete from pictures where id = (select ${column} from organization))
    update organization set ${column} = ${pictureId}`)
}

/** Stores the generation that clients last got. */
export function storeGeneration(writes: WriteBatch, generation: Generation): void {
  writes.add(writes.sql`update organization set generation = ${writes.sql.json(generation as never)}`)
}

/** The organization, or undefined before its creation. */
export async function findOrganization(sql: Sql | Transaction): Promise<StoredOrganization | undefined> {
  const [row] = await sql<StoredOrganization[]>`
    select name, description, rendered_description as "renderedDescription", created_at as "createdAt",
      settings, permissions, newcomers_settings as "newUserSettings", generation,
      json_build_object('icon', icon_id, 'logo', logo_id, 'nightLogo', night_logo_id) as pictures,
      coalesce((select can_push from relay_state), false) as "reachesPhones",
      (select token_hash from scim_tokens) as "scimTokenHash"
    from organization`
  return row
}

/** The organization as a whole, and its lists. */

import type { CustomEmoji } from '../organization/custom-emoji.ts'
import type { Organization } from '../entities.ts'
import type { Generation } from '../generation.ts'
import type { EmailDomain, Linkifier, Playground } from '../organization/organization-lists.ts'
import type { ExportOfAll, OrganizationExport } from '../organization/exports.ts'
import type { ChangedImport } from '../organization/imports.ts'
import type { OrganizationPicture } from '../organization/organization-pictures.ts'
import type { OrganizationSettings } from '../organization/organization-settings.ts'
import type { OrganizationPermissions } from '../groups/permissions.ts'
import type { PictureId } from '../files/pictures.ts'
import type { ProfileField } from '../organization/profile-fields.ts'
import type { UserId } from '../ids.ts'
import type { UserSettingChange } from '../users/user-settings.ts'
import type { ClientKind } from './client-kind.ts'

/** Changes of the organization in one event. */
export interface OrganizationChange {
  readonly name?: string
  readonly description?: string
  readonly renderedDescription?: string
  readonly settings?: Partial<OrganizationSettings>
  readonly permissions?: Partial<OrganizationPermissions>
}

export type OrganizationFact =
  | { readonly type: 'organization_created'; readonly organization: Organization }
  /** All fields after the change, in their order; values of removed fields are removed too. */
  | { readonly type: 'custom_profile_fields'; readonly fields: readonly ProfileField[] }
  | { readonly type: 'realm/update_dict'; readonly changes: OrganizationChange }
  /** The organization has another picture, or that of the server again. */
  | {
      readonly type: 'realm/picture'
      readonly which: OrganizationPicture
      readonly pictureId: PictureId | null
    }
  /** The push relay serves the organization, or no longer: phones get notifications of messages. */
  | { readonly type: 'realm/update'; readonly reachesPhones: boolean }
  /** All linkifiers after the change, in their order. */
  | {
      readonly type: 'realm_linkifiers'
      readonly linkifiers: readonly Linkifier[]
      readonly clients: ClientKind
    }
  /** All playgrounds after the change. */
  | { readonly type: 'realm_playgrounds'; readonly playgrounds: readonly Playground[] }
  | {
      readonly type: 'realm_domains/add' | 'realm_domains/change' | 'realm_domains/remove'
      readonly domain: EmailDomain
    }
  /** New users start with another value. */
  | { readonly type: 'realm_user_settings_defaults/update'; readonly change: UserSettingChange }
  /** A custom emoji was added or deactivated. The event for clients has all of them, as they are when it is sent. */
  | { readonly type: 'realm_emoji/update'; readonly emoji: CustomEmoji }
  /** An export was asked for, made, given up or deleted. The event for clients has all of them. */
  | { readonly type: 'realm_export'; readonly export: ExportOfAll }
  /** The same for a person's own data: only they get the event. */
  | { readonly type: 'own_export'; readonly userId: UserId; readonly export: OrganizationExport }
  /** The operator made a token for the company's provider of identities, replaced it, or ended SCIM. */
  | {
      readonly type: 'scim_token_changed'
      /** SHA-256 in hex; null if there is none any more. */
      readonly tokenHash: string | null
    }
  /** An import was begun, came further, or ended. */
  | { readonly type: 'realm_import'; readonly import: ChangedImport }
  /** A heartbeat: the log had no other event for a while, and held polls need a number. */
  | { readonly type: 'heartbeat' }
  /** The first known release of the server. It may have run already, so clients are not notified. */
  | { readonly type: 'release_noted'; readonly generation: Generation }
  /** The server has restarted, or has another release now; each client that was connected before gets it once. */
  | {
      readonly type: 'restart'
      readonly generation: Generation
      /** The release, by the names that clients know. */
      readonly facts: Readonly<Record<string, string | number>>
    }

export type OrganizationNotice =
  /** The organization stays as it is, but its permissions have other users for clients, as accounts were changed. */
  | {
      readonly type: 'realm/update_shown'
      readonly changes: { readonly permissions: Partial<OrganizationPermissions> }
    }
  /** A person allows exports with their private data, or no longer. */
  | { readonly type: 'realm_export_consent'; readonly userId: UserId; readonly isConsenting: boolean }

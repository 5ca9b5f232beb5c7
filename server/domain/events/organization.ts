/** What happens to the organization as a whole, and to the lists that belong to it. */

import type { CustomEmoji } from '../custom-emoji.ts'
import type { Organization } from '../entities.ts'
import type { Generation } from '../generation.ts'
import type { EmailDomain, Linkifier, Playground } from '../organization-lists.ts'
import type { OrganizationSettings } from '../organization-settings.ts'
import type { OrganizationPermissions } from '../permissions.ts'
import type { ProfileField } from '../profile-fields.ts'
import type { UserSettingChange } from '../user-settings.ts'
import type { ClientKind } from './client-kind.ts'

/** What changes about the organization at once. */
export interface OrganizationChange {
  readonly name?: string
  readonly description?: string
  readonly renderedDescription?: string
  readonly settings?: Partial<OrganizationSettings>
  readonly permissions?: Partial<OrganizationPermissions>
}

/** The organization, or the server that it is on. */
export type OrganizationEvent =
  | { readonly type: 'organization_created'; readonly organization: Organization }
  /** All fields after the change, in their order; what profiles said in others is gone. */
  | { readonly type: 'custom_profile_fields'; readonly fields: readonly ProfileField[] }
  | { readonly type: 'realm/update_dict'; readonly changes: OrganizationChange }
  /** The organization stays as it is, but clients see other users in its permissions: accounts came or went. */
  | {
      readonly type: 'realm/update_shown'
      readonly changes: { readonly permissions: Partial<OrganizationPermissions> }
    }
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
  /** Newcomers start with another value. */
  | { readonly type: 'realm_user_settings_defaults/update'; readonly change: UserSettingChange }
  /** There is another custom emoji, or one is deactivated; all are told, as they are when it is told. */
  | { readonly type: 'realm_emoji/update'; readonly emoji: CustomEmoji }
  /** Nothing else has happened for a while: a number by which those who wait are told so. */
  | { readonly type: 'heartbeat' }
  /** The release of the server where none was noted before; it may have run already, so it is no news. */
  | { readonly type: 'release_noted'; readonly generation: Generation }
  /** The server was started anew, or is another release now; told once to each client that lived through it. */
  | {
      readonly type: 'restart'
      readonly generation: Generation
      /** What clients are told of the release, by the names they know. */
      readonly facts: Readonly<Record<string, string | number>>
    }

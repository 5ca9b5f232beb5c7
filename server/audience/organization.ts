/** Recipients of facts about the organization, and about the lists that all users share. */

import type { EventOf } from '../domain/events.ts'
import { everyone, type Notifiers, nobody } from './notifier.ts'

type OrganizationFact = EventOf<
  | 'organization_created'
  | 'realm/update_dict'
  | 'realm/picture'
  | 'realm_linkifiers'
  | 'realm_playgrounds'
  | 'realm_domains/add'
  | 'realm_domains/change'
  | 'realm_domains/remove'
  | 'realm_user_settings_defaults/update'
  | 'realm_emoji/update'
  | 'custom_profile_fields'
  | 'restart'
  | 'release_noted'
  | 'heartbeat'
>

export const ORGANIZATION_NOTIFIERS: Notifiers<OrganizationFact> = {
  organization_created: nobody,
  'realm/update_dict': everyone,
  'realm/picture': everyone,
  realm_linkifiers: everyone,
  realm_playgrounds: everyone,
  'realm_domains/add': everyone,
  'realm_domains/change': everyone,
  'realm_domains/remove': everyone,
  'realm_user_settings_defaults/update': everyone,
  'realm_emoji/update': everyone,
  custom_profile_fields: everyone,
  restart: everyone,
  release_noted: nobody,
  heartbeat: nobody,
}

/** The state of the organization, and of its lists. */

import type { OrganizationEvent } from '../../domain/events/organization.ts'
import { ORGANIZATION_SETTINGS_DEFAULTS } from '../../domain/organization/organization-settings.ts'
import { withEntries } from '../../domain/organization/organization-lists.ts'
import { completePermissions, ORGANIZATION_PERMISSIONS } from '../../domain/groups/permissions.ts'
import { type Appliers, storedElsewhere, noticeOnly } from './appliers.ts'

/** Applies the events of the organization. */
export const ORGANIZATION_APPLIERS: Appliers<OrganizationEvent> = {
  organization_created: (state, { organization }) => {
    // Entries of earlier releases lack later settings and permissions.
    state.organization = {
      ...organization,
      settings: { ...ORGANIZATION_SETTINGS_DEFAULTS, ...organization.settings },
      permissions: completePermissions(ORGANIZATION_PERMISSIONS, organization.permissions, null),
    }
  },
  'realm/update_dict': (state, { changes }) => {
    if (!state.organization) throw new Error('there is no organization to change')
    const { settings, permissions, ...texts } = changes
    state.organization = {
      ...state.organization,
      ...texts,
      settings: { ...state.organization.settings, ...settings },
      permissions: { ...state.organization.permissions, ...permissions },
    }
  },
  'realm/picture': (state, { which, pictureId }) => {
    state.pictures = { ...state.pictures, [which]: pictureId }
  },
  'realm/update_shown': noticeOnly,
  realm_linkifiers: (state, { linkifiers }) => {
    state.linkifiers = withEntries(state.linkifiers, linkifiers)
  },
  realm_playgrounds: (state, { playgrounds }) => {
    state.playgrounds = withEntries(state.playgrounds, playgrounds)
  },
  'realm_domains/add': (state, { domain }) => {
    state.emailDomains = [...state.emailDomains, domain]
  },
  'realm_domains/change': (state, { domain }) => {
    state.emailDomains = state.emailDomains.map((one) => (one.id === domain.id ? domain : one))
  },
  'realm_domains/remove': (state, { domain }) => {
    state.emailDomains = state.emailDomains.filter(({ id }) => id !== domain.id)
  },
  'realm_user_settings_defaults/update': (state, { change }) => {
    state.newUserSettings = { ...state.newUserSettings, [change.name]: change.value }
  },
  'realm_emoji/update': (state, { emoji }) => {
    const others = state.emoji.filter(({ id }) => id !== emoji.id)
    state.emoji = [...others, emoji].sort((a, b) => a.id - b.id)
  },
  custom_profile_fields: (state, { fields }) => {
    state.placeProfileFields(fields)
  },
  restart: (state, { generation }) => {
    state.generation = generation
  },
  release_noted: (state, { generation }) => {
    state.generation = generation
  },
  heartbeat: storedElsewhere,
}

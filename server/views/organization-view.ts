/** The organization's settings for clients. */

import { BOOLEAN, describe, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import type { OrganizationChange } from '../domain/events/organization.ts'
import { ORGANIZATION_PERMISSIONS } from '../domain/groups/permissions.ts'
import type { OrganizationSettings } from '../domain/organization/organization-settings.ts'
import { PLAIN_SETTINGS } from '../domain/settings/plain-settings.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import { pictureSourceOfNewUsers } from '../state/picture-source.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { POLICY_FIELDS, viewPolicies } from './organization-policies-view.ts'
import { SETTING_FIELDS, SETTING_VIEWS, type SettingView } from './organization-setting-views.ts'
import { permissionSchemas, viewPermissions } from './permission-view.ts'
import { snakeCase } from './snake-case.ts'

/** The schemas of `viewOrganizationChange`, without a prefix. */
export const ORGANIZATION_FIELDS = {
  name: describe(STRING, 'The name of the organization.'),
  description: describe(STRING, 'Its description, in Markdown.'),
  ...SETTING_FIELDS,
  mandatory_topics: describe(BOOLEAN, '`topics_policy` for older clients: whether a topic is mandatory.'),
  allow_edit_history: describe(BOOLEAN, 'Whether any edit history is visible, for older clients.'),
  ...permissionSchemas(ORGANIZATION_PERMISSIONS),
  ...POLICY_FIELDS,
}

/** Schema of `viewOrganizationChange`, without a prefix. */
export const ORGANIZATION_CHANGE = record({}, ORGANIZATION_FIELDS)

/** All fields by wire names with a prefix. */
type OrganizationView<Prefix extends string> = {
  readonly [Name in keyof typeof ORGANIZATION_FIELDS as `${Prefix}${Name}`]: ValueOf<
    (typeof ORGANIZATION_FIELDS)[Name]
  >
}

/** All settings of the organization, by wire names with the prefix `realm_`. */
export function viewOrganization(state: OrganizationState): OrganizationView<'realm_'> {
  const { organization, permissions, rights } = state
  const { name = '', description = '' } = organization ?? {}
  const all = { name, description, settings: shownSettings(state), permissions }
  return viewOrganizationChange(all, rights.activeUsers, 'realm_') as OrganizationView<'realm_'>
}

/** The settings with the picture source that applies: clients know no unset one. */
export function shownSettings(state: OrganizationState): OrganizationSettings {
  return { ...state.settings, defaultPictureSource: pictureSourceOfNewUsers(state) }
}

/** The changed settings of the organization, by wire names with `prefix`. */
export function viewOrganizationChange<Prefix extends string = ''>(
  { name, description, settings, permissions }: OrganizationChange,
  activeUsers: UserSet,
  prefix = '' as Prefix,
): Partial<OrganizationView<Prefix>> {
  const view: Record<string, unknown> = {}
  if (name !== undefined) view[`${prefix}name`] = name
  if (description !== undefined) view[`${prefix}description`] = description
  for (const [setting, value] of Object.entries(settings ?? {})) {
    if (setting in PLAIN_SETTINGS) {
      view[prefix + snakeCase(setting)] = value
      continue
    }
    const { name: wireName, view: viewValue }: SettingView<never> =
      SETTING_VIEWS[setting as keyof typeof SETTING_VIEWS]
    view[prefix + wireName] = viewValue ? viewValue(value as never) : value
  }
  // Older clients know the topics policy as whether a topic is mandatory.
  if (settings?.topicsPolicy !== undefined) {
    view[`${prefix}mandatory_topics`] = settings.topicsPolicy === 'disable_empty_topic'
  }
  // They know the edit history as whether it is visible at all.
  if (settings?.editHistoryVisibility !== undefined) {
    view[`${prefix}allow_edit_history`] = settings.editHistoryVisibility !== 'none'
  }
  // The tables give both the names and the schemas.
  return {
    ...view,
    ...viewPermissions(permissions ?? {}, activeUsers, prefix),
    ...viewPolicies(permissions ?? {}, prefix),
  } as Partial<OrganizationView<Prefix>>
}

/** The initial state of users' settings. */

import type { LegacySettingType } from '../../domain/settings/legacy-settings.ts'
import {
  legacySettingSchemas,
  NEW_USER_SETTINGS,
  OWN_SETTINGS,
  viewDefaultSettings,
  viewLegacySettings,
  viewSettings,
} from '../../views/settings-view.ts'
import type { RegistrationContext } from './context.ts'
import { describedFields, optionalFields, statePart } from './state-part.ts'

/** `user_settings`. */
export const settings = statePart({
  fields: { user_settings: { schema: OWN_SETTINGS, description: "The user's settings." } },
  fetch: ({ user, services: { state } }) => ({
    user_settings: viewSettings(state.settingsOf(user.id), user),
  }),
})

const FOR_OLDER = 'Only for clients without `user_settings_object`.'

/** `update_display_settings`: the same for older clients, as separate fields. */
export const displaySettings = statePart({
  fields: optionalFields(describedFields(legacySettingSchemas('update_display_settings')), FOR_OLDER),
  fetch: (context) => viewForOlder('update_display_settings', context),
})

/** `update_global_notifications`: the same for notifications. */
export const notificationSettings = statePart({
  fields: optionalFields(describedFields(legacySettingSchemas('update_global_notifications')), FOR_OLDER),
  fetch: (context) => viewForOlder('update_global_notifications', context),
})

function viewForOlder<Type extends LegacySettingType>(
  type: Type,
  { user, services: { state }, options }: RegistrationContext,
) {
  return options.hasSettingsObject ? {} : viewLegacySettings(type, state.settingsOf(user.id), user)
}

/** `realm_user_settings_defaults`. */
export const newUserSettings = statePart({
  fields: {
    realm_user_settings_defaults: { schema: NEW_USER_SETTINGS, description: 'The settings of new users.' },
  },
  fetch: ({ services: { state } }) => ({
    realm_user_settings_defaults: viewDefaultSettings(state.newUserSettings),
  }),
})

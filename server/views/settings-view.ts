/** Users' settings for their clients. */

import type { User } from '../domain/entities.ts'
import { arrayOf, describe, record, type Schema, STRING, type ValueOf } from '../domain/json-schema.ts'
import { LEGACY_SETTINGS, type LegacySettingType } from '../domain/settings/legacy-settings.ts'
import {
  EMOJI_SETS,
  NOTIFICATION_SOUNDS,
  USER_SETTINGS,
  USER_SETTINGS_DEFAULTS,
  type UserSettingName,
  type UserSettings,
} from '../domain/users/user-settings.ts'
import { settingName, SETTINGS_BY_WIRE_NAME, type SettingWireName } from './setting-names.ts'
import { settingSchema } from './setting-schemas.ts'

type SettingSchemas = {
  readonly [Name in UserSettingName as SettingWireName<Name>]: Schema<UserSettings[Name]>
}

const SETTING_FIELDS = Object.fromEntries(
  [...SETTINGS_BY_WIRE_NAME].map(([wireName, name]) => [wireName, settingSchema(USER_SETTINGS[name])]),
) as SettingSchemas

const CHOICE_FIELDS = {
  available_notification_sounds: describe(arrayOf(STRING), 'The sounds that `notification_sound` may name.'),
  emojiset_choices: describe(
    arrayOf(record({ key: STRING, text: STRING })),
    'The emoji styles that `emojiset` may name, with their display names.',
  ),
}

const OWN_FIELDS = {
  timezone: describe(STRING, 'An IANA time zone, or empty.'),
  ...SETTING_FIELDS,
  ...CHOICE_FIELDS,
}

/** Schema of `viewSettings`. */
export const OWN_SETTINGS = record(OWN_FIELDS)

/** Schema of `viewDefaultSettings`. */
export const NEW_USER_SETTINGS = record({ ...SETTING_FIELDS, ...CHOICE_FIELDS })

/** All settings of a user, with the possible values of some. */
export function viewSettings(
  settings: UserSettings,
  { timezone }: Pick<User, 'timezone'>,
): ValueOf<typeof OWN_SETTINGS> {
  const view: Record<string, unknown> = { timezone }
  for (const [wireName, name] of SETTINGS_BY_WIRE_NAME) view[wireName] = settings[name]
  return {
    ...(view as { timezone: string } & { [Name in keyof SettingSchemas]: ValueOf<SettingSchemas[Name]> }),
    available_notification_sounds: NOTIFICATION_SOUNDS,
    emojiset_choices: Object.entries(EMOJI_SETS).map(([key, text]) => ({ key, text })),
  }
}

/** The settings of new users; a time zone is personal, so it is omitted. */
export function viewDefaultSettings(differing: Partial<UserSettings>): ValueOf<typeof NEW_USER_SETTINGS> {
  const { timezone: _, ...view } = viewSettings({ ...USER_SETTINGS_DEFAULTS, ...differing }, { timezone: '' })
  return view
}

const LEGACY_CHOICES = {
  update_display_settings: 'emojiset_choices',
  update_global_notifications: 'available_notification_sounds',
} as const satisfies Readonly<Record<LegacySettingType, keyof typeof CHOICE_FIELDS>>

/** The fields of older clients among others. */
type LegacyOf<Type extends LegacySettingType, Fields> = Pick<
  Fields,
  keyof Fields & (SettingWireName<(typeof LEGACY_SETTINGS)[Type][number]> | (typeof LEGACY_CHOICES)[Type])
>

/** The schemas of `viewLegacySettings`. */
export function legacySettingSchemas<Type extends LegacySettingType>(
  type: Type,
): LegacyOf<Type, typeof OWN_FIELDS> {
  return pickLegacy(type, OWN_FIELDS)
}

/** The settings as older clients get them, as separate fields. */
export function viewLegacySettings<Type extends LegacySettingType>(
  type: Type,
  settings: UserSettings,
  user: User,
): LegacyOf<Type, ValueOf<typeof OWN_SETTINGS>> {
  return pickLegacy(type, viewSettings(settings, user))
}

function pickLegacy<Type extends LegacySettingType, Fields>(
  type: Type,
  fields: Fields,
): LegacyOf<Type, Fields> {
  const names = [...LEGACY_SETTINGS[type].map(settingName), LEGACY_CHOICES[type]] as (keyof Fields)[]
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as LegacyOf<Type, Fields>
}

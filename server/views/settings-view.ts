/** Users' settings for their clients. */

import type { User } from '../domain/entities.ts'
import {
  EMOJI_SETS,
  languageName,
  NOTIFICATION_SOUNDS,
  USER_SETTINGS,
  USER_SETTINGS_DEFAULTS,
  type UserSettingChange,
  type UserSettingName,
  type UserSettings,
} from '../domain/user-settings.ts'
import { LEGACY_SETTINGS, type LegacySettingType } from '../domain/legacy-settings.ts'
import { anyOf, BOOLEAN, INTEGER, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** Settings with irregular wire names. */
const ODD_NAMES: Partial<Record<UserSettingName, string>> = {
  translatesEmoticons: 'translate_emoticons',
  sendsReadReceipts: 'send_read_receipts',
  sendsDirectTyping: 'send_private_typing_notifications',
  sendsChannelTyping: 'send_stream_typing_notifications',
  receivesTyping: 'receives_typing_notifications',
}

/** Every setting by its name on the wire. */
export const SETTINGS_BY_WIRE_NAME: ReadonlyMap<string, UserSettingName> = new Map(
  (Object.keys(USER_SETTINGS) as UserSettingName[]).map((name) => [ODD_NAMES[name] ?? snakeCase(name), name]),
)
const WIRE_NAMES = new Map([...SETTINGS_BY_WIRE_NAME].map(([wireName, name]) => [name, wireName]))

/** `enterSends` becomes `enter_sends`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A setting's name on the wire: `enterSends` is `enter_sends`. */
function settingName(name: UserSettingChange['name']): string {
  return name === 'timezone' ? name : (WIRE_NAMES.get(name) as string)
}

/** All settings of a user, with the possible values of some. */
export function viewSettings(
  settings: UserSettings,
  { timezone }: Pick<User, 'timezone'>,
): Record<string, unknown> {
  const view: Record<string, unknown> = { timezone }
  for (const [wireName, name] of SETTINGS_BY_WIRE_NAME) view[wireName] = settings[name]
  return {
    ...view,
    available_notification_sounds: NOTIFICATION_SOUNDS,
    emojiset_choices: Object.entries(EMOJI_SETS).map(([key, text]) => ({ key, text })),
  }
}

/** The settings of new users; a time zone is personal, so it is omitted. */
export function viewDefaultSettings(differing: Partial<UserSettings>): Record<string, unknown> {
  const { timezone: _, ...view } = viewSettings({ ...USER_SETTINGS_DEFAULTS, ...differing }, { timezone: '' })
  return view
}

/** The settings as older clients get them, as separate fields. */
export function viewLegacySettings(type: LegacySettingType, settings: UserSettings, user: User) {
  const view = viewSettings(settings, user)
  const choices = type === 'update_display_settings' ? 'emojiset_choices' : 'available_notification_sounds'
  return Object.fromEntries(
    [...LEGACY_SETTINGS[type].map(settingName), choices].map((name) => [name, view[name]]),
  )
}

/** Schema of `viewSettingChange`. */
export const SETTING_CHANGE_FIELDS = { property: STRING, value: anyOf(BOOLEAN, INTEGER, STRING) }
/** The language's name, if the language changed. */
export const LANGUAGE_FIELDS = { language_name: STRING }
const SETTING_CHANGE = record(SETTING_CHANGE_FIELDS, LANGUAGE_FIELDS)

/** A changed setting. */
export function viewSettingChange({ name, value }: UserSettingChange): ValueOf<typeof SETTING_CHANGE> {
  return { property: settingName(name), value, ...viewLanguage(name, value) }
}

/** A changed display setting, for clients that do not know settings as one object. */
export function viewDisplayChange(email: string, { name, value }: UserSettingChange) {
  return { user: email, setting_name: settingName(name), setting: value, ...viewLanguage(name, value) }
}

/** A changed notification setting, for the same clients. */
export function viewNotificationChange(email: string, { name, value }: UserSettingChange) {
  return { user: email, notification_name: settingName(name), setting: value }
}

function viewLanguage(name: string, value: unknown): { readonly language_name?: string } {
  if (name !== 'defaultLanguage') return {}
  const language_name = languageName(String(value))
  return language_name === undefined ? {} : { language_name }
}

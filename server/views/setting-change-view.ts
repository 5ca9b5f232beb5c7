/** Changes of users' settings for their clients. */

import { anyOf, BOOLEAN, INTEGER, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import { languageName, type UserSettingChange } from '../domain/users/user-settings.ts'
import { settingName } from './setting-names.ts'

/** Schema of `viewSettingChange`. */
export const SETTING_CHANGE_FIELDS = { property: STRING, value: anyOf(BOOLEAN, INTEGER, STRING) }
/** The language's name, if the language changed. */
export const LANGUAGE_FIELDS = { language_name: STRING }
export const SETTING_CHANGE = record(SETTING_CHANGE_FIELDS, LANGUAGE_FIELDS)

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

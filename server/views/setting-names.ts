/** The names of users' settings on the wire. */

import { USER_SETTINGS, type UserSettingChange, type UserSettingName } from '../domain/users/user-settings.ts'
import { type SnakeCase, snakeCase } from './snake-case.ts'

/** Settings with irregular wire names. */
const ODD_NAMES = {
  translatesEmoticons: 'translate_emoticons',
  sendsReadReceipts: 'send_read_receipts',
  sendsDirectTyping: 'send_private_typing_notifications',
  sendsChannelTyping: 'send_stream_typing_notifications',
  receivesTyping: 'receives_typing_notifications',
  // Our own: no client of the family has settings of these names.
  hidesNotificationText: 'parley_hide_notification_text',
  showsLinkPreviews: 'parley_show_link_previews',
  showsTopicTour: 'parley_show_topic_tour',
  notificationsPausedUntil: 'parley_notifications_paused_until',
  quietHours: 'parley_quiet_hours',
} as const satisfies Partial<Record<UserSettingName, string>>

/** A setting's name on the wire: `enterSends` is `enter_sends`. */
export type SettingWireName<Name extends UserSettingChange['name']> = Name extends keyof typeof ODD_NAMES
  ? (typeof ODD_NAMES)[Name]
  : SnakeCase<Name>

/** Every setting by its name on the wire. */
export const SETTINGS_BY_WIRE_NAME: ReadonlyMap<string, UserSettingName> = new Map(
  (Object.keys(USER_SETTINGS) as UserSettingName[]).map((name) => [
    (ODD_NAMES as Partial<Record<UserSettingName, string>>)[name] ?? snakeCase(name),
    name,
  ]),
)
const WIRE_NAMES = new Map([...SETTINGS_BY_WIRE_NAME].map(([wireName, name]) => [name, wireName]))

/** The wire name of a setting, or of the time zone. */
export function settingName(name: UserSettingChange['name']): string {
  return name === 'timezone' ? name : (WIRE_NAMES.get(name) as string)
}

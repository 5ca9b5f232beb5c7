/** Settings in Zulip's rows, by the names that exports of this server have. */

import type { Fields } from '../fields.ts'
import { PLAIN_SETTINGS } from '../../../domain/settings/plain-settings.ts'
import { SETTING_VIEWS } from '../../../views/organization-setting-views.ts'
import { SETTINGS_BY_WIRE_NAME } from '../../../views/setting-names.ts'
import { snakeCase } from '../../../views/snake-case.ts'

/** Values that rows have as numbers, and the API as names; those of channels' topics are the organization's, too. */
const NAMED: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  resolved_topic_notice_auto_read_policy: { 1: 'always', 2: 'except_followed', 3: 'never' },
  message_edit_history_visibility_policy: { 1: 'all', 2: 'moves', 3: 'none' },
  topics_policy: { 1: 'inherit', 2: 'allow_empty_topic', 3: 'disable_empty_topic', 4: 'empty_topic_only' },
}

/** The settings of a person, or the defaults of the organization. */
export function userSettingsOf(row: Fields): Fields {
  return renamed(row, [...SETTINGS_BY_WIRE_NAME])
}

/** The settings of the organization, out of its row. */
export function organizationSettingsOf(row: Fields): Fields {
  const odd = Object.entries(SETTING_VIEWS).map(([name, view]) => [view.name, name] as const)
  const plain = Object.keys(PLAIN_SETTINGS).map((name) => [snakeCase(name), name] as const)
  return renamed(row, [...odd, ...plain])
}

/** The settings of a subscription; what is as it is for everyone is left out. */
export function subscriptionSettingsOf(row: Fields): Fields {
  const { color, is_muted: isMuted, pin_to_top: isPinned } = row
  const inheriting = ['desktop', 'audible', 'push', 'email']
    .map((kind) => `${kind}_notifications`)
    .concat('wildcard_mentions_notify')
  return {
    color,
    ...(isMuted === true ? { is_muted: true } : {}),
    ...(isPinned === true ? { is_pinned: true } : {}),
    ...Object.fromEntries(
      inheriting.filter((name) => typeof row[name] === 'boolean').map((name) => [name, row[name]]),
    ),
  }
}

/** A value as the API has it. */
export function valueOf(row: Fields, wireName: string): unknown {
  // References have the name of what they refer to.
  const value = row[wireName] ?? row[wireName.replace(/_id$/, '')]
  return typeof value === 'number' ? (NAMED[wireName]?.[value] ?? value) : value
}

function renamed(row: Fields, names: readonly (readonly [wireName: string, name: string])[]): Fields {
  const values = names.map(([wireName, name]) => [snakeCase(name), valueOf(row, wireName)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null))
}

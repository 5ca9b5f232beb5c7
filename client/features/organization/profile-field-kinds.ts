/** The kinds of profile fields, and the choices of a field. */

import type { ProfileField } from '../../../packages/client/src/wire-types.ts'
import { t } from '../../texts/texts.ts'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

const NAMES: ReadonlyMap<number, string> = new Map([
  [PROFILE_FIELD_TYPES.shortText, t('Short text')],
  [PROFILE_FIELD_TYPES.longText, t('Long text')],
  [PROFILE_FIELD_TYPES.choice, t('List of choices')],
  [PROFILE_FIELD_TYPES.date, t('Date')],
  [PROFILE_FIELD_TYPES.link, t('Link')],
  [PROFILE_FIELD_TYPES.users, t('People')],
  [PROFILE_FIELD_TYPES.externalAccount, t('External account')],
  [PROFILE_FIELD_TYPES.pronouns, t('Pronouns')],
])

export const FIELD_KIND_OPTIONS = [...NAMES].map(([kind, name]) => [String(kind), name] as const)

export function fieldKindName(kind: number): string {
  return NAMES.get(kind) ?? t('Other')
}

interface ChoiceData {
  readonly text: string
  readonly order: string
}

/** The choices of a field by value, in their order. */
export function optionsOf(field: ProfileField): readonly (readonly [value: string, text: string])[] {
  if (field.type !== PROFILE_FIELD_TYPES.choice) return []
  const data = JSON.parse(field.field_data) as Readonly<Record<string, ChoiceData>>
  return Object.entries(data)
    .sort((a, b) => Number(a[1].order) - Number(b[1].order))
    .map(([value, { text }]) => [value, text] as const)
}

/** The choices as the API takes them, from lines. A choice that stays has its value again, so that profiles keep it. */
export function choicesData(
  lines: string,
  before: ProfileField | undefined,
): Readonly<Record<string, ChoiceData>> {
  const present = new Map((before ? optionsOf(before) : []).map(([value, text]) => [text, value]))
  const texts = lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  let next = Math.max(-1, ...[...present.values()].map(Number).filter(Number.isInteger)) + 1
  return Object.fromEntries(
    texts.map((text, index) => [present.get(text) ?? String(next++), { text, order: String(index + 1) }]),
  )
}

/** A site that the server does not know. */
export const CUSTOM_SITE = 'custom'

interface AccountData {
  readonly subtype: string
  readonly url_pattern?: string
}

/** The site of a field for accounts elsewhere. */
export function accountOf(field: ProfileField): AccountData | undefined {
  return field.type === PROFILE_FIELD_TYPES.externalAccount
    ? (JSON.parse(field.field_data) as AccountData)
    : undefined
}

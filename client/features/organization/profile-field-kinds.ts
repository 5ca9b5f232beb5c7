/** The kinds of profile fields, and the choices of a field. */

import type { ProfileField } from '../../../packages/client/src/wire-types.ts'
import { t } from '../../texts/texts.ts'

/** By their numbers in the API. */
export const FIELD_KINDS = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const

const NAMES: ReadonlyMap<number, string> = new Map([
  [FIELD_KINDS.shortText, t('Short text')],
  [FIELD_KINDS.longText, t('Long text')],
  [FIELD_KINDS.choice, t('List of choices')],
  [FIELD_KINDS.date, t('Date')],
  [FIELD_KINDS.link, t('Link')],
  [FIELD_KINDS.users, t('People')],
  [FIELD_KINDS.externalAccount, t('External account')],
  [FIELD_KINDS.pronouns, t('Pronouns')],
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
  if (field.type !== FIELD_KINDS.choice) return []
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
  return field.type === FIELD_KINDS.externalAccount
    ? (JSON.parse(field.field_data) as AccountData)
    : undefined
}

/** The profile of a user: values of the organization's fields, in words. */

import type { ProfileField, User } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { nameOf } from './users.ts'
import { locale } from '../../texts/texts.ts'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

export interface ProfileLine {
  readonly id: number
  readonly name: string
  readonly text: string
  /** The address that the value links to. */
  readonly href: string | undefined
}

/** The fields that a user has filled in, in the organization's order. */
export function profileOf(state: State, user: User): readonly ProfileLine[] {
  return fieldsOf(state).flatMap((field) => {
    const value = user.profile_data?.[field.id]?.value
    if (value === undefined || value === '') return []
    return [
      {
        id: field.id,
        name: field.name,
        text: textOf(state, field, value),
        href: hrefOf(state, field, value),
      },
    ]
  })
}

export function fieldsOf(state: State): readonly ProfileField[] {
  return (state.custom_profile_fields ?? []).toSorted((a, b) => a.order - b.order)
}

/** The choices of a field by their keys, in order. */
export function choicesOfField(field: ProfileField): readonly (readonly [key: string, text: string])[] {
  const choices = readJson(field.field_data)
  return Object.entries(choices)
    .map(([key, one]) => [key, one as { text?: unknown; order?: unknown }] as const)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => [key, String(text)] as const)
}

/** The ids in the value of a field of people. */
export function peopleIn(value: string): readonly number[] {
  const ids: unknown = parse(value)
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : []
}

function textOf(state: State, field: ProfileField, value: string): string {
  switch (field.type) {
    case PROFILE_FIELD_TYPES.choice:
      return choicesOfField(field).find(([key]) => key === value)?.[1] ?? value
    case PROFILE_FIELD_TYPES.users:
      return peopleIn(value)
        .map((id) => nameOf(state, id))
        .join(', ')
    case PROFILE_FIELD_TYPES.date:
      return dateText(value)
    default:
      return value
  }
}

/** Dates have no time zone. */
function dateText(value: string): string {
  const date = new Date(`${value}T00:00:00Z`)
  return Number.isNaN(date.getTime())
    ? value
    : date.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
}

function hrefOf(state: State, field: ProfileField, value: string): string | undefined {
  if (field.type === PROFILE_FIELD_TYPES.link) return safeHref(value)
  if (field.type !== PROFILE_FIELD_TYPES.externalAccount) return undefined
  const { subtype, url_pattern: own } = readJson(field.field_data)
  const pattern =
    typeof own === 'string' ? own : state.realm_default_external_accounts?.[String(subtype)]?.url_pattern
  return pattern && safeHref(pattern.replace('%(username)s', () => encodeURIComponent(value)))
}

/** Only addresses of pages: a value could also begin with `javascript:`. */
function safeHref(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  const value = parse(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

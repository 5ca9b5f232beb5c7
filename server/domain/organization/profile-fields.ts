/** The organization's own profile fields, and their values. */

import type { User } from '../entities.ts'
import type { ProfileFieldId, UserId } from '../ids.ts'
import {
  PROFILE_LONG_TEXT_LENGTH_MAX,
  PROFILE_SHORT_TEXT_LENGTH_MAX,
} from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { PROFILE_USERS_MAX } from '../limits.ts'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

export type ProfileFieldType = (typeof PROFILE_FIELD_TYPES)[keyof typeof PROFILE_FIELD_TYPES]

/** The options of a choice, by stored value. */
export type Choices = Readonly<Record<string, { readonly text: string; readonly order: string }>>
/** The site of an account: a supported site, or `custom` with the address of its profiles. */
export interface ExternalAccount {
  readonly subtype: string
  readonly url_pattern?: string
}

/** A field that all profiles have. */
export interface ProfileField {
  readonly id: ProfileFieldId
  readonly type: ProfileFieldType
  readonly name: string
  readonly hint: string
  /** For choices and external accounts; null for other types. */
  readonly data: Choices | ExternalAccount | null
  /** Whether clients show it beside the user's name. */
  readonly isInSummary: boolean
  /** Whether clients ask people to fill it in. */
  readonly isRequired: boolean
  /** Whether users may change their own value; administrators always may. */
  readonly isEditable: boolean
}

/** The value of a field; a list of users is JSON. */
export interface ProfileValue {
  readonly value: string
  /** HTML, if the field holds Markdown. */
  readonly rendered?: string
}

/** The values of one user. */
export type Profile = ReadonlyMap<ProfileFieldId, ProfileValue>

/** Sites with built-in support. */
export const EXTERNAL_ACCOUNTS: Readonly<
  Record<
    string,
    { readonly name: string; readonly text: string; readonly hint: string; readonly url: string }
  >
> = {
  twitter: { name: 'Twitter username', text: 'Twitter', hint: '', url: 'https://twitter.com/%(username)s' },
  github: { name: 'GitHub username', text: 'GitHub', hint: '', url: 'https://github.com/%(username)s' },
}

/** Whether a field holds Markdown. */
export function isMarkdownField({ type }: Pick<ProfileField, 'type'>): boolean {
  return type === PROFILE_FIELD_TYPES.shortText || type === PROFILE_FIELD_TYPES.longText
}

/** Whether a field takes its name and hint from a supported site. */
export function isSupportedSite({ type, data }: Pick<ProfileField, 'type' | 'data'>): boolean {
  return type === PROFILE_FIELD_TYPES.externalAccount && (data as ExternalAccount).subtype !== 'custom'
}

/** Why a value is invalid for a field, in the API's words, or undefined. */
export function findValueFault(
  field: ProfileField,
  value: string | readonly number[],
  findUser: (id: UserId) => User | undefined,
): string | undefined {
  const { name, type } = field
  if (type === PROFILE_FIELD_TYPES.users) return findUsersFault(name, value, findUser)
  if (typeof value !== 'string') return `${name} is not a string`
  switch (type) {
    case PROFILE_FIELD_TYPES.choice:
      return Object.hasOwn(field.data as Choices, value)
        ? undefined
        : `'${value}' is not a valid choice for '${name}'.`
    case PROFILE_FIELD_TYPES.date:
      return isDate(value) ? undefined : `${name} is not a date`
    case PROFILE_FIELD_TYPES.link:
      if (!isWebAddress(value)) return `${name} is not a URL`
      return findLengthFault(name, value, PROFILE_LONG_TEXT_LENGTH_MAX)
    case PROFILE_FIELD_TYPES.longText:
      return findLengthFault(name, value, PROFILE_LONG_TEXT_LENGTH_MAX)
    default:
      return findLengthFault(name, value, PROFILE_SHORT_TEXT_LENGTH_MAX)
  }
}

function findUsersFault(
  name: string,
  value: string | readonly number[],
  findUser: (id: UserId) => User | undefined,
): string | undefined {
  if (typeof value === 'string') return `${name} is not a list`
  if (value.length > PROFILE_USERS_MAX) return `${name} is too long (limit: ${PROFILE_USERS_MAX} items)`
  for (const id of value) {
    const user = findUser(id as UserId)
    if (!user) return `Invalid user ID: ${id}`
    if (!user.isActive) return `User with ID ${id} is deactivated`
    if (user.botType !== null) return `User with ID ${id} is a bot`
  }
  return undefined
}

function findLengthFault(name: string, value: string, lengthMax: number): string | undefined {
  return countCodePoints(value) > lengthMax
    ? `${name} is too long (limit: ${lengthMax} characters)`
    : undefined
}

/** Whether a date exists, such as `2020-02-29`. */
function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Whether a text is an address that a browser may open safely. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>"\\]+$/i.test(text) && URL.canParse(text)
}

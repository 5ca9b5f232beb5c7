/** The fields that an organization adds to the profiles of its people, and what stands in them. */

import type { User } from './entities.ts'
import type { ProfileFieldId, UserId } from './ids.ts'
import {
  countCodePoints,
  PROFILE_LONG_TEXT_LENGTH_MAX,
  PROFILE_SHORT_TEXT_LENGTH_MAX,
  PROFILE_USERS_MAX,
} from './limits.ts'

/** Kinds of fields by their wire numbers. */
export const PROFILE_FIELD_TYPES = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const
export type ProfileFieldType = (typeof PROFILE_FIELD_TYPES)[keyof typeof PROFILE_FIELD_TYPES]

/** What there is to choose, by the value that is kept. */
export type Choices = Readonly<Record<string, { readonly text: string; readonly order: string }>>
/** Where an account is: a site that is known, or `custom` with the address of its profiles. */
export interface ExternalAccount {
  readonly subtype: string
  readonly url_pattern?: string
}

/** A field of everyone's profile. */
export interface ProfileField {
  readonly id: ProfileFieldId
  readonly type: ProfileFieldType
  readonly name: string
  readonly hint: string
  /** Of choices and external accounts; null for other types. */
  readonly data: Choices | ExternalAccount | null
  /** Whether clients show it with the user's name. */
  readonly isInSummary: boolean
  /** Whether clients ask people to fill it in. */
  readonly isRequired: boolean
  /** Whether people change it themselves; administrators always do. */
  readonly isEditable: boolean
}

/** What stands in a field; a list of users as JSON. */
export interface ProfileValue {
  readonly value: string
  /** HTML, where the field holds Markdown. */
  readonly rendered?: string
}

/** What one user has filled in. */
export type Profile = ReadonlyMap<ProfileFieldId, ProfileValue>

/** Sites that have a field of their own. */
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

/** Whether a field's name and hint come with a site that is known. */
export function isKnownSite({ type, data }: Pick<ProfileField, 'type' | 'data'>): boolean {
  return type === PROFILE_FIELD_TYPES.externalAccount && (data as ExternalAccount).subtype !== 'custom'
}

/** What is wrong with a value for a field, in the API's words; undefined where it may stand there. */
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

/** A day that there is, as `2020-02-29`. */
function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Whether a text is an address that a browser may open without harm. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>"\\]+$/i.test(text) && URL.canParse(text)
}

/** Brings the organization's own profile fields over, and the values of people who have none here. */

import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import {
  PROFILE_FIELD_HINT_LENGTH_MAX,
  PROFILE_FIELD_NAME_LENGTH_MAX,
} from '../../../packages/rules/limits.ts'
import { renderMarkdown } from '../../../workers/pool/render-markdown.ts'
import { answering, type Decision, done } from '../../decisions/decision.ts'
import { decideNewProfileField } from '../../decisions/organization/change-profile-fields.ts'
import { scopeFor, type ServerScope } from '../../decisions/scope.ts'
import { changeProfile } from '../../decisions/users/change-profile.ts'
import type { ProfileFieldId, UserId } from '../../domain/ids.ts'
import { PROFILE_FIELD_DATA_LENGTH_MAX } from '../../domain/limits.ts'
import { isMarkdownField, type ProfileField } from '../../domain/organization/profile-fields.ts'
import { ApiError } from '../../errors/api-error.ts'
import { cutText } from './fields.ts'
import type { Loading } from './loading.ts'
import type { ForeignProfileField } from './records.ts'
import { PROFILE_FIELD_TYPES } from '../../../packages/rules/profile-field-types.ts'

/** Adds the fields, then fills in what nobody has filled in here. A field of the same name and type is the one. */
export async function loadProfiles(loading: Loading): Promise<void> {
  const { source, target, report } = loading
  const fields = new Map<string, ProfileFieldId>()
  for (const field of source.lists.profileFields.values()) {
    const key = importKey(source.origin, 'profile field', field.id)
    const known = (await findImported(target.sql, [key])).get(key) as ProfileFieldId | undefined
    const decide = (scope: ServerScope) => decideField(scope, target.owner.id, field)
    try {
      fields.set(field.id, known ?? (await target.change(decide, (id) => [[key, id]])))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report.lose({ place: undefined, reason: 'a profile field', example: `${field.name}: ${error.message}` })
    }
  }
  for (const { id, profile } of source.lists.users.values())
    for (const [fieldId, value] of profile ?? [])
      await fillIn(loading, { user: id, field: fieldId, value }, fields.get(fieldId))
}

function decideField(
  scope: ServerScope,
  ownerId: UserId,
  { type, data, isInSummary, isRequired, isEditable, ...texts }: ForeignProfileField,
): Decision<ProfileFieldId> {
  const name = cutText(texts.name, PROFILE_FIELD_NAME_LENGTH_MAX)
  const hint = cutText(texts.hint, PROFILE_FIELD_HINT_LENGTH_MAX)
  const there = scope.state.profileFields.find((one) => one.name === name && one.type === type)
  if (there) return answering(there.id, [])
  const caller = scopeFor(scope, ownerId)
  // The decision below refuses data that is nested: only its size is open.
  const length = Object.entries(data).reduce((sum, [key, value]) => sum + key.length + lengthOf(value), 0)
  if (length > PROFILE_FIELD_DATA_LENGTH_MAX)
    throw caller.fail('PROFILE_FIELD_DATA_INVALID', { message: 'its data is too long' })
  return decideNewProfileField(caller, {
    type,
    field: { name, hint, data, isInSummary, isRequired, isEditable },
  })
}

function lengthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return String(value).length
  return Object.values(value).reduce((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0)
}

/** One value of a person. */
interface Value {
  readonly user: string
  readonly field: string
  readonly value: string
}

/** Fills a field in, once: one that somebody empties here stays empty. */
async function fillIn(loading: Loading, given: Value, fieldId: ProfileFieldId | undefined): Promise<void> {
  const { target, source, people, report } = loading
  const userId = people.find(given.user)
  const field = target.state.profileFields.find(({ id }) => id === fieldId)
  const key = importKey(source.origin, 'profile', given.user, given.field)
  if (userId === undefined || !field || (await findImported(target.sql, [key])).has(key)) return
  const value = valueHere(loading, field, given.value)
  const rendered = typeof value === 'string' && isMarkdownField(field) ? renderMarkdown(value) : undefined
  try {
    await target.change(
      (scope) => {
        if (value.length === 0 || scope.state.profiles.get(userId)?.has(field.id)) return done([])
        const filled = [{ fieldId: field.id, value, rendered }]
        const user = scope.state.getUser(userId)
        return done(changeProfile(scopeFor(scope, target.owner.id), user, { filled, emptied: [] }))
      },
      () => [[key, 0]],
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const example = `${given.user}, ${field.name}: ${error.message}`
    report.lose({ place: undefined, reason: 'a value of a profile field', example })
  }
}

/** A list of people has their ids here; without users who did not come. */
function valueHere({ people }: Loading, { type }: ProfileField, value: string): string | readonly number[] {
  if (type !== PROFILE_FIELD_TYPES.users) return value
  let ids: unknown
  try {
    ids = JSON.parse(value)
  } catch {
    return value // The decision refuses it.
  }
  if (!Array.isArray(ids)) return value
  return ids.map((id) => people.find(String(id))).filter((id): id is UserId => id !== undefined)
}

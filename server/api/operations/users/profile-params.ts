/** What a profile is to say, as a parameter: read and rendered before anything waits for it. */

import type { ProfileFieldId, UserId } from '../../../domain/ids.ts'
import {
  countCodePoints,
  PROFILE_FIELDS_MAX,
  PROFILE_LONG_TEXT_LENGTH_MAX,
  PROFILE_USERS_MAX,
} from '../../../domain/limits.ts'
import { isMarkdownField } from '../../../domain/profile-fields.ts'
import type { Services } from '../../services.ts'
import { anyOf, id, integer, list, nullable, object, required, text, type ValuesOf } from '../../params.ts'

/** Characters that are looked at before a field's own limit. */
const TEXT_LENGTH_MAX = 10_000

const entryFields = {
  id: required(id<ProfileFieldId>(), 'The field.'),
  value: required(
    nullable(anyOf(text({ lengthMax: TEXT_LENGTH_MAX }), list(integer(), { lengthMax: PROFILE_USERS_MAX }))),
    'What it is to say: a text, or a list of ids of users, by the type of the field.',
  ),
}

/** A list of fields with their values. */
export const profileDataType = list(object(entryFields), { lengthMax: PROFILE_FIELDS_MAX })
/** A list of fields. */
export const profileFieldIdsType = list(id<ProfileFieldId>(), { lengthMax: PROFILE_FIELDS_MAX })

/** What a field is to say; the HTML is undefined where the field holds no Markdown. */
export interface ProfileEntry {
  readonly fieldId: ProfileFieldId
  readonly value: string | readonly number[]
  readonly rendered: string | undefined
}

/** The fields that are filled in, and those that are emptied, by null or by nothing. */
export interface ProfileWishes {
  readonly filled: readonly ProfileEntry[]
  readonly emptied: readonly ProfileFieldId[]
}

/** Renders what is Markdown, on a user's share. Rejects with `MESSAGE_RENDERING_FAILED`. */
export async function readProfileData(
  entries: readonly ValuesOf<typeof entryFields>[],
  { state, render }: Services,
  userId: UserId,
): Promise<ProfileWishes> {
  const filled: ProfileEntry[] = []
  const emptied: ProfileFieldId[] = []
  // Of two entries for a field the last counts.
  for (const [fieldId, value] of new Map(entries.map((entry) => [entry.id, entry.value]))) {
    if (value === null || value.length === 0) {
      emptied.push(fieldId)
      continue
    }
    // A field's type never changes.
    const field = state.profileFields.find((one) => one.id === fieldId)
    const isMarkdown = field !== undefined && typeof value === 'string' && isMarkdownField(field)
    // What is too long is refused later.
    const isRendered = isMarkdown && countCodePoints(value) <= PROFILE_LONG_TEXT_LENGTH_MAX
    filled.push({ fieldId, value, rendered: isRendered ? await render(value, userId) : undefined })
  }
  return { filled, emptied }
}

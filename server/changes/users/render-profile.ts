/** What profiles are to say, rendered before anything waits for it. */

import type { ProfileChange, ProfileEntry } from '../../decisions/users/change-profile.ts'
import type { ProfileFieldId, UserId } from '../../domain/ids.ts'
import { countCodePoints, PROFILE_LONG_TEXT_LENGTH_MAX } from '../../domain/limits.ts'
import { isMarkdownField } from '../../domain/profile-fields.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Rendering } from '../render.ts'

/** A field with what it is to say; null or nothing empties it. */
export interface ProfileText {
  readonly id: ProfileFieldId
  readonly value: string | readonly number[] | null
}

/** How rendering a profile can fail. */
export const PROFILE_RENDERING_ERRORS = ['MESSAGE_RENDERING_FAILED'] as const

/** Renders what is Markdown, on a user's share. Rejects with `MESSAGE_RENDERING_FAILED`. */
export async function renderProfile(
  { state, render }: Pick<Rendering, 'render'> & { readonly state: OrganizationState },
  userId: UserId,
  texts: readonly ProfileText[],
): Promise<ProfileChange> {
  const filled: ProfileEntry[] = []
  const emptied: ProfileFieldId[] = []
  // Of two entries for a field the last counts.
  for (const [fieldId, value] of new Map(texts.map((text) => [text.id, text.value]))) {
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

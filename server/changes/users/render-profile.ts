/** Renders the texts of profiles before the decision. */

import type { ProfileChange, ProfileEntry } from '../../decisions/users/change-profile.ts'
import type { ProfileFieldId, UserId } from '../../domain/ids.ts'
import { PROFILE_LONG_TEXT_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { isMarkdownField } from '../../domain/organization/profile-fields.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Rendering } from '../render.ts'

/** A field and its new value; null or an empty value empties it. */
export interface ProfileText {
  readonly id: ProfileFieldId
  readonly value: string | readonly number[] | null
}

/** How rendering a profile can fail. */
export const PROFILE_RENDERING_ERRORS = ['MESSAGE_RENDERING_FAILED'] as const

/** Renders the fields that hold Markdown, on a user's share of rendering. Rejects with `MESSAGE_RENDERING_FAILED`. */
export async function renderProfile(
  { state, render }: Pick<Rendering, 'render'> & { readonly state: OrganizationState },
  userId: UserId,
  texts: readonly ProfileText[],
): Promise<ProfileChange> {
  const filled: ProfileEntry[] = []
  const emptied: ProfileFieldId[] = []
  // The last entry for a field counts.
  for (const [fieldId, value] of new Map(texts.map((text) => [text.id, text.value]))) {
    if (value === null || value.length === 0) {
      emptied.push(fieldId)
      continue
    }
    // A field's type never changes.
    const field = state.profileFields.find((one) => one.id === fieldId)
    const isMarkdown = field !== undefined && typeof value === 'string' && isMarkdownField(field)
    // The decision fails for texts that are too long.
    const isRendered = isMarkdown && countCodePoints(value) <= PROFILE_LONG_TEXT_LENGTH_MAX
    filled.push({ fieldId, value, rendered: isRendered ? await render(value, userId) : undefined })
  }
  return { filled, emptied }
}

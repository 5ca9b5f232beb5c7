/** The organization's own emoji in a snapshot for rendering. */

import { findMentionCandidates } from '../../../workers/pool/markdown/find-mention-candidates.ts'
import type { MentionSnapshot } from '../../../workers/pool/markdown/snapshot.ts'
import { emojiPath } from '../../domain/files/pictures.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** Adds the active ones that a text names; they take precedence over all others. */
export function withCustomEmoji(
  text: string,
  snapshot: MentionSnapshot,
  { emoji }: OrganizationState,
): MentionSnapshot {
  if (emoji.length === 0 || !text.includes(':')) return snapshot
  const names = new Set(findMentionCandidates(text).emojiNames)
  const named = emoji.filter(({ name, isDeactivated }) => !isDeactivated && names.has(name))
  if (named.length === 0) return snapshot
  const own = named.map(({ name, pictureId, isAnimated }) => ({
    name,
    sourceUrl: emojiPath(pictureId, isAnimated),
  }))
  return { ...snapshot, emoji: [...own, ...snapshot.emoji] }
}

/** The status of a user: an emoji and a short text. */

import { useState } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import { charactersOf } from '../../store/emoji/emoji.ts'
import { ownPicture } from '../../ui/own-picture.ts'

interface StatusEmojiProps {
  readonly userId: number
}

/** The emoji as a picture or a character; nothing without one. */
export function StatusEmoji({ userId }: StatusEmojiProps) {
  const state = useState()
  const status = state.user_status?.[String(userId)]
  if (!status?.emoji_code) return null
  if (status.reaction_type === 'unicode_emoji')
    return (
      <span class="status-mark" role="img" aria-label={status.emoji_name}>
        {charactersOf(status.emoji_code)}
      </span>
    )
  const source = customSource(state, status.emoji_code)
  return source === undefined ? null : <img class="status-mark" src={source} alt={status.emoji_name ?? ''} />
}

export function StatusText({ userId }: { readonly userId: number }) {
  const status = useState().user_status?.[String(userId)]
  if (!status?.status_text && !status?.emoji_code) return null
  return (
    <p class="status">
      <StatusEmoji userId={userId} /> <span dir="auto">{status.status_text}</span>
    </p>
  )
}

function customSource(state: State, id: string): string | undefined {
  const emoji = state.realm_emoji?.[id]
  return ownPicture(emoji?.source_url ?? '')
}
